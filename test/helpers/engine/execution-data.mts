import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteData, IRunExecutionData } from 'n8n-workflow';

/** Whether the engine signs resume URLs, as it does since 2.20. */
const SIGNS_URLS = 'generateSecureToken' in n8nWorkflow;

/**
 * A new execution's data.
 * @param nodeExecutionStack the nodes to execute; none to only evaluate expressions
 * @param resumeToken the signature of resume URLs, if the engine signs them
 */
export const newExecutionData = (
	nodeExecutionStack: IExecuteData[] = [],
	resumeToken?: string,
): IRunExecutionData => ({
	...n8nWorkflow.createRunExecutionData({ executionData: { nodeExecutionStack } }),
	resumeToken: SIGNS_URLS ? resumeToken : undefined,
});
