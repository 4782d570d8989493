import { describeRunAndWait } from './cases/self-hosted-run-and-wait.mts';
import { useSandbox } from './support/sandbox.mts';

describeRunAndWait(useSandbox(), 'documented');
