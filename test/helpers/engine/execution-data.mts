import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteData, IRunExecutionData } from 'n8n-workflow';

/** Whether the engine signs resume URLs, as it does since 2.20. */
export const SIGNS_URLS = 'generateSecureToken' in n8nWorkflow;

/**
 * A new execution's data. Engines before 1.121 lack n8n's own function for it; the fields are the same.
 * @param nodeExecutionStack the nodes to execute; none to only evaluate expressions
 * @param resumeToken the signature of resume URLs, if the engine signs them
 */
export const newExecutionData = (
	nodeExecutionStack: IExecuteData[] = [],
	resumeToken?: string,
): IRunExecutionData =>
	Object.assign(JSON.parse('{}'), {
		version: 1,
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			nodeExecutionStack,
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
		resumeToken: SIGNS_URLS ? resumeToken : undefined,
	});
