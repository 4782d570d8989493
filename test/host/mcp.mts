import { expect } from 'vitest';
import { z } from 'zod';
import { type CREDENTIALS, type Fields, node, to, toolNode } from './nodes.mts';
import type { WorkflowSource } from './rest.mts';

/** When MCP clients usually give up, in milliseconds. */
export const PATIENCE = 60_000;

export const fromModel = (key: string, description = key): string =>
	`={{ $fromAI('${key}', '${description}') }}`;

export type McpTool = [name: string, operation: string, parameters: Fields];

/**
 * A workflow with an MCP server whose tools are Maxun's.
 *
 * @param path of the server, below `/mcp/`
 */
export const mcpServer = (
	path: string,
	server: keyof typeof CREDENTIALS,
	tools: McpTool[],
): WorkflowSource => ({
	name: `MCP ${path}`,
	nodes: [
		node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path }, { webhookId: path }),
		...tools.map(([name, operation, parameters]) =>
			toolNode(name, server, 'run', operation, parameters),
		),
	],
	connections: Object.fromEntries(tools.map(([name]) => [name, to('MCP', 'ai_tool')])),
	settings: { executionOrder: 'v1' },
});

const Answer = z.object({
	result: z.object({ content: z.array(z.object({ text: z.string() })).optional() }).passthrough(),
});

export class McpClient {
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
