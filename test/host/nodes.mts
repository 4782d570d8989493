import { randomUUID } from 'node:crypto';
import { until } from '../helpers/until.mts';
import { CREDENTIAL_NAME, SERVER_CREDENTIAL_NAME } from './demo.mts';
import type { WorkflowSource } from './rest.mts';

type WorkflowNode = ReturnType<typeof node>;
type Chain = WorkflowSource & { nodes: WorkflowNode[] };
type Parameters = Record<string, unknown>;

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
	parameters: Parameters = {},
) => {
	const all = { server, resource, operation, ...parameters };
	return node(name, 'n8n-nodes-maxun-robots.maxun', 1, all, { credentials: CREDENTIALS[server] });
};

/** A Webhook node that responds at once to calls of `/webhook/<path>`. */
export const webhookNode = (name: string, path: string, parameters: Parameters = {}) => {
	const all = { httpMethod: 'POST', path, responseMode: 'onReceived', ...parameters };
	return node(name, 'n8n-nodes-base.webhook', 2, all, { webhookId: path });
};

export const noOp = (name: string) => node(name, 'n8n-nodes-base.noOp', 1, {});

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export function chain(name: string, nodes: WorkflowNode[]): Chain {
	const connections = nodes
		.slice(1)
		.map((next, index) => [
			nodes[index]?.name,
			{ main: [[{ node: next.name, type: 'main', index: 0 }]] },
		]);
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
