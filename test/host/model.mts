import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { closeServer, listen } from '../helpers/listen.mts';
import { chooseCredential, type Stage } from './stage.mts';

const Request = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown() }).passthrough()),
	tools: z
		.array(z.object({ function: z.object({ name: z.string() }).passthrough() }).passthrough())
		.default([]),
});

/** A tool call, or the answer to the user, given the calls' results so far. */
export type ModelStep = (results: string[]) => ToolCall | string;

interface ToolCall {
	tool: string;
	input: Record<string, unknown>;
}

/** Starts a chat model that follows a script, with most chat models' API. */
export async function startModel(...script: ModelStep[]) {
	const asked: Array<z.infer<typeof Request>> = [];
	const { url, close } = await serve((body) => {
		const question = Request.parse(body);
		asked.push(question);
		return answerTo(question, script);
	});
	return { url, asked, close };
}

/** Serves an API that responds to each request with JSON. */
async function serve(answer: (body: unknown) => unknown) {
	const server = createServer((request, response) => {
		text(request).then(
			(body) => {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answer(JSON.parse(body))));
			},
			(error: unknown) => response.destroy(error instanceof Error ? error : undefined),
		);
	});
	const port = await listen(server);
	const close = async () => await closeServer(server);
	return { url: `http://127.0.0.1:${port}/v1`, close };
}

function answerTo({ messages }: z.infer<typeof Request>, script: ModelStep[]) {
	const results = messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => textOf(content));
	const next = script[results.length]?.(results) ?? 'The script has ended';
	const isAnswer = typeof next === 'string';
	const message = isAnswer
		? { role: 'assistant', content: next }
		: { role: 'assistant', content: null, tool_calls: [asCall(next, results.length)] };
	return {
		id: 'answer',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: isAnswer ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

const textOf = (content: unknown) =>
	typeof content === 'string' ? content : JSON.stringify(content);

const asCall = ({ tool, input }: ToolCall, index: number) => ({
	id: `call-${index + 1}`,
	type: 'function',
	function: { name: tool, arguments: JSON.stringify(input) },
});

const EmbeddingRequest = z.object({
	input: z.union([z.array(z.string()), z.string().transform((only) => [only])]),
	encoding_format: z.string().optional(),
});

/** Starts a server for embeddings with the API of most models. Texts with the same words are near each other. */
export async function startEmbeddings() {
	const embedded: string[] = [];
	const { url, close } = await serve((body) => {
		const { input, encoding_format: format } = EmbeddingRequest.parse(body);
		embedded.push(...input);
		const data = input.map((words, index) => ({
			object: 'embedding',
			index,
			embedding: format === 'base64' ? asBase64(vectorOf(words)) : [...vectorOf(words)],
		}));
		const usage = { prompt_tokens: 1, total_tokens: 1 };
		return { object: 'list', model: 'words', data, usage };
	});
	return { url, embedded, close };
}

const DIMENSIONS = 64;

function vectorOf(words: string): Float32Array {
	const vector = new Float32Array(DIMENSIONS).fill(0.01);
	for (const word of words.toLowerCase().match(/\w+/g) ?? []) {
		const sum = [...word].reduce((total, letter) => total * 31 + letter.charCodeAt(0), 7);
		const position = Math.abs(sum) % DIMENSIONS;
		vector[position] = (vector[position] ?? 0) + 1;
	}
	return vector;
}

const asBase64 = (vector: Float32Array) => Buffer.from(vector.buffer).toString('base64');

export async function chooseModel(
	stage: Stage,
	workflowId: string,
	url: string,
	name = 'Model',
): Promise<void> {
	await chooseCredential(stage, workflowId, name, 'openAiApi', { apiKey: 'unused', url });
}
