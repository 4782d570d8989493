import type { IExecuteData, IRunExecutionData } from 'n8n-workflow';

/**
 * The data of a new execution. n8n's own function for it is missing in engines before 1.121; the fields are the same.
 * @param nodeExecutionStack the nodes to execute, none to only evaluate expressions
 * @param resumeToken the signature of resume URLs
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
		resumeToken,
	});
