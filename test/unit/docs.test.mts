import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Maxun } from '../../nodes/Maxun/Maxun.node.ts';
import { MaxunTrigger } from '../../nodes/Maxun/MaxunTrigger.node.ts';
import { SHORTEST_PAUSE } from '../../nodes/Maxun/n8n/internals.ts';
import { PAUSE_AFTER } from '../../nodes/Maxun/operations/options.ts';
import { groupedBy } from '../../nodes/Maxun/results/changes.ts';
import { MOST_ROBOTS } from '../../nodes/Maxun/runs/temporary.ts';
import { RELEASES } from '../host/releases.mts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The code that documents quote from files. A block's first line contains the file's path. */
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

const filesIn = (folder: string, ending: RegExp) =>
	readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
		.filter((name) => ending.test(name) && !name.includes('node_modules'))
		.map((name) => join(folder, name));

const documents = [
	...readdirSync(root).filter((name) => name.endsWith('.md')),
	...['.github/', 'docs/', 'nodes/', 'test/'].flatMap((folder) => filesIn(folder, /\.md$/)),
];

const withoutCode = (text: string) => text.replace(/^```[^]*?^```$/gm, '');

/** The anchors of a document's headings, like GitHub's. */
const anchorsOf = (path: string) =>
	[...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/ /g, '-'),
	);

/** Whether a link leads to a file, and to a heading in it. */
function leads(target: string, from: string): boolean {
	const [file = '', anchor] = target.split('#');
	const path = file === '' ? from : join(dirname(from), file);
	if (!existsSync(new URL(path, root))) return false;
	return anchor === undefined || anchorsOf(path).includes(anchor);
}

const { homepage } = JSON.parse(read('package.json'));
const HOME = String(homepage).replace(/#.*$/, '');
const RAW = HOME.replace('github.com', 'raw.githubusercontent.com');

/** The same for a link to this project from elsewhere, such as a form. */
function leadsHome(url: string): boolean {
	const [, path = 'README.md', anchor = 'readme'] =
		/^(?:\/blob\/main\/([^#]+))?(?:#(.*))?$/.exec(url.slice(HOME.length)) ?? [];
	return leads(anchor === 'readme' ? path : `${path}#${anchor}`, 'README.md');
}

const linksIn = (path: string) =>
	[...withoutCode(read(path)).matchAll(/(?:\]\(|src(?:set)?=")([^)\s"]+)/g)]
		// npm resolves the pictures of the README, but not their dark sources.
		.map(([, target = '']) => target.replace(`${RAW}/main/`, ''))
		.filter((target) => !/^[a-z]+:/.test(target));

describe('links', () => {
	it('in documents lead to files and headings', () => {
		const links = documents.flatMap((from) => linksIn(from).map((target) => ({ from, target })));
		expect(links.length).toBeGreaterThan(100);
		expect(links.filter(({ from, target }) => !leads(target, from))).toEqual([]);
	});

	it('in nodes and credentials lead to headings', () => {
		const files = ['nodes/', 'credentials/'].flatMap((folder) => filesIn(folder, /\.(ts|json)$/));
		const links = files.flatMap((from) =>
			[...read(from).matchAll(/https:[^\s"')]+/g)]
				.filter(([url]) => url.startsWith(HOME))
				.map(([url]) => ({ from, url })),
		);
		expect(links.length).toBeGreaterThan(5);
		expect(links.filter(({ url }) => !leadsHome(url))).toEqual([]);
	});

	it('in documents show every picture', () => {
		const shown = documents.flatMap((from) =>
			linksIn(from).map((target) => join(dirname(from), target)),
		);
		expect(filesIn('docs/pictures/', /./).filter((path) => !shown.includes(path))).toEqual([]);
	});
});

describe('the documents', () => {
	it('contain results for each n8n version that the tests cover', () => {
		expect(results).toEqual(RELEASES.map(({ n8n, core }) => ({ n8n, core })));
	});

	it('for developers mention only names that the code contains', () => {
		const code = ['nodes/', 'credentials/', 'test/']
			.flatMap((folder) => filesIn(folder, /\.m?ts$/))
			.map(read)
			.join();
		const names = filesIn('docs/development/', /\.md$/).flatMap((path) =>
			[...withoutCode(read(path)).matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name),
		);
		expect(names.length).toBeGreaterThan(30);
		expect(names.filter((name) => !code.includes(name))).toEqual([]);
	});

	it('quote code', () => {
		expect(quotes.length).toBeGreaterThan(0);
	});

	it.each(quotes)('quote the code of $path exactly in $name', ({ path, code }) => {
		expect(read(path)).toContain(code);
	});
});

describe('options and numbers in documents', () => {
	const properties = [new Maxun(), new MaxunTrigger()].flatMap(
		(node) => node.description.properties,
	);
	const optionsIn = ({ options = [] }: (typeof properties)[number]) =>
		options.filter((option) => 'type' in option);
	/** The options of a resource's operations, except Get Changes, or of one operation. */
	const optionsOf = (resource: string, operation?: string) => {
		const shown = properties.filter(({ name, displayOptions: { show = {} } = {} }) => {
			const isChanges = show.operation?.includes('getChanges') === true;
			const isShown = operation ? show.operation?.includes(operation) : !isChanges;
			return (
				/^(comparison|options|limits)$/.test(name) && show.resource?.includes(resource) && isShown
			);
		});
		const byOperation = groupedBy(shown, (one) => String(one.displayOptions?.show?.operation));
		return [...byOperation.values()].map((own) => own.flatMap(optionsIn));
	};

	/** The operations in each column of the table in options.md. */
	const columns = [
		[...optionsOf('run', 'runAndWait'), ...optionsOf('agent', 'runAndWait')],
		optionsOf('run', 'runOnUrls'),
		[...optionsOf('web'), ...optionsOf('document')],
		[...optionsOf('run', 'start'), ...optionsOf('agent', 'start')],
		optionsOf('run', 'get'),
		optionsOf('run', 'compare'),
		optionsOf('web', 'getChanges'),
	];
	const marked = [
		...read('docs/options.md').matchAll(/^\| \*\*(.+?)\*\* +\| (.+?) +\|((?:[^|\n]*\|){7})$/gm),
	].map(([, name = '', initial = '', marks = '']) => ({ name, initial, marks }));

	it('operations.md contains each operation', () => {
		const listed = read('docs/operations.md')
			.split(/^\*\*(?=\w+\*\*: )/m)
			.map((section) => [...section.matchAll(/(?<=_)[A-Z][\w ]+(?=_)/g)].flat());
		const missing = properties
			.filter(({ name }) => name === 'operation')
			.map(({ options = [] }) => options.map(({ name }) => name))
			.filter((names) => !listed.some((section) => names.every((name) => section.includes(name))));
		expect(missing).toEqual([]);
	});

	it('options.md contains each option once', () => {
		const names = [...new Set(columns.flat(2).map(({ displayName }) => displayName))];
		expect(marked.map(({ name }) => name)).toEqual(names.sort());
	});

	it.each(marked)('options.md says which operations have $name', ({ name, initial, marks }) => {
		const found = columns.map((forms) =>
			forms.map((form) => form.filter(({ displayName }) => displayName === name)),
		);
		const wordFor = (forms: (typeof found)[number]) => {
			const having = forms.filter((options) => options.length > 0).length;
			return having === 0 ? '' : having === forms.length ? '✓' : 'Some';
		};
		const words = marks.split('|').slice(0, -1);
		expect(words.map((word) => word.trim())).toEqual(found.map(wordFor));
		const defaults = found.flat(2).map((option) => String(option.default));
		for (const [number] of initial.matchAll(/\d+/g)) expect(defaults).toContain(number);
	});

	it('each option that a document mentions exists', () => {
		const names = new Set(
			properties.flatMap((property) =>
				optionsIn(property).map((option) => `${property.displayName} > ${option.displayName}`),
			),
		);
		const pattern =
			/\*\*((?:Comparison|General Options|Options|Limits|Additional Fields) > [^*]+)\*\*/g;
		const mentioned = ['README.md', ...filesIn('docs/', /\.md$/)].flatMap((path) =>
			[...read(path).matchAll(pattern)].map(([, name = '']) => ({ path, name })),
		);
		expect(mentioned.length).toBeGreaterThan(15);
		expect(mentioned.filter(({ name }) => !names.has(name))).toEqual([]);
	});

	const [oldest, newest] = [RELEASES[0], RELEASES.at(-1)];

	it.each<[document: string, text: string]>([
		['README.md', `tested with n8n ${oldest?.n8n} to ${newest?.n8n}`],
		['docs/waiting.md', `for ${PAUSE_AFTER} seconds, it pauses`],
		['docs/waiting.md', `at least ${SHORTEST_PAUSE / 1000} seconds`],
		['docs/many-urls.md', `The default is ${MOST_ROBOTS} on Maxun Cloud`],
		['docs/n8n-versions.md', `versions after ${newest?.n8n}`],
	])('%s says: %s', (document, text) => {
		expect(read(document)).toContain(text);
	});
});

const Example = z.object({
	nodes: z.array(z.object({ type: z.string(), typeVersion: z.number(), parameters: z.unknown() })),
});
const examples = readdirSync(new URL('examples/', root)).filter((name) => name.endsWith('.json'));

// Templates for other scrapers have 15 nodes, and a Code node.
it('examples that watch pages or find contacts have at most four nodes, three expressions and no code', () => {
	const watching = examples.filter((name) =>
		/"(getChanges|contacts)"/.test(read(`examples/${name}`)),
	);
	expect(watching.length).toBeGreaterThan(5);
	const large = watching.filter((name) => {
		const nodes = Example.parse(JSON.parse(read(`examples/${name}`))).nodes.slice(1);
		const expressions = JSON.stringify(nodes).match(/"=/g) ?? [];
		return (
			nodes.length > 4 || expressions.length > 3 || nodes.some(({ type }) => /code$/.test(type))
		);
	});
	expect(large).toEqual([]);
});

// With another version, n8n's editor doesn't show a field for the credential.
it.each(examples)("examples/%s has the nodes' versions", (name) => {
	const { nodes } = Example.parse(JSON.parse(read(`examples/${name}`)));
	for (const { description } of [new Maxun(), new MaxunTrigger()]) {
		const type = `n8n-nodes-maxun-robots.${description.name}`;
		for (const node of nodes.filter((other) => other.type === type)) {
			expect(node.typeVersion).toBe(description.version);
		}
	}
});
