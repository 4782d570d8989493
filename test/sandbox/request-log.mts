import type { FastifyRequest } from 'fastify';

const CAPACITY = 5000;

/** One API call as it arrived. `path` is below `root` and has no query. */
export interface RecordedRequest {
	/** Which API was called: the hosted one or the self-hosted one. */
	root: '/api/v1' | '/api';
	at: string;
	method: string;
	path: string;
	query: unknown;
	headers: FastifyRequest['headers'];
	/** The JSON body, a list of parts for multipart bodies, or null. */
	body: unknown;
}

/** One part of a multipart body: a file with its bytes, or a field with its value. */
export interface Part {
	name: string;
	filename?: string;
	contentType?: string;
	value?: string;
	content?: Buffer;
}

/** The last API calls, oldest first. */
export class RequestLog {
	private entries: RecordedRequest[] = [];

	add(entry: RecordedRequest): void {
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

/** A multipart body as it is shown in the log: sizes instead of the files' bytes. */
export function describeParts(parts: Part[]): unknown {
	return parts.map(({ content, ...rest }) =>
		content === undefined ? rest : { ...rest, size: content.length },
	);
}
