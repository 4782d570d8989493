import { casesOf, QUICK } from './cases/index.mts';
import { describeOperation } from './support/operations.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox(QUICK);

for (const operation of casesOf('run', 'webhook', 'monitoring', 'document'))
	describeOperation(sandbox, operation);
