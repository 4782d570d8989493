import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';

const CAPACITY = 5000;

/** An API request. `path` is relative to `root`, without a query. */
export interface RecordedRequest {
	root: '/api/v1' | '/api';
	at: string;
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: FastifyRequest['headers'];
	/** The JSON body, a list of multipart parts, or null. */
	body: unknown;
	/** How many requests were in progress when it arrived, including itself. */
	inProgress: number;
}

/** The method and the path with the query, as in `GET /robots?limit=25`. Short enough to compare lists. */
export function lineOf({ method, path, query }: RecordedRequest): string {
	const parameters = new URLSearchParams();
	for (const [name, values] of Object.entries(query)) {
		for (const value of [values].flat()) parameters.append(name, value);
	}
	return parameters.size === 0 ? `${method} ${path}` : `${method} ${path}?${parameters}`;
}

/** A part of a multipart body: a file with bytes or a field with a value. */
export interface Part {
	name: string;
	filename?: string;
	contentType?: string;
	value?: string;
	content?: Buffer;
}

export class RequestLog {
	private entries: RecordedRequest[] = [];
	private inProgress = 0;

	add(entry: RecordedRequest, response: ServerResponse): void {
		entry.inProgress = ++this.inProgress;
		response.once('close', () => this.inProgress--);
		this.entries.push(entry);
		if (this.entries.length > CAPACITY) this.entries.shift();
	}

	list(): RecordedRequest[] {
		return this.entries;
	}

	clear(): void {
		this.entries = [];
	}
}
