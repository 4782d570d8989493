import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The code of a file in a document. The first line of the block names the file. */
const quotes = readdirSync(new URL('docs/', root))
	.filter((name) => name.endsWith('.md'))
	.flatMap((name) =>
		[...read(`docs/${name}`).matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(
			([, path = '', code = '']) => ({ name, path, code }),
		),
	);

describe('the documents', () => {
	it('quote code', () => {
		expect(quotes.length).toBeGreaterThan(0);
	});

	it.each(quotes)('quote the code of $path exactly in $name', ({ path, code }) => {
		expect(read(path)).toContain(code);
	});
});
