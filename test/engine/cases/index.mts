import type { OperationCase } from '../support/operations.mts';
import { accountCases } from './account.mts';
import { agentCases } from './agent.mts';
import { documentCases } from './document.mts';
import { monitoringCases } from './monitoring.mts';
import { robotChangeCases } from './robot-change.mts';
import { robotCreateCases } from './robot-create.mts';
import { robotCases } from './robot.mts';
import { runCases } from './run.mts';
import { scheduleCases } from './schedule.mts';
import { webCases } from './web.mts';
import { webhookCases } from './webhook.mts';

export const CASES: OperationCase[] = [
	...accountCases,
	...agentCases,
	...documentCases,
	...monitoringCases,
	...robotCases,
	...robotChangeCases,
	...robotCreateCases,
	...runCases,
	...scheduleCases,
	...webCases,
	...webhookCases,
];

export const casesOf = (...resources: string[]) =>
	CASES.filter(({ resource }) => resources.includes(resource));

/** Ends builds and runs at once, so that no test has to wait for them. */
export const QUICK = { settings: { runSeconds: 0.05, agentBuildSeconds: 0.05 } };
