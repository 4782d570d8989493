import { casesOf, QUICK } from './cases/index.mts';
import { describeOperation } from './support/operations.mts';
import { useSandbox } from './support/sandbox.mts';

const world = useSandbox(QUICK);

for (const operation of casesOf('agent', 'schedule', 'web')) describeOperation(world, operation);
