import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Part, RecordedRequest } from './request-log.mts';
import type { World } from './world.mts';

const MAX_FILE_BYTES = 20 * 1024 * 1024;

const queryOf = z.record(z.union([z.string(), z.array(z.string())]));

declare module 'fastify' {
	interface FastifyRequest {
		formParts: Part[] | null;
	}
}

/** Reads JSON bodies and forms, and records the requests below a root. An empty JSON body counts as missing. */
export async function receive(
	app: FastifyInstance,
	world: World,
	root: RecordedRequest['root'],
): Promise<void> {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		const text = body.toString();
		if (text.trim() === '') return done(null, undefined);
		try {
			const value: unknown = JSON.parse(text);
			done(null, value);
		} catch {
			done(Object.assign(new Error('The body is not valid JSON'), { statusCode: 400 }));
		}
	});
	app.decorateRequest('formParts', null);
	await app.register(multipart, { limits: { fileSize: MAX_FILE_BYTES } });
	const entries = new WeakMap<FastifyRequest, RecordedRequest>();
	app.addHook('onRequest', async (request, reply) => {
		const entry: RecordedRequest = {
			root,
			at: new Date().toISOString(),
			method: request.method,
			path: pathBelow(root, request),
			query: queryOf.parse(request.query),
			headers: request.headers,
			body: null,
			inProgress: 0,
		};
		world.requests.add(entry, reply.raw);
		entries.set(request, entry);
	});
	app.addHook('preHandler', async (request) => {
		if (request.isMultipart()) request.formParts = await readParts(request);
		const entry = entries.get(request);
		if (entry !== undefined) entry.body = request.formParts?.map(described) ?? request.body ?? null;
	});
}

export const pathnameOf = ({ url }: Pick<FastifyRequest, 'url'>): string =>
	url.replace(/\?.*$/s, '');

export const pathBelow = (root: string, request: Pick<FastifyRequest, 'url'>): string =>
	pathnameOf(request).slice(root.length) || '/';

/** The status of a request that Fastify rejects (wrong content type, too large, …); undefined for other errors. */
export function refusedStatus(error: unknown): number | undefined {
	if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
	const { statusCode } = error;
	return typeof statusCode === 'number' && statusCode < 500 ? statusCode : undefined;
}

async function readParts(request: FastifyRequest): Promise<Part[]> {
	const parts: Part[] = [];
	for await (const part of request.parts()) {
		if (part.type === 'file') {
			const { fieldname: name, filename, mimetype: contentType } = part;
			parts.push({ name, filename, contentType, content: await part.toBuffer() });
		} else {
			parts.push({ name: part.fieldname, value: String(part.value) });
		}
	}
	return parts;
}

/** A part for the log, with a file's size instead of its bytes. */
const described = ({ content, ...rest }: Part) =>
	content === undefined ? rest : { ...rest, size: content.length };
