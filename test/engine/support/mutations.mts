import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll } from 'vitest';
import { closeServer, listen } from '../../helpers/listen.mts';

/** A server's answer. A body that isn't text becomes JSON. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

export type Mutate = (answer: Answer) => Partial<Answer>;

/** A proxy in front of the sandbox that changes the answers of one endpoint. */
export class Mutator {
	/** The endpoints that were used since the beginning of a case. */
	readonly used: string[] = [];
	endpoint = '';
	mutate: Mutate | undefined;
	url = '';

	constructor(private readonly sandbox: () => string) {
		const server = createServer(async (request, response) => {
			const { method = 'GET', url = '' } = request;
			const { status, headers, body } = await this.answer(
				method,
				url,
				request.headers,
				await buffer(request),
			);
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const content = headers['content-encoding'] === 'gzip' ? gzipSync(text) : text;
			response.writeHead(status, headers).end(content);
		});
		beforeAll(async () => void (this.url = `http://127.0.0.1:${await listen(server)}`));
		afterAll(async () => await closeServer(server));
	}

	begin(endpoint = '', mutate?: Mutate): void {
		this.used.length = 0;
		Object.assign(this, { endpoint, mutate });
	}

	private async answer(
		method: string,
		url: string,
		{ host: _, connection: __, 'content-length': ___, ...given }: IncomingHttpHeaders,
		body: Buffer,
	): Promise<Answer> {
		const endpoint = `${method} ${url.replace(/\?.*/, '').replace(ID, '{id}')}`;
		if (!this.used.includes(endpoint)) this.used.push(endpoint);
		const answer = await fetch(this.sandbox() + url, {
			...{ method, headers: JSON.parse(JSON.stringify(given)), redirect: 'manual' },
			...(body.length > 0 && { body: new Uint8Array(body) }),
		});
		const text = await answer.text();
		const { status } = answer;
		const type = answer.headers.get('content-type') ?? 'application/json';
		const own: Answer = { status, headers: { 'content-type': type }, body: valueOf(text) };
		const changed = endpoint === this.endpoint ? this.mutate?.(own) : undefined;
		return { ...own, ...changed, headers: { ...own.headers, ...changed?.headers } };
	}
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|demo-[\w-]+|(?<=\/)\d+(?=\/|$)/g;

function valueOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
