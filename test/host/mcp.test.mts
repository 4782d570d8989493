import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO } from '../sandbox/index.mts';
import { CREDENTIALS, node } from './nodes.mts';
import { openStage, type Stage } from './stage.mts';

/** When usual MCP clients give up, in milliseconds. */
const PATIENCE = 60_000;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { runSeconds: 100 } });
});

afterAll(async () => await stage?.close());

/** A parameter that the client's model sets. */
const fromModel = (key: string) => `={{ $fromAI('${key}', '${key}') }}`;

const TOOLS: Array<[name: string, operation: string, parameters: object]> = [
	['Run a robot', 'runAndWait', { robotId: { __rl: true, mode: 'id', value: fromModel('Robot') } }],
	['Get a run', 'get', { runId: { __rl: true, mode: 'id', value: fromModel('Run') } }],
];

/** A workflow with an MCP server whose tools are Maxun's. */
const server = (path: string) => ({
	name: `MCP ${path}`,
	nodes: [
		node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path }, { webhookId: path }),
		...TOOLS.map(([name, operation, parameters]) =>
			node(
				name,
				'n8n-nodes-maxun-robots.maxunTool',
				1,
				{ server: 'cloud', resource: 'run', operation, ...parameters },
				{ credentials: CREDENTIALS.cloud },
			),
		),
	],
	connections: Object.fromEntries(
		TOOLS.map(([name]) => [name, { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] }]),
	),
	settings: { executionOrder: 'v1' },
});

const Answer = z.object({
	result: z.object({ content: z.array(z.object({ text: z.string() })).optional() }).passthrough(),
});

/** A client of an MCP server over streamable HTTP, which gives up like usual clients. */
class Client {
	private session = '';
	private id = 0;

	constructor(private readonly url: string) {}

	async open(): Promise<void> {
		await this.send('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		await this.send('notifications/initialized');
	}

	/** Calls a tool. @returns the text of its result. @throws after 60 seconds */
	async call(name: string, input: object): Promise<string> {
		const text = await this.send('tools/call', { name, arguments: input });
		const { result } = Answer.parse(JSON.parse(text));
		return (result.content ?? []).map((part) => part.text).join('');
	}

	private async send(method: string, params?: object): Promise<string> {
		const isNotice = method.startsWith('notifications/');
		const response = await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(this.session && { 'mcp-session-id': this.session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', method, params, ...(!isNotice && { id: ++this.id }) }),
			signal: AbortSignal.timeout(PATIENCE),
		});
		this.session ||= response.headers.get('mcp-session-id') ?? '';
		const text = await response.text();
		expect(response.status, text).toBeLessThan(300);
		return /^data: (.*)$/m.exec(text)?.[1] ?? text;
	}
}

it('an MCP client with a limit of 60 seconds gets the data of a run that takes longer', async () => {
	const path = randomUUID();
	const { id } = await stage.rest.createWorkflow(server(path));
	await stage.rest.publish(id);
	const client = new Client(`${stage.n8n.url}/mcp/${path}`);
	await client.open();
	const begun = Date.now();
	const early = await client.call('Run_a_robot', { Robot: DEMO.products });
	expect(Date.now() - begun).toBeLessThan(PATIENCE - 2_000);
	const runId = /"runId":\s*"([^"]+)"/.exec(early.replaceAll('\\"', '"'))?.[1];
	expect(early).toContain("'Run: Get'");
	expect(runId).toBeDefined();
	await expect
		.poll(async () => await client.call('Get_a_run', { Run: runId }), {
			timeout: 100_000,
			interval: 10_000,
		})
		.toContain('Walnut desk');
	expect(await stage.sandbox.count(/^POST .*\/runs$/)).toBe(1);
});
