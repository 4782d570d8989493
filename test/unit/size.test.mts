import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A list of words, which is long by nature. */
const WORDS = 'nodes/Maxun/results/refusalWords.ts';

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name))
		.filter((path) => path !== WORDS)
		.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

const lines = files.flatMap(({ path, text }) =>
	text
		.trimEnd()
		.split('\n')
		.map((line, index) => ({ at: `${path}:${index + 1}`, line })),
);

// Pay for new code with code that becomes simpler. Lower a limit after a cut. If a limit must rise, say why in the commit.
it.each<[what: string, limit: number, size: () => number]>([
	['lines of code', 25_504, () => lines.length],
	[
		'bytes of code',
		1_024_641,
		() => files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
	],
	['lines of the trigger', 2_301, () => lines.filter(({ at }) => at.includes('/trigger/')).length],
	['lines over 200 characters', 0, () => lines.filter(({ line }) => line.length > 200).length],
	['bytes of the list of words', 40_000, () => readFileSync(join(root, WORDS)).length],
])('there are at most as many %s as the limit allows: %i', (_, limit, size) => {
	expect(size()).toBeLessThanOrEqual(limit);
});
