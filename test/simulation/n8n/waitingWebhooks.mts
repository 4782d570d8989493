import type { INode, IRunExecutionData, ITaskData, Workflow } from 'n8n-workflow';
import { core, workflow as library } from '../engine.mts';
import type { Request, Response, Server } from '../network.mts';
import type { StoredExecution } from './database.mts';
import type { N8n } from './host.mts';
import { open } from './workflows.mts';

const say = (status: number, message: string): Response => ({ status, body: { message } });

/** Calls to the URLs that resume executions (n8n's WaitingWebhooks and executeWebhook). */
export function waitingWebhooks(n8n: N8n): Server {
	return async (request) =>
		await new Promise<Response>((resolve) => {
			const { main, clock } = n8n;
			if (!main.alive) return resolve(say(502, 'Nobody is there'));
			clock.after(0, () => void handle(n8n, request).then(resolve), main);
		});
}

async function handle(n8n: N8n, request: Request): Promise<Response> {
	const { pathname, searchParams } = request.url;
	const [, folder, id = '', path = ''] = pathname.split('/');
	if (folder !== 'webhook-waiting') return say(404, 'Not found');
	const execution = await n8n.database.find(id);
	if (!execution) return say(404, `The execution "${id}" does not exist.`);
	const data = execution.read();
	// The signature may also contain the path.
	const [token, ...suffix] = (searchParams.get('signature') ?? '').split('/');
	if (token !== data.resumeToken) return { status: 401, body: { error: 'Invalid token' } };
	if (execution.status === 'running') return say(409, `The execution "${id}" is running already.`);
	// A crash after a pause leaves no error in the data, so such an execution still seems to wait.
	if (data.resultData.error) {
		return say(409, `The execution "${id}" has finished with error.`);
	}
	if (execution.finished) return say(409, `The execution "${id} has finished already.`);
	return await callNode(n8n, request, execution, data, path || suffix.join('/'));
}

async function callNode(
	n8n: N8n,
	request: Request,
	{ id, workflowId, mode, trail }: StoredExecution,
	data: IRunExecutionData,
	suffix: string,
): Promise<Response> {
	const { main } = n8n;
	const statuses = trail.length;
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	const last = data.resultData.lastNodeExecuted;
	if (!entry || last === undefined) return say(500, 'Nothing waits');
	entry.node.disabled = true;
	data.waitTill = undefined;
	preserveInputOverride(data.resultData.runData[last] ?? []);
	const workflow = open(n8n.workflow(workflowId), main);
	const node = workflow.getNode(last);
	if (!node) return say(404, 'Could not find node to process webhook.');
	const type = workflow.nodeTypes.getByNameAndVersion(node.type);
	const description = type.description.webhooks?.find(
		({ restartWebhook, path, isFullPath }) =>
			restartWebhook === true && pathOf(workflow, node, path, isFullPath) === suffix,
	);
	if (!type.webhook || !description) {
		return say(404, `The workflow for execution "${id}" does not contain a waiting webhook`);
	}
	const given: { status: number; body?: unknown } = { status: 200 };
	const additional = n8n.additionalData(id, main, `webhook of ${id}`);
	const http = { httpRequest: asExpress(request), httpResponse: responder(given) };
	const webhookData = {
		httpMethod: 'POST' as const,
		node: node.name,
		path: suffix,
		webhookDescription: description,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additional,
	};
	Object.assign(additional, http);
	const context = new core.WebhookContext(workflow, node, additional, mode, webhookData, [], data);
	const result = await type.webhook.call(context);
	if (result.workflowData === undefined) {
		if (result.noWebhookResponse) return { status: given.status, body: given.body };
		return { status: 200, body: result.webhookResponse ?? { message: 'Webhook call received' } };
	}
	entry.data.main = result.workflowData;
	entry.metadata = { ...entry.metadata, ...{ forwardAllOutputs: true } };
	const isFirst = await n8n.run(id, data, 'waiting', statuses);
	return isFirst ? { status: 200, body: {} } : say(500, 'The execution is already resuming.');
}

/** The path of a webhook after the execution's ID (WebhookService.getNodeWebhooks). */
function pathOf(workflow: Workflow, node: INode, path: string, isFullPath = false): string {
	const evaluated = workflow.expression.getSimpleParameterValue(node, path, 'internal', {});
	const trimmed = String(evaluated ?? '').replace(/^\/|\/$/g, '');
	return library.NodeHelpers.getNodeWebhookPath(workflow.id, node, trimmed, isFullPath, true);
}

/** Like n8n's function of this name: keeps a placeholder for an entry that an engine request made. */
function preserveInputOverride(entries: ITaskData[]): void {
	const entry = entries.pop();
	if (!entry?.inputOverride) return;
	const { source, inputOverride } = entry;
	entries.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
}

/** The request as nodes see it. */
const asExpress = ({ method, url, headers, body }: Request) => ({
	method,
	url: url.pathname + url.search,
	headers,
	query: Object.fromEntries(url.searchParams),
	params: {},
	body,
});

/** The response object that nodes use to respond themselves. */
const responder = (given: { status: number; body?: unknown }) => {
	const response = {
		status: (status: number) => {
			given.status = status;
			return response;
		},
		json: (body: unknown) => {
			given.body = body;
			return response;
		},
	};
	return response;
};
