import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The code that a document shows of a file, which the first line of the block names. */
const quotes = readdirSync(new URL('docs/', root))
	.filter((name) => name.endsWith('.md'))
	.flatMap((name) =>
		[...read(`docs/${name}`).matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(
			([, path = '', code = '']) => ({ name, path, code }),
		),
	);

describe('code in the documents', () => {
	test('is there', () => expect(quotes.length).toBeGreaterThan(0));

	test.each(quotes)('$name shows $path as it is', ({ path, code }) => {
		expect(read(path)).toContain(code);
	});
});
