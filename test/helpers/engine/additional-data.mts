import './environment.mts';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type {
	ICredentialsHelper,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

const unavailable = async (): Promise<never> => await Promise.reject(new Error('Not there'));

/**
 * What n8n passes to the engine and the nodes (n8n's `getBase`).
 *
 * @param origin n8n's base URL without a final slash; its production webhooks are below `/webhook`
 */
export const serverData = (
	credentialsHelper: ICredentialsHelper,
	origin: string,
	more: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData => ({
	credentialsHelper,
	externalSecretsProxy: new ExternalSecretsProxy(),
	currentNodeExecutionIndex: 0,
	variables: {},
	instanceBaseUrl: origin,
	restApiUrl: `${origin}/rest`,
	webhookBaseUrl: `${origin}/webhook`,
	webhookTestBaseUrl: `${origin}/webhook-test`,
	webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
	formBaseUrl: `${origin}/form`,
	formTestBaseUrl: `${origin}/form-test`,
	formWaitingBaseUrl: `${origin}/form-waiting`,
	mcpBaseUrl: `${origin}/mcp`,
	mcpTestBaseUrl: `${origin}/mcp-test`,
	logAiEvent: () => {},
	executeWorkflow: unavailable,
	getRunExecutionData: unavailable,
	getRuntimeCredential: unavailable,
	startRunnerTask: unavailable,
	...more,
});

/** An execution's hooks, to which n8n adds its own work (ExecutionLifecycleHooks). */
export const hooksOf = (mode: WorkflowExecuteMode, executionId: string, workflowId: string) =>
	new ExecutionLifecycleHooks(mode, executionId, {
		id: workflowId,
		name: workflowId,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: [],
		connections: {},
	});
