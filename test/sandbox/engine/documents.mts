import { z } from 'zod';
import { escapeHtml } from '../site/html.mts';

/** How each type of document begins, and where its text is. Office files must not be compressed. */
const TYPES: Record<string, { signature: Buffer; text?: RegExp }> = {
	pdf: { signature: Buffer.from('%PDF'), text: /(?<=\()[^)]*(?=\) Tj)/g },
	docx: { signature: Buffer.from('PK'), text: /(?<=<w:t>)[^<]+/g },
	xlsx: { signature: Buffer.from('PK'), text: /(?<=<t>)[^<]+/g },
	csv: { signature: Buffer.alloc(0), text: /[^\r\n]+/g },
	jpg: { signature: Buffer.from([0xff, 0xd8, 0xff]) },
	png: { signature: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
};

export const DOCUMENT_TYPES = Object.keys(TYPES);

/** The type of a document if its name and first bytes agree. */
export function documentType(filename: string, content: Uint8Array) {
	const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
	const type = TYPES[ending ?? ''];
	return type?.signature.equals(content.subarray(0, type.signature.length)) ? type : undefined;
}

/** The lines of a document. Images have none. @throws Error if it is damaged or needs a password */
export function readDocument(filename: string, content: Uint8Array): string[] {
	const text = Buffer.from(content).toString();
	const { text: pattern } = documentType(filename, content) ?? {};
	if (pattern === undefined) return [];
	const lines = text.match(pattern);
	if (lines === null) throw new Error(`The document ${filename} is damaged`);
	if (text.includes('/Encrypt')) throw new Error(`The document ${filename} needs a password`);
	return lines;
}

/** A document as a page. */
export const pageOf = (lines: string[]): string =>
	`<html><body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}</body></html>`;

const schema = z.object({
	type: z.literal('object'),
	properties: z.record(z.object({ type: z.literal('string'), description: z.string() })),
});

/** The entries of a list in a prompt, such as `- Total (number): with tax`. */
const LISTED = /^\s*[-*]\s+([^(:\n]+)/gm;

/** Fields as a JSON schema, from a prompt such as "Extract the invoice number, date and total", or from the list in it. */
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

/** What a line such as `Invoice number: 17` describes. */
const labelOf = (line: string) => /^[^:]+(?=:)/.exec(line)?.[0].toLowerCase() ?? '';

/** The text after the name of each field of a schema, or after a name that contains it, or null. */
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
