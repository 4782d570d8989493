import { z } from 'zod';
import { KEYS, type Sandbox } from '../index.mts';

const record = z.record(z.unknown());

/** The fields of an object. @throws Error when it is none */
export function fieldsOf(value: unknown): Record<string, unknown> {
	return record.parse(value);
}

export interface SelfHostedAnswer {
	status: number;
	type: string;
	/** The body's text. */
	text: string;
	/** The body as an object; empty when it is none. */
	body: Record<string, unknown>;
}

/** Talks to the self-hosted API as a user of it would. */
export class SelfHostedClient {
	constructor(
		private readonly sandbox: Pick<Sandbox, 'url'>,
		private readonly headers: Record<string, string> = { 'x-api-key': KEYS.owner },
	) {}

	get = async (path: string) => await this.send('GET', path);
	post = async (path: string, body?: unknown) => await this.send('POST', path, body);
	put = async (path: string, body?: unknown) => await this.send('PUT', path, body);
	delete = async (path: string) => await this.send('DELETE', path);

	/** Sends a request below `/api`; a text as its body goes out as it is. */
	async send(method: string, path: string, body?: unknown): Promise<SelfHostedAnswer> {
		const response = await fetch(`${this.sandbox.url}/api${path}`, {
			method,
			headers: {
				...this.headers,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		const type = response.headers.get('content-type') ?? '';
		const json: unknown = type.startsWith('application/json') ? JSON.parse(text) : {};
		return { status: response.status, type, text, body: record.parse(json) };
	}

	/** The robot's runs. */
	async runs(robotId: string): Promise<Array<Record<string, unknown>>> {
		const { body } = await this.get(`/robots/${robotId}/runs`);
		return z.object({ items: z.array(record) }).parse(body.runs).items;
	}

	/** Starts a run and reads it from the answer. */
	async run(robotId: string): Promise<Record<string, unknown>> {
		const { body } = await this.post(`/robots/${robotId}/runs`);
		return record.parse(body.run);
	}
}
