import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RELEASES } from '../host/releases.mts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The code of a file in a document. The first line of the block names the file. */
const quotes = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.md'))
	.flatMap((name) =>
		[...read(`docs/${name}`).matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(
			([, path = '', code = '']) => ({ name, path, code }),
		),
	);

/** The first column of the results in docs/n8n-versions.md. */
const results = [
	...read('docs/n8n-versions.md').matchAll(/^\| (\d+\.\d+\.\d+) +\| (\d+\.\d+\.\d+) /gm),
].map(([, n8n, core]) => ({ n8n, core }));

describe('the documents', () => {
	it('contain results for each n8n version that the tests know', () => {
		expect(results).toEqual(RELEASES.map(({ n8n, core }) => ({ n8n, core })));
	});

	it('quote code', () => {
		expect(quotes.length).toBeGreaterThan(0);
	});

	it.each(quotes)('quote the code of $path exactly in $name', ({ path, code }) => {
		expect(read(path)).toContain(code);
	});
});
