import { z } from 'zod';
import { toText } from './content.mts';
import type { DocumentContent } from './documents.mts';

const VERBS = /^(?:please\s+)?(?:extract|get|find|read|give me|return|list|what (?:is|are))\s+/i;
const ARTICLES = /^(?:the|an?|all|its|their|each)\s+/i;

const schema = z.object({
	type: z.literal('object'),
	properties: z.record(z.object({ type: z.literal('string'), description: z.string() })),
});

/** Fields to extract, as a JSON schema. `description` contains the prompt's words. */
export type ExtractionSchema = z.infer<typeof schema>;

/** The entries of a list in a prompt, such as `- Total (number): with tax`. */
const LISTED = /^\s*[-*]\s+([^(:\n]+)/gm;

/** Reads the fields from a prompt such as "Extract the invoice number, date and total", or from the list in it. */
export function schemaFromPrompt(prompt: string): ExtractionSchema {
	const listed = [...prompt.matchAll(LISTED)].map(([, name = '']) => name);
	const names = (listed.length > 0 ? listed : prompt.replace(VERBS, '').split(/[,;\n]|\band\b/i))
		.map((name) =>
			name
				.trim()
				.replace(ARTICLES, '')
				.replace(/[.:?!]+$/, ''),
		)
		.filter((name) => name !== '');
	const properties: ExtractionSchema['properties'] = {};
	for (const name of names) {
		properties[camelCase(name)] = { type: 'string', description: name };
	}
	return { type: 'object', properties };
}

/**
 * Finds the fields of a schema in a document. A table column of that name becomes a list of values.
 * Otherwise, the text after the name is the value. A missing field is null.
 */
export function extractFields(
	extractionSchema: unknown,
	{ html, rows }: DocumentContent,
): Record<string, string | string[] | null> {
	const { properties } = schema.parse(extractionSchema);
	const text = toText(html).split('\n');
	const found: Record<string, string | string[] | null> = {};
	for (const [key, { description }] of Object.entries(properties)) {
		found[key] = columnOf(description, rows) ?? valueAfter(description, text);
	}
	return found;
}

function columnOf(name: string, rows: string[][] | null): string[] | undefined {
	if (rows === null) return undefined;
	const [head = [], ...body] = rows;
	const index = head.findIndex((cell) => sameWords(cell, name));
	return index < 0 ? undefined : body.map((row) => row[index] ?? '');
}

function valueAfter(name: string, text: string[]): string | null {
	const words = name.split(/\s+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, '.?'));
	const label = new RegExp(`(?:^|\\b)${words.join('\\s+')}\\s*[:=#-]?\\s*(.*)$`, 'iu');
	for (const [index, line] of text.entries()) {
		const match = label.exec(line);
		if (match === null) continue;
		const value = match[1]?.trim() || text[index + 1]?.trim();
		if (value) return value;
	}
	return null;
}

/** Ignores case and a plural "s". */
function sameWords(a: string, b: string): boolean {
	const bare = (text: string) => text.trim().toLowerCase().replace(/s\b/g, '');
	return bare(a) === bare(b);
}

function camelCase(name: string): string {
	const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return words
		.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
		.join('');
}
