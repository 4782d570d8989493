import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Stage } from './stage.mts';

const Request = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown() }).passthrough()),
	tools: z
		.array(z.object({ function: z.object({ name: z.string() }).passthrough() }).passthrough())
		.default([]),
});

/** A chat model that follows a script, with the API of most chat models. */
export interface ScriptedModel {
	/** Base URL, as in credentials for chat models. */
	url: string;
	/** Its requests, in order. */
	asked: Array<z.infer<typeof Request>>;
	close(): Promise<void>;
}

/**
 * Starts a model that calls its only tool once, and then returns the tool's result.
 * @param input the tool's input
 */
export async function startModel(input: Record<string, unknown>): Promise<ScriptedModel> {
	const asked: ScriptedModel['asked'] = [];
	const server = createServer((request, response) => {
		text(request).then(
			(body) => {
				const question = Request.parse(JSON.parse(body));
				asked.push(question);
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answerTo(question, input)));
			},
			(error: unknown) => response.destroy(error instanceof Error ? error : undefined),
		);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The model has no port');
	const close = async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	};
	return { url: `http://127.0.0.1:${address.port}/v1`, asked, close };
}

function answerTo({ messages, tools }: z.infer<typeof Request>, input: Record<string, unknown>) {
	const result = messages.find(({ role }) => role === 'tool');
	const name = tools[0]?.function.name;
	const call = {
		id: 'call-1',
		type: 'function',
		function: { name, arguments: JSON.stringify(input) },
	};
	const message = result
		? { role: 'assistant', content: `The page says: ${String(result.content)}` }
		: { role: 'assistant', content: null, tool_calls: [call] };
	return {
		id: 'answer',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: result ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/**
 * Sets a model credential in the node *Model* of a workflow.
 * @param url base URL of the model's API
 */
export async function chooseModel(stage: Stage, workflowId: string, url: string): Promise<void> {
	const data = { apiKey: 'unused', url };
	const created = { name: 'Chat model', type: 'openAiApi', data };
	const { id, name } = await stage.rest.createCredential(created);
	const { nodes } = await stage.rest.workflow(workflowId);
	const changed = nodes.map((node) =>
		node.name === 'Model' ? { ...node, credentials: { openAiApi: { id, name } } } : node,
	);
	await stage.rest.updateWorkflow(workflowId, { nodes: changed });
}
