import type { FastifyRequest } from 'fastify';
import type { Part } from './request-log.mts';

/** The largest document, in bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Reads a multipart body. */
export async function readParts(request: FastifyRequest): Promise<Part[]> {
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
