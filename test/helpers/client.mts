import { z } from 'zod';
import { PATIENCE, until } from './until.mts';

/** Identifies the tests' own requests. */
export const DIRECT = { 'x-test': 'direct' };

const answerSchema = z
	.object({
		success: z.boolean().optional(),
		id: z.string().optional(),
		status: z.unknown(),
		error: z.string().optional(),
		data: z.unknown(),
	})
	.passthrough();

const record = z.record(z.string(), z.unknown());

/** An object's fields. @throws Error if the value isn't an object */
export function fieldsOf(value: unknown): Record<string, unknown> {
	return record.parse(value);
}

export interface Answer {
	status: number;
	headers: Headers;
	type: string;
	text: string;
	/** The body as JSON; undefined if it isn't JSON. */
	json: unknown;
	/** The body as an object; empty if it is something else. */
	body: z.infer<typeof answerSchema>;
	/** `data` as an object; empty if it is something else. */
	data: Record<string, unknown>;
	/** `data` as a list of objects; empty if it is something else. */
	list: Array<Record<string, unknown>>;
}

export class Client {
	constructor(
		private readonly root: string,
		private readonly headers: Record<string, string> = {},
	) {}

	get = async (path: string) => await this.send('GET', path);
	post = async (path: string, body?: unknown) => await this.send('POST', path, body);
	put = async (path: string, body?: unknown) => await this.send('PUT', path, body);
	patch = async (path: string, body?: unknown) => await this.send('PATCH', path, body);
	delete = async (path: string) => await this.send('DELETE', path);

	/** Sends a request. A text becomes the unchanged body. */
	async send(method: string, path: string, body?: unknown): Promise<Answer> {
		const headers = { ...this.headers, ...DIRECT };
		const response = await fetch(this.root + path, withBody(method, headers, body));
		const text = await response.text();
		const type = response.headers.get('content-type') ?? '';
		const json: unknown =
			type.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
		const parsed = answerSchema.parse(record.safeParse(json).data ?? {});
		return {
			status: response.status,
			headers: response.headers,
			type,
			text,
			json,
			body: parsed,
			data: record.safeParse(parsed.data).data ?? {},
			list: z.array(record).safeParse(parsed.data).data ?? [],
		};
	}
}

export class CloudClient extends Client {
	static withKey({ baseUrl }: { baseUrl: string }, key: string, teamId = ''): CloudClient {
		const team = teamId === '' ? undefined : { 'x-team-id': teamId };
		return new CloudClient(baseUrl, { authorization: `Bearer ${key}`, ...team });
	}

	async start(robotId: string, body?: unknown): Promise<string> {
		const answer = await this.post(`/robots/${robotId}/runs`, body);
		if (answer.body.id === undefined) throw new Error(JSON.stringify(answer.body));
		return answer.body.id;
	}

	async finished(runId: string): Promise<Record<string, unknown>> {
		return await until(`the end of run ${runId}`, PATIENCE, async () => {
			const { data } = await this.get(`/runs/${runId}`);
			return ['queued', 'running'].includes(String(data.status)) ? undefined : data;
		});
	}

	async run(robotId: string, body?: unknown): Promise<Record<string, unknown>> {
		return await this.finished(await this.start(robotId, body));
	}

	async activeRuns(): Promise<string[]> {
		return (await this.get('/runs/active')).list.map(({ id }) => String(id));
	}

	async startedRun(): Promise<string> {
		return await until('a run', PATIENCE, async () => (await this.activeRuns())[0]);
	}

	async webhooks(robotId: string): Promise<Array<Record<string, unknown>>> {
		return (await this.get(`/robots/${robotId}/webhooks`)).list;
	}
}

export class SelfHostedClient extends Client {
	static withKey({ url }: { url: string }, key: string): SelfHostedClient {
		return new SelfHostedClient(`${url}/api`, { 'x-api-key': key });
	}

	async runs(robotId: string): Promise<Array<Record<string, unknown>>> {
		const { body } = await this.get(`/robots/${robotId}/runs`);
		return z.object({ items: z.array(record) }).parse(body.runs).items;
	}

	async startedRun(robotId: string): Promise<string> {
		const [run] = await until('a run', PATIENCE, async () => {
			const runs = await this.runs(robotId);
			return runs.length > 0 ? runs : undefined;
		});
		return String(run?.runId);
	}

	async run(robotId: string): Promise<Record<string, unknown>> {
		const { body } = await this.post(`/robots/${robotId}/runs`);
		return record.parse(body.run);
	}

	async webhooks(robotId: string): Promise<Array<Record<string, unknown>>> {
		const { data } = await this.get(`/sdk/robots/${robotId}`);
		return z.array(record).parse(data.webhooks ?? []);
	}
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
