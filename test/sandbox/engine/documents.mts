import { z } from 'zod';
import { escapeHtml } from '../site/html.mts';

/** The first bytes of each type of document, and where its text is. Office files must not be compressed. */
const TYPES: Record<string, { signature: Buffer; text?: RegExp }> = {
	pdf: { signature: Buffer.from('%PDF'), text: /(?<=\()[^)]*(?=\) Tj)/g },
	docx: { signature: Buffer.from('PK'), text: /(?<=<w:t>)[^<]+/g },
	xlsx: { signature: Buffer.from('PK'), text: /(?<=<t>)[^<]+/g },
	csv: { signature: Buffer.alloc(0), text: /[^\r\n]+/g },
	jpg: { signature: Buffer.from([0xff, 0xd8, 0xff]) },
	png: { signature: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
};

export const DOCUMENT_TYPES = Object.keys(TYPES);

export function documentType(filename: string, content: Uint8Array) {
	const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
	const type = TYPES[ending ?? ''];
	return type?.signature.equals(content.subarray(0, type.signature.length)) ? type : undefined;
}

/** A document's lines. Images have none. @throws Error if it is damaged or needs a password */
export function readDocument(filename: string, content: Uint8Array): string[] {
	const text = Buffer.from(content).toString();
	const { text: pattern } = documentType(filename, content) ?? {};
	if (pattern === undefined) return [];
	const lines = text.match(pattern);
	if (lines === null) throw new Error(`The document ${filename} is damaged`);
	if (text.includes('/Encrypt')) throw new Error(`The document ${filename} needs a password`);
	return lines;
}

export const pageOf = (lines: string[]): string =>
	`<html><body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}</body></html>`;

const schema = z.object({
	type: z.literal('object'),
	properties: z.record(z.object({ type: z.literal('string'), description: z.string() })),
});

const LISTED = /^\s*[-*]\s+([^(:\n]+)/gm;

/**
 * Fields as a JSON schema, from a prompt such as "Extract the invoice number, date and total", or from a list in the
 * prompt.
 */
export function schemaFromPrompt(prompt: string): z.infer<typeof schema> {
	const listed = [...prompt.matchAll(LISTED)].map(([, name = '']) => name);
	const others = prompt.replace(/^(extract|get|find)\s+/i, '').split(/[,;\n]|\band\b/i);
	const names = (listed.length > 0 ? listed : others)
		.map((name) => name.trim().replace(/^(the|an?)\s+|[.:?!]+$/gi, ''))
		.filter(Boolean);
	const fields = names.map((description) => [
		camelCase(description),
		{ type: 'string', description },
	]);
	return schema.parse({ type: 'object', properties: Object.fromEntries(fields) });
}

const camelCase = (name: string) =>
	name.toLowerCase().replace(/[^\p{L}\p{N}]+(.)/gu, (_, letter: string) => letter.toUpperCase());

const labelOf = (line: string) => /^[^:]+(?=:)/.exec(line)?.[0].toLowerCase() ?? '';

/** The text after each field's name, or after a name that contains it; null if there is none. */
export function extractFields(
	extractionSchema: unknown,
	lines: string[],
): Record<string, string | null> {
	const { properties } = schema.parse(extractionSchema);
	return Object.fromEntries(
		Object.entries(properties).map(([key, { description }]) => {
			const name = description.toLowerCase();
			const line =
				lines.find((candidate) => labelOf(candidate) === name) ??
				lines.find((candidate) => labelOf(candidate).includes(name));
			return [key, line?.slice(line.indexOf(':') + 1).trim() ?? null];
		}),
	);
}
