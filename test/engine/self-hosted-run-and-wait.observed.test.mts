import { describeRunAndWait } from './cases/self-hosted-run-and-wait.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

describeRunAndWait(useSandbox(), 'observed');
