import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = 'nodes/Maxun';

/**
 * The folders from which the files in each folder may import, besides their own. A subfolder counts as its own folder.
 * The `index.ts` above it combines its subfolders.
 */
const ALLOWED: Record<string, string[]> = {
	n8n: [],
	http: ['n8n'],
	servers: ['n8n', 'http'],
	'servers/sdk': ['http', 'servers'],
	'servers/<kind>': ['http', 'servers', 'servers/sdk'],
	'servers/index.ts': ['n8n', 'http', 'servers', 'servers/sdk', 'servers/<kind>'],
	html: ['http', 'servers'],
	results: ['http', 'servers', 'html'],
	byExample: ['http', 'servers', 'html', 'results'],
	automatic: ['http', 'servers', 'html', 'results', 'byExample'],
	runs: ['http', 'servers', 'html', 'results', 'byExample', 'automatic'],
	fields: ['n8n', 'http', 'servers', 'servers/sdk', 'results'],
	operations: ['http', 'servers', 'results', 'runs', 'fields'],
	execution: ['n8n', 'http', 'servers', 'results', 'runs', 'fields', 'operations'],
	trigger: ['n8n', 'http', 'servers', 'results', 'runs', 'fields'],
	lookups: ['http', 'servers', 'results', 'runs'],
	'': ['n8n', 'fields', 'execution', 'operations', 'trigger', 'lookups'],
};

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);

/** The files that a file imports, including types. Credential types import nothing. */
const importsOf = (file: string): string[] =>
	ts
		.preProcessFile(readFileSync(join(ROOT, file), 'utf8'))
		.importedFiles.map(({ fileName }) => fileName)
		.filter((name) => name.startsWith('.') && !name.includes('/credentials/Maxun'))
		.map((name) => normalize(join(dirname(file), name)))
		.map((path) => (files.includes(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`));

const graph = new Map(files.map((file) => [file, importsOf(file)]));

/** The parts of the code: each folder, and the index file of a folder with subfolders. */
function roomOf(file: string): string {
	const folder = file.includes('/') ? dirname(file) : '';
	const isRoot = files.some(
		(other) => folder !== '' && other.startsWith(`${folder}/`) && dirname(other) !== folder,
	);
	return isRoot && file === `${folder}/index.ts` ? file : folder;
}

/** The parts that a part may import. All folders of operations may import the same parts. */
const allowedFor = (room: string): string[] => {
	if (room === 'operations/index.ts')
		return files.map(roomOf).filter((to) => to.startsWith('operations'));
	if (room.startsWith('operations/')) return [...(ALLOWED.operations ?? []), 'operations'];
	return ALLOWED[isKind(room) ? named(room) : room] ?? [];
};

/** A folder's name in a rule. An index file stands for its folder, and every kind of server has the same rule. */
const named = (room: string) =>
	isKind(room) ? 'servers/<kind>' : room.replace(/\/index\.ts$/, '');

const isKind = (room: string) => /^servers\/(?!sdk$)[^.]+$/.test(room);

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
		const upward = arrows.filter(({ from, to }) => {
			const [room, target] = [roomOf(from), roomOf(to)];
			const allowed = allowedFor(room);
			return room !== target && !allowed.includes(target) && !allowed.includes(named(target));
		});
		expect(upward).toEqual([]);
	});

	it('do not form a cycle between two folders', () => {
		const pairs = new Set(
			arrows
				.map(({ from, to }) => [roomOf(from), roomOf(to)])
				.filter(([from, to]) => from !== to)
				.map((rooms) => rooms.join(' > ')),
		);
		const circles = [...pairs].filter((pair) => pairs.has(pair.split(' > ').reverse().join(' > ')));
		expect(circles).toEqual([]);
	});

	it('do not form cycles', () => {
		expect(files.flatMap((file) => cycleOf(file) ?? [])).toEqual([]);
	});

	it('reach the implementations of a server only through servers/index.ts', () => {
		const leaks = arrows.filter(
			({ from, to }) =>
				isKind(roomOf(to)) && roomOf(from) !== roomOf(to) && from !== 'servers/index.ts',
		);
		expect(leaks).toEqual([]);
	});
});

/** Names that several files use for their own things. Both kinds of server name their parts alike. */
const SHARED = 'Column Page Step create get getAll remove update'.split(' ');

it('a name has one owner', () => {
	const owners = files
		.filter((file) => !isKind(roomOf(file)))
		.flatMap((file) => {
			const text = readFileSync(join(ROOT, file), 'utf8');
			const form = /^(?:export )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
			// A schema and its type have the same name.
			return [...new Set([...text.matchAll(form)].map(([, name = '']) => name))];
		});
	const twice = owners.filter((name, index) => owners.indexOf(name) !== index);
	expect([...new Set(twice)].filter((name) => !SHARED.includes(name))).toEqual([]);
});
