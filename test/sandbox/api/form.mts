import { badRequest } from '../errors.mts';
import { DOCUMENT_TYPES, documentType } from '../engine/documents.mts';
import type { Part } from '../request-log.mts';

export interface UploadedFile {
	filename: string;
	contentType: string;
	content: Buffer;
}

export type Form = ReturnType<typeof readForm>;

export function readForm(parts: Part[] | null, names: readonly string[]) {
	if (parts === null) throw badRequest('The body must be multipart/form-data');
	const unknown = parts.find(({ name }) => name !== 'file' && !names.includes(name));
	if (unknown !== undefined) throw badRequest(`Unknown field "${unknown.name}"`);
	const files = parts.filter(({ name }) => name === 'file');
	if (files.length !== 1) throw badRequest('"file" is required, once');
	const fields: Record<string, string[]> = {};
	for (const { name, value } of parts) {
		if (value !== undefined && name !== 'file') (fields[name] ??= []).push(value);
	}
	return { file: readFile(files[0]), fields };
}

function readFile(part: Part | undefined): UploadedFile {
	const { content, filename = '', contentType = '' } = part ?? {};
	if (content === undefined) throw badRequest('"file" must be a file, not a text field');
	if (content.length === 0) throw badRequest('"file" is empty');
	if (documentType(filename, content) === undefined) {
		const types = DOCUMENT_TYPES.join(', ').toUpperCase();
		throw badRequest(
			`"file" must be one of ${types}, by its name and its content; got "${filename}"`,
		);
	}
	return { content, filename, contentType };
}
