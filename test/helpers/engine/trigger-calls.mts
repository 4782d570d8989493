import { HookContext, PollContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

// What n8n does when it calls a trigger's hook, polls, or receives an event.

interface Called {
	workflow: Workflow;
	node: INode;
	additional: IWorkflowExecuteAdditionalData;
	/** The webhook's path behind `/webhook/` or `/webhook-test/`. */
	path: string;
}

const typeOf = ({ nodeTypes }: Workflow, { type, typeVersion }: INode) =>
	nodeTypes.getByNameAndVersion(type, typeVersion);

/** The node's webhook (n8n's getNodeWebhooks). */
function webhookOf({ workflow, node, additional, path }: Called, isTest: boolean): IWebhookData {
	const [webhookDescription] = typeOf(workflow, node).description.webhooks ?? [];
	if (!webhookDescription) throw new Error('The node declares no webhook');
	return {
		httpMethod: 'POST',
		node: node.name,
		path,
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additional,
		webhookId: node.webhookId,
		isTest,
	};
}

export type HookName = 'checkExists' | 'create' | 'delete';

/**
 * Calls a hook (WebhookService.runWebhookMethod).
 *
 * @param activation `manual` during a test in the editor
 * @param save stores static data, which n8n doesn't do if the hook fails
 * @throws what the hook throws
 */
export async function callHook(
	{ workflow, node, additional, path }: Called,
	method: HookName,
	activation: WorkflowActivateMode,
	save: () => Promise<void>,
): Promise<boolean> {
	const isTest = activation === 'manual';
	const webhook = webhookOf({ workflow, node, additional, path }, isTest);
	const mode: WorkflowExecuteMode = isTest ? 'manual' : 'trigger';
	const context = new HookContext(workflow, node, additional, mode, activation, webhook);
	const hook = typeOf(workflow, node).webhookMethods?.default?.[method];
	if (hook === undefined) throw new Error(`The node has no webhook method '${method}'`);
	const result = await hook.call(context);
	await save();
	return result;
}

/** Registers a webhook (WebhookService.createWebhookIfNotExists). @throws what a hook throws */
export async function register(hook: (method: HookName) => Promise<boolean>): Promise<void> {
	if (!(await hook('checkExists'))) await hook('create');
}

interface Steps {
	start: (items: INodeExecutionData[][]) => Promise<void>;
	save: () => Promise<void>;
}

/**
 * Calls a trigger with an event (LiveWebhooks, TestWebhooks, executeWebhook). The data contains the request and the
 * response.
 *
 * @throws what the trigger or a step throws; n8n then responds with status 500
 */
export async function callWebhook(
	{ workflow, node, additional, path }: Called,
	isTest: boolean,
	{ start, save }: Steps,
): Promise<IWebhookResponseData> {
	const webhook = webhookOf({ workflow, node, additional, path }, isTest);
	const mode: WorkflowExecuteMode = isTest ? 'manual' : 'webhook';
	const context = new WebhookContext(workflow, node, additional, mode, webhook, [], null);
	const result = await typeOf(workflow, node).webhook?.call(context);
	if (result === undefined) throw new Error('The node has no webhook method');
	// The event starts the workflow even if the node has responded itself.
	if (result.workflowData) {
		// The execution opens the workflow itself, which resets the mark for changed data.
		Object.assign(workflow.staticData, { __dataChanged: false });
		await start(result.workflowData);
	}
	await save();
	return result;
}

interface PollOptions {
	onError?: (error: Error) => void;
	/** The node's durable cursor, if n8n uses them. */
	cursor?: IDataObject;
	/** How long the poll may take, in milliseconds. Older engines don't report this. */
	budget?: number;
}

/** Polls (TriggerExecutionContextFactory). With a durable cursor, the activation is always `update`. */
export async function callPoll(
	{ workflow, node, additional }: Omit<Called, 'path'>,
	activation: WorkflowActivateMode,
	{ onError, cursor, budget }: PollOptions = {},
): Promise<INodeExecutionData[][] | null> {
	const how = cursor ? 'update' : activation;
	const context = new PollContext(workflow, node, additional, 'trigger', how, undefined, onError);
	if (cursor) {
		if (!('resolveNodeStaticData' in context))
			throw new Error('This n8n version has no durable cursors');
		Object.assign(context, { resolveNodeStaticData: () => cursor });
	}
	if (budget !== undefined) Object.assign(context, { getPollBudgetMs: () => budget });
	const items = await typeOf(workflow, node).poll?.call(context);
	if (items === undefined) throw new Error('The node does not poll');
	return items;
}
