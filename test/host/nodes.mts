import type { INodeParameters } from 'n8n-workflow';
import { inGroups } from '../helpers/parameters.mts';
import { randomUUID } from 'node:crypto';
import { until } from '../helpers/until.mts';
import { CREDENTIAL_NAME, SERVER_CREDENTIAL_NAME } from './demo.mts';
import type { WorkflowSource } from './rest.mts';

type WorkflowNode = ReturnType<typeof node>;
type Chain = WorkflowSource & { nodes: WorkflowNode[] };
export type Fields = Record<string, unknown>;

export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more = {},
) => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	...more,
});

/** The demo's credentials, which n8n finds by name. */
export const CREDENTIALS = {
	cloud: { maxunCloudApi: { id: null, name: CREDENTIAL_NAME } },
	selfHosted: { maxunSelfHostedApi: { id: null, name: SERVER_CREDENTIAL_NAME } },
};

export const maxunNode = (
	name: string,
	server: keyof typeof CREDENTIALS,
	resource: string,
	operation: string,
	parameters: Fields = {},
) => {
	const own: INodeParameters = JSON.parse(JSON.stringify(parameters));
	const all = { server, resource, operation, ...inGroups(own) };
	return node(name, 'n8n-nodes-maxun-robots.maxun', 1, all, { credentials: CREDENTIALS[server] });
};

/** The action node as an AI agent's tool. */
export const toolNode = (...given: Parameters<typeof maxunNode>) => ({
	...maxunNode(...given),
	type: 'n8n-nodes-maxun-robots.maxunTool',
});

/** The trigger's name in the workflows that watch robots. */
export const TRIGGER = 'Watch';

/** Without webhooks, the trigger only polls. */
export const ONLY_POLLS = { options: { pollOnly: true } };

/**
 * A workflow with a trigger and a node that does nothing.
 * @param polls polls per minute; n8n's form accepts several times, each once a minute
 * @param seconds how long the node takes
 */
export function watching(
	server: keyof typeof CREDENTIALS,
	robotIds: string[],
	parameters: Fields = {},
	{ polls = 1, seconds = 0 } = {},
): WorkflowSource {
	const item = Array.from({ length: polls }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${Math.floor((index * 60) / polls)} * * * * *`,
	}));
	const form = { pollTimes: { item }, events: ['run_completed', 'run_failed'], robotIds };
	const all = { server, output: 'simplified', ...form, ...parameters };
	const more = { webhookId: randomUUID(), credentials: CREDENTIALS[server] };
	const wait = { resume: 'timeInterval', amount: seconds, unit: 'seconds' };
	return chain(`Watching ${randomUUID()}`, [
		node(TRIGGER, 'n8n-nodes-maxun-robots.maxunTrigger', 2, all, more),
		seconds > 0 ? node('Done', 'n8n-nodes-base.wait', 1.1, wait) : noOp('Done'),
	]);
}

/** A Webhook node that responds at once to calls of `/webhook/<path>`. */
export const webhookNode = (name: string, path: string) => {
	const all = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	return node(name, 'n8n-nodes-base.webhook', 2, all, { webhookId: path });
};

export const noOp = (name: string) => node(name, 'n8n-nodes-base.noOp', 1, {});

/** A connection to a node, as a workflow contains it. */
export const to = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] });

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export function chain(name: string, nodes: WorkflowNode[]): Chain {
	const connections = nodes.slice(1).map((next, index) => [nodes[index]?.name, to(next.name)]);
	return {
		name,
		nodes: nodes.map((entry, index) => ({ ...entry, position: [200 * index, 0] })),
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1' },
	};
}

/** Calls a published workflow, as soon as n8n has registered its webhook. */
export const call = async (url: string, body: object): Promise<Response> =>
	await until('the start', 20_000, async () => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return response.ok ? response : undefined;
	});
