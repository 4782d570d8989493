import type { Request, Response } from 'express';
import { WebhookContext } from 'n8n-core';
import { NodeHelpers, type Workflow } from 'n8n-workflow';
import type {
	INode,
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
	IWebhookDescription,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { SIGNS_URLS } from './execution-data.mts';
import type { ExecutionStore } from './execution-store.mts';

/** What the webhooks use of the rest of n8n. */
interface Server {
	store: ExecutionStore;
	mode: WorkflowExecuteMode;
	workflow(): Workflow;
	additional(executionId: string): IWorkflowExecuteAdditionalData;
	/** Resumes an execution. @throws if it is not waiting */
	resume(executionId: string, data: IRunExecutionData): void;
}

class ResponseError extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** Calls to the resume URLs of executions. Follows n8n 2.41's `WaitingWebhooks` and `executeWebhook` step by step. */
export class WaitingWebhooks {
	constructor(private readonly server: Server) {}

	async answer(request: Request, response: Response): Promise<void> {
		try {
			await this.execute(request, response);
		} catch (error) {
			if (response.headersSent) return;
			const status = error instanceof ResponseError ? error.status : 500;
			const message = error instanceof Error ? error.message : String(error);
			response.status(status).json({ code: status, message });
		}
	}

	private async execute(request: Request, response: Response): Promise<void> {
		const { store } = this.server;
		const id = String(request.params.id);
		const execution = store.find(id);
		const data = execution && store.load(id);
		const [token, ...path] = String(request.query.signature ?? '').split('/');
		if (SIGNS_URLS && data?.resumeToken && token !== data.resumeToken) {
			return void response.status(401).json({ error: 'Invalid token' });
		}
		const suffix = String(request.params.suffix ?? path.join('/'));
		if (!execution || !data) throw new ResponseError(404, `The execution "${id}" does not exist.`);
		if (execution.status === 'running') {
			throw new ResponseError(409, `The execution "${id}" is running already.`);
		}
		if (data.resultData.error) {
			throw new ResponseError(409, `The execution "${id}" has finished with error.`);
		}
		if (execution.status === 'success') {
			throw new ResponseError(409, `The execution "${id} has finished already.`);
		}
		const { lastNodeExecuted = '' } = data.resultData;
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		if (entry) entry.node.disabled = true;
		data.waitTill = undefined;
		preserveInputOverride(data.resultData.runData[lastNodeExecuted] ?? []);
		const workflow = this.server.workflow();
		const node = workflow.getNode(lastNodeExecuted);
		if (node === null) throw new ResponseError(404, 'Could not find node to process webhook.');
		const webhook = webhooksOf(workflow, node).find(
			({ description, path: own }) =>
				description.httpMethod === request.method &&
				own === suffix &&
				description.restartWebhook === true,
		);
		if (!webhook) {
			const message = `The workflow for execution "${id}" does not contain a waiting webhook with a matching path/method.`;
			throw new ResponseError(404, message);
		}
		await this.call({ id, data, workflow, node, ...webhook }, request, response);
	}

	private async call(
		{ id, data, workflow, node, description, path }: Call,
		request: Request,
		response: Response,
	): Promise<void> {
		const { server } = this;
		const additional = server.additional(id);
		additional.httpRequest = request;
		additional.httpResponse = response;
		const webhookData = {
			httpMethod: 'POST' as const,
			node: node.name,
			path,
			webhookDescription: description,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: additional,
		};
		const context = new WebhookContext(
			workflow,
			node,
			additional,
			server.mode,
			webhookData,
			[],
			data,
		);
		const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		let result: IWebhookResponseData;
		try {
			if (!nodeType.webhook) throw new Error('The node has no webhook method');
			result = await nodeType.webhook.call(context);
		} catch (error) {
			// The error ends the execution, and its log is lost.
			response.status(500).json({ message: 'Error in workflow' });
			const failure = Object.assign(new Error(String(error)), { node });
			Object.assign(data.resultData, { runData: {}, lastNodeExecuted: node.name, error: failure });
			result = { noWebhookResponse: true, workflowData: [[{ json: {} }]] };
		}
		if (result.workflowData === undefined) {
			if (!response.headersSent) {
				response.json(result.webhookResponse ?? { message: 'Webhook call received' });
			}
			return;
		}
		resumeWith(data, result.workflowData);
		server.resume(id, data);
		if (!response.headersSent) {
			response.json(result.webhookResponse ?? { message: 'Workflow was started' });
		}
	}
}

interface Webhook {
	description: IWebhookDescription;
	path: string;
}

interface Call extends Webhook {
	id: string;
	data: IRunExecutionData;
	workflow: Workflow;
	node: INode;
}

/** The webhooks of a node and their paths, which may be expressions. */
function webhooksOf(workflow: Workflow, node: INode): Webhook[] {
	if (node.disabled) return [];
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	return (description.webhooks ?? []).map((webhook) => {
		const value = workflow.expression.getSimpleParameterValue(node, webhook.path, 'internal', {});
		const path = String(value ?? '').replace(/^\/|\/$/g, '');
		return {
			description: webhook,
			path: NodeHelpers.getNodeWebhookPath(
				workflow.id,
				node,
				path,
				webhook.isFullPath === true,
				webhook.restartWebhook === true,
			),
		};
	});
}

/** Like the function of this name in n8n 2.20 and later: replaces an entry from an engine request with a placeholder. */
function preserveInputOverride(entries: ITaskData[]): void {
	const entry = entries.pop();
	if (!entry?.inputOverride) return;
	const { source, inputOverride } = entry;
	entries.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
}

/** The waiting node outputs the webhook's data. */
function resumeWith(data: IRunExecutionData, items: INodeExecutionData[][]): void {
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	if (entry === undefined) throw new Error('Nothing waits');
	entry.data.main = items;
	entry.metadata = { ...entry.metadata, ...{ forwardAllOutputs: true } };
}
