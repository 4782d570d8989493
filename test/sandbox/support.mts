import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Sandbox } from './index.mts';

const answerSchema = z
	.object({
		success: z.boolean().optional(),
		id: z.string().optional(),
		status: z.unknown(),
		error: z.string().optional(),
		data: z.unknown(),
	})
	.passthrough();

const recordSchema = z.record(z.unknown());

export interface Answer {
	status: number;
	headers: Headers;
	body: z.infer<typeof answerSchema>;
	/** `data` as an object; empty when it is none. */
	data: Record<string, unknown>;
	/** `data` as a list of objects; empty when it is none. */
	list: Array<Record<string, unknown>>;
}

/** Talks to a sandbox as one of its accounts would. */
export class Client {
	constructor(
		private readonly sandbox: Pick<Sandbox, 'url' | 'baseUrl'>,
		private readonly headers: Record<string, string>,
	) {}

	/** A client with a key in the `Authorization` header, for its personal robots or a team's. */
	static withKey(sandbox: Pick<Sandbox, 'url' | 'baseUrl'>, key: string, teamId?: string): Client {
		const team = teamId === undefined ? undefined : { 'x-team-id': teamId };
		return new Client(sandbox, { authorization: `Bearer ${key}`, ...team });
	}

	get = async (path: string) => await this.send('GET', path);
	post = async (path: string, body?: unknown) => await this.send('POST', path, body);
	put = async (path: string, body?: unknown) => await this.send('PUT', path, body);
	patch = async (path: string, body?: unknown) => await this.send('PATCH', path, body);
	delete = async (path: string) => await this.send('DELETE', path);

	/** A request to the control plane. */
	async control(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await fetch(`${this.sandbox.url}/_sandbox${path}`, withBody(method, {}, body));
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text);
	}

	/** A list from the control plane. */
	async controlList(path: string): Promise<Array<Record<string, unknown>>> {
		return z.array(recordSchema).parse(await this.control('GET', path));
	}

	/** Creates a robot as the dashboard does. @returns its id */
	async dashboardRobot(fields: Record<string, unknown>): Promise<string> {
		const body = await this.control('POST', '/robots', fields);
		return z.object({ data: z.object({ id: z.string() }) }).parse(body).data.id;
	}

	/** Starts a run. @returns its id @throws Error when it is refused */
	async start(robotId: string, body?: unknown): Promise<string> {
		const answer = await this.post(`/robots/${robotId}/runs`, body);
		if (answer.body.id === undefined) throw new Error(JSON.stringify(answer.body));
		return answer.body.id;
	}

	/** Waits until a run has ended. */
	async finished(runId: string): Promise<Record<string, unknown>> {
		return await until(async () => {
			const { data } = await this.get(`/runs/${runId}`);
			return ['queued', 'running'].includes(String(data.status)) ? undefined : data;
		});
	}

	/** Starts a run and waits for its end. */
	async run(robotId: string, body?: unknown): Promise<Record<string, unknown>> {
		return await this.finished(await this.start(robotId, body));
	}

	/** Sends a request to the API. */
	async send(method: string, path: string, body?: unknown): Promise<Answer> {
		const response = await fetch(
			`${this.sandbox.baseUrl}${path}`,
			withBody(method, this.headers, body),
		);
		const text = await response.text();
		const parsed = answerSchema.parse(text === '' ? {} : JSON.parse(text));
		return {
			status: response.status,
			headers: response.headers,
			body: parsed,
			data: recordSchema.safeParse(parsed.data).data ?? {},
			list: z.array(recordSchema).safeParse(parsed.data).data ?? [],
		};
	}
}

/** Asks again and again until there is an answer. @throws Error after ten seconds */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
	const end = Date.now() + 10_000;
	while (Date.now() < end) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		await sleep(20);
	}
	throw new Error('This did not happen within ten seconds');
}

/** A webhook's other end, which keeps what it receives. */
export interface Receiver {
	url: string;
	received: Array<{ at: number; headers: Record<string, unknown>; body: Record<string, unknown> }>;
	/** Statuses of the next answers; 200 when there are none left. */
	statuses: number[];
	/** Milliseconds before each answer. */
	delay: number;
	close(): Promise<void>;
}

/** Starts a server that takes webhook deliveries. */
export async function startReceiver(): Promise<Receiver> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = recordSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
			receiver.received.push({ at: Date.now(), headers: request.headers, body });
			setTimeout(() => {
				response.statusCode = receiver.statuses.shift() ?? 200;
				response.end();
			}, receiver.delay);
		});
	});
	const receiver: Receiver = {
		url: await listen(server),
		received: [],
		statuses: [],
		delay: 0,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return receiver;
}

async function listen(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
	return `http://127.0.0.1:${address.port}/hook`;
}

function withBody(method: string, headers: Record<string, string>, body: unknown): RequestInit {
	if (body === undefined) return { method, headers };
	if (body instanceof FormData) return { method, headers, body };
	return {
		method,
		headers: { ...headers, 'content-type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	};
}
