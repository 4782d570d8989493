import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = 'nodes/Maxun';

/** The folders that the files of each folder may import, besides their own. */
const ALLOWED: Record<string, string[]> = {
	n8n: [],
	http: ['n8n'],
	servers: ['n8n', 'http'],
	runs: ['http', 'servers'],
	fields: ['n8n', 'http', 'servers'],
	engine: ['n8n', 'http', 'servers', 'runs', 'fields'],
	operations: ['http', 'servers', 'runs', 'fields', 'engine'],
	trigger: ['n8n', 'http', 'servers', 'runs', 'fields', 'engine'],
	lookups: ['http', 'servers', 'runs', 'engine'],
	'': ['n8n', 'engine', 'fields', 'lookups', 'operations', 'runs', 'trigger'],
};

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);

/** The files that a file imports, types included. */
const importsOf = (file: string): string[] =>
	ts
		.preProcessFile(readFileSync(join(ROOT, file), 'utf8'))
		.importedFiles.map(({ fileName }) => fileName)
		.filter((name) => name.startsWith('.'))
		.map((name) => normalize(join(dirname(file), name)))
		.map((path) => (files.includes(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`));

const graph = new Map(files.map((file) => [file, importsOf(file)]));
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');
const arrows = [...graph].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

/** The cycle that contains a file, as a path back to it; undefined if there is none. */
function cycleOf(file: string): string[] | undefined {
	const paths = [[file]];
	const seen = new Set<string>();
	for (let path = paths.shift(); path; path = paths.shift()) {
		for (const next of graph.get(path.at(-1) ?? '') ?? []) {
			if (next === file) return [...path, next];
			if (seen.has(next)) continue;
			seen.add(next);
			paths.push([...path, next]);
		}
	}
	return undefined;
}

describe('imports between the files of the nodes', () => {
	it('finds every file that is imported', () => {
		expect(files.length).toBeGreaterThan(100);
		expect(arrows.filter(({ to }) => !files.includes(to))).toEqual([]);
	});

	it('go in one direction between folders', () => {
		const upward = arrows.filter(
			({ from, to }) =>
				folderOf(from) !== folderOf(to) && !ALLOWED[folderOf(from)]?.includes(folderOf(to)),
		);
		expect(upward).toEqual([]);
	});

	it('form no cycles', () => {
		expect(files.flatMap((file) => cycleOf(file) ?? [])).toEqual([]);
	});

	it('reach the implementations of a server only through servers/index.ts', () => {
		const leaks = arrows.filter(
			({ from, to }) => /^servers\/(cloud|selfHosted)\//.test(to) && folderOf(from) !== 'servers',
		);
		expect(leaks).toEqual([]);
	});

	it('let an operation use only operation.ts of the engine', () => {
		const others = arrows.filter(
			({ from, to }) =>
				folderOf(from) === 'operations' &&
				folderOf(to) === 'engine' &&
				to !== 'engine/operation.ts',
		);
		expect(others).toEqual([]);
	});
});
