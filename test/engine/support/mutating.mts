import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listen } from '../../helpers/listen.mts';
import { SECRET, type Answer } from './mutations.mts';

/** Responses by request. */
export type Recording = Map<string, Answer[]>;

/** Without a recording, Maxun itself responds. */
interface History {
	replayed?: Recording;
	/** What Maxun gets instead of n8n's API key. */
	apiKey?: string;
	/** @param count how many equal requests came before */
	mutate?(answer: Answer, request: string, count: number): Partial<Answer> | undefined;
}

const HEADERS = ['content-type', 'authorization', 'x-api-key', 'x-team-id'];
const MISSING: Answer = { status: 404, body: { success: false, error: 'Not found' } };

/** A server between n8n and Maxun. Each history has its own base URL, so that many can be played at the same time. */
export class MutatingServer {
	private readonly histories: Array<History & { seen: Recording }> = [];
	private readonly server = createServer((request, response) => {
		this.handle(request, response).catch(() => response.destroy());
	});
	private origin = '';
	private target = '';

	async start(target: string): Promise<void> {
		this.target = target;
		this.origin = `http://127.0.0.1:${await listen(this.server)}`;
	}

	readonly stop = async (): Promise<void> => await closeServer(this.server);

	open(history: History = {}): { url: string; seen: Recording } {
		const seen: Recording = new Map();
		return { url: `${this.origin}/${this.histories.push({ ...history, seen }) - 1}`, seen };
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const [, at, path = ''] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
		const { replayed, apiKey, mutate, seen } = this.histories[Number(at)];
		const line = `${request.method} ${path.replace(/\?.*$/, '')}`;
		const earlier = seen.get(line) ?? [];
		const recorded = replayed?.get(line) ?? [];
		const body = await buffer(request);
		const answer = replayed
			? (recorded[earlier.length] ?? recorded.at(-1) ?? MISSING)
			: await this.forward(request, path, body, apiKey);
		seen.set(line, [...earlier, answer]);
		await send(response, { ...answer, ...mutate?.(answer, line, earlier.length) });
	}

	private async forward(
		{ method, headers: given }: IncomingMessage,
		path: string,
		content: Buffer,
		apiKey?: string,
	): Promise<Answer> {
		const sent = HEADERS.filter((name) => given[name]).map((name) => {
			const value = String(given[name]);
			return [name, apiKey === undefined ? value : value.replace(SECRET, apiKey)];
		});
		const body = content.length > 0 ? new Uint8Array(content) : undefined;
		const headers = Object.fromEntries(sent);
		const response = await fetch(this.target + path, { method, headers, body });
		const text = await response.text();
		return { status: response.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
	}
}

const DROPS = 20;

async function send(response: ServerResponse, { status, headers, body, arrival }: Answer) {
	if (arrival === 'reset') return void response.destroy();
	const content = Buffer.isBuffer(body)
		? body
		: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	const { length } = content;
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': length,
		...headers,
	});
	if (arrival === 'cut') {
		return void response.write(content.subarray(0, length / 2), () => response.destroy());
	}
	const size = arrival === 'in drops' ? Math.ceil(length / DROPS) || 1 : length;
	for (let at = 0; at < length; at += size) {
		response.write(content.subarray(at, at + size));
		if (size < length) await sleep(100);
	}
	response.end();
}
