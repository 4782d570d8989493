import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import * as declared from '../../nodes/Maxun/html/declared';
import * as find from '../../nodes/Maxun/automatic/find';
import * as thing from '../../nodes/Maxun/html/thing';
import * as valueKinds from '../../nodes/Maxun/automatic/valueKinds';
import * as byColumns from '../../nodes/Maxun/byExample/columns';
import * as induce from '../../nodes/Maxun/byExample/induce';
import * as judge from '../../nodes/Maxun/byExample/judge';
import * as kinds from '../../nodes/Maxun/byExample/kinds';
import * as lists from '../../nodes/Maxun/byExample/lists';
import * as page from '../../nodes/Maxun/html/page';
import * as reader from '../../nodes/Maxun/html/reader';
import * as repair from '../../nodes/Maxun/byExample/repair';
import * as selectors from '../../nodes/Maxun/html/selectors';
import { inTurns, resting } from '../../nodes/Maxun/http/concurrency';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import * as htmlPieces from '../../nodes/Maxun/html/pieces';
import * as links from '../../nodes/Maxun/http/links';
import * as text from '../../nodes/Maxun/http/text';
import * as captured from '../../nodes/Maxun/results/captured';
import * as changeOutput from '../../nodes/Maxun/results/changeOutput';
import * as changes from '../../nodes/Maxun/results/changes';
import * as comparison from '../../nodes/Maxun/results/comparison';
import * as masks from '../../nodes/Maxun/results/masks';
import * as noise from '../../nodes/Maxun/results/noise';
import * as conditions from '../../nodes/Maxun/results/conditions';
import * as contacts from '../../nodes/Maxun/results/contacts';
import * as dataChecks from '../../nodes/Maxun/results/dataChecks';
import * as dates from '../../nodes/Maxun/results/dates';
import * as emails from '../../nodes/Maxun/results/emails';
import * as lineDiff from '../../nodes/Maxun/results/lineDiff';
import * as numbers from '../../nodes/Maxun/results/numbers';
import * as outcome from '../../nodes/Maxun/results/outcome';
import * as pageState from '../../nodes/Maxun/results/pageState';
import * as pageText from '../../nodes/Maxun/results/pageText';
import * as phones from '../../nodes/Maxun/results/phones';
import * as profiles from '../../nodes/Maxun/results/profiles';
import * as ragDocuments from '../../nodes/Maxun/results/ragDocuments';
import * as robotOutput from '../../nodes/Maxun/results/robotOutput';
import * as rows from '../../nodes/Maxun/results/rows';
import * as screenshots from '../../nodes/Maxun/results/screenshots';
import * as siteMap from '../../nodes/Maxun/results/siteMap';
import * as statistics from '../../nodes/Maxun/results/statistics';
import * as table from '../../nodes/Maxun/results/table';
import * as values from '../../nodes/Maxun/results/values';
import * as verdict from '../../nodes/Maxun/results/verdict';
import * as checks from '../../nodes/Maxun/servers/sdk/checks';
import * as cssToXPath from '../../nodes/Maxun/servers/sdk/cssToXPath';
import * as describeRobot from '../../nodes/Maxun/servers/sdk/describe';
import * as refusal from '../../nodes/Maxun/servers/sdk/refusal';
import * as selector from '../../nodes/Maxun/servers/sdk/selector';
import * as steps from '../../nodes/Maxun/servers/sdk/steps';
import * as storedRobot from '../../nodes/Maxun/servers/sdk/storedRobot';
import * as translate from '../../nodes/Maxun/servers/sdk/translate';
import * as workflow from '../../nodes/Maxun/servers/sdk/workflow';
import type { ExtractDefinition } from '../../nodes/Maxun/servers/definition';
import { longestBlock, timeOf } from '../helpers/busyTime.mts';

/*
 * Any website can write what these functions read, and n8n has only one thread. So their time must not grow faster
 * than the text, and each function that can rest must do so. A new function has to be added here.
 */

/** What a page or a server may contain. */
interface Material {
	text: string;
	html: string;
	rows: IDataObject[];
}

type Make = (size: number) => Partial<Material>;
type Makes = Record<string, Make>;

const filled = (size: number, piece: string) => piece.repeat(Math.ceil(size / piece.length));
const numbered = <T,>(size: number, each: number, make: (index: number) => T): T[] =>
	Array.from({ length: Math.ceil(size / each) }, (_, index) => make(index));

const SIGNS = '☏☏☏☏☏☏☏☏1x';
const TEXTS: Record<string, string> = {
	blanks: ' ',
	lines: '\n',
	'blanks between letters': 'a  ',
	'opening tags': '<',
	'scripts without an end': '<script',
	comments: '<!--',
	slashes: 'https://a/',
	'links in Markdown': '[a](/b?c=1)',
	'brackets that do not close': 'a?b=(',
	'escaped text': '%2F',
	stars: '/*',
	'halves of characters': '\ud83d',
	digits: '1',
	'marks around numbers': '-1 %',
	'Chinese text with digits': '中1文2',
	'places in code': ' at a (b',
	headings: '# ',
	quotes: '"a',
	backslashes: '\\',
	selectors: 'a > b:not(.c), ',
	steps: '//a[b]/',
	invisible: '\u200b',
	addresses: 'a@b.',
	'telephone numbers': 'Tel. 030 1-2☏',
	'signs before numbers': SIGNS,
};

/** Characters in a row. */
const EACH = 100;

/** A text as it is, and in the cells of rows. */
const inRows = (given: string): IDataObject[] => [
	{ id: 'all', name: given, price: given, day: given, link: given, url: given, markdown: given },
	...numbered(given.length, EACH, (id) => {
		const cell = given.slice(id * EACH, (id + 1) * EACH);
		return { id, name: cell, price: cell, day: cell, link: cell, url: `https://a.example/${cell}` };
	}),
];

const ofTexts: Makes = Object.fromEntries(
	Object.entries(TEXTS).map(([name, piece]) => [name, (size) => ({ text: filled(size, piece) })]),
);

/** All texts in one page, or each text in rows. */
const allTexts: Make = (size) => {
	const all = Object.values(TEXTS).map((piece) => filled(size / Object.keys(TEXTS).length, piece));
	return { html: all.join(''), text: all.join(''), rows: all.flatMap(inRows) };
};

const ofRows: Makes = {
	'all texts': allTexts,
	'typed rows': (size) => ({
		rows: numbered(size, EACH, (id) => ({
			...{ id, name: `Desk ${id}`, price: `$${id},249.00`, day: `2026-01-${(id % 28) + 1}` },
			...{ link: `/p/${id}`, url: `https://a.example/p/${id}` },
		})),
	}),
	'rows with one key': (size) => ({
		rows: numbered(size, EACH, (price) => ({ id: 1, name: 'a', price })),
	}),
	'distinct marks': (size) => ({
		rows: numbered(size, EACH, (id) => ({ id, price: `${id.toString(36)}x 5 ${id.toString(36)}` })),
	}),
	'a row with many columns': (size) => ({
		rows: [Object.fromEntries(numbered(size, EACH, (id) => [`c${id}`, id]))],
	}),
	'rows with other columns': (size) => ({
		rows: numbered(size, EACH, (id) => ({ [`c${id}`]: id })),
	}),
	'one page': (size) => ({ rows: numbered(size, EACH, () => ({ url: '/a', markdown: 'a' })) }),
	'many links': (size) => ({
		rows: [{ url: 'https://a.example', links: numbered(size, 20, (id) => `/p/${id}`) }],
	}),
};

/** Pages that contain the part that counts. */
const ofSections: Makes = {
	...Object.fromEntries(
		['a\n', '# a\n', '# a\n## a\nb\n', 'a\n---\n'].map((piece): [string, Make] => [
			piece,
			(size) => ({ rows: [{ url: '/a', markdown: filled(size, piece) }] }),
		]),
	),
	'many pages': (size) => ({
		rows: numbered(size, EACH, (id) => ({ url: `/p/${id}`, markdown: `# a\n${id}` })),
	}),
};

const ofPages: Makes = {
	'all texts': allTexts,
	'a list': (size) => ({
		html: `<ul>${numbered(size, 80, (id) => `<li class="p"><a href="/p/${id}">Desk ${id}</a><b>$${id}</b></li>`).join('')}</ul>`,
	}),
	'one text': (size) => ({ html: filled(size, '<li><a href="/p/1">Desk 1</a><b>$1</b></li>') }),
	'nested elements': (size) => ({ html: filled(size, '<div class="p">') }),
	'ends that are missing': (size) => ({
		html: filled(size / 2, '<a>') + filled(size / 2, '</b>'),
	}),
	'many classes': (size) => ({
		html: `<p class="${numbered(size, 5, (id) => `c${id}`).join(' ')}">Desk 1</p>`,
	}),
	comments: (size) => ({ html: filled(size, '<!-- a --><p>b</p>') }),
	'addresses of many elements': (size) => ({ html: filled(size, '<b>a@</b>') }),
	'one table': (size) => ({
		html: `<table>${numbered(size, 60, (id) => `<tr><td>Desk ${id}</td><td>$${id}</td><td>(${id % 9})</td></tr>`).join('')}</table>`,
	}),
	'wide rows': (size) => ({
		html: numbered(size, 8_000, (id) => `<p>${filled(8_000, `<i>a${id}</i>`)}</p>`).join(''),
	}),
	'declared things': (size) => ({
		html: jsonLd(
			`[${numbered(size, 60, (id) => `{"@type":"Product","name":"Desk ${id}"}`).join()}]`,
		),
	}),
	'broken declarations': (size) => ({
		html: jsonLd(filled(size / 2, '{"a":[')) + jsonLd(`[${filled(size / 2, ', ')}]`),
	}),
	'deep declarations': (size) => ({
		html: jsonLd(`${filled(size / 2, '{"name":')}1${filled(size / 2, '}')}`),
	}),
	microdata: (size) => ({
		html: `<p itemscope itemtype="https://schema.org/Product">${numbered(size, 40, (id) => `<b itemprop="name">Desk ${id}</b>`).join('')}</p>`,
	}),
};
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;

const manyContacts: Make = (size) => ({
	html: numbered(size, 60, (id) => `<p>Tel. +49 30 ${1e6 + id}, ${id}@a.de</p>`).join(''),
});

const materialOf = (make: Make, size: number): Material => ({
	...{ text: '', html: '', rows: [] },
	...make(size),
});

const URL_OF_PAGE = 'https://a.example/';
const run = (data: IDataObject) => ({ id: 'r', status: 'success', robotId: 'r', data });
const RUN = run({});
const runOf = ({ rows: all }: Material) => run({ listData: all, crawlData: all });
const capturedIn = (material: Material) => captured.capturedOf(runOf(material));
const linesIn = ({ text: given, rows: all }: Material): [old: string[], young: string[]] => {
	const lines = [...given.split('\n'), ...all.map(({ name }) => String(name))];
	return [lines, [...lines].reverse()];
};
const part = ({ rows: all }: Material) => ({ kind: 'rows' as const, list: '', rows: all });
const pages = ({ rows: all }: Material) => ({ kind: 'pages' as const, list: '', rows: all });
const parts = (material: Material) => [part(material), pages(material)];
const shifted = (material: Material) => {
	const all = material.rows.map((row, price) => ({
		...row,
		price,
		markdown: `${row.name} ${price}`,
	}));
	return { ...material, rows: all.reverse() };
};
const column = (name: string, type: table.ColumnType): table.Column => ({
	...{ column: name, name, type },
});
const TABLE = {
	columns: [
		...[column('id', 'any'), column('name', 'text'), column('markdown', 'boolean')],
		...[column('price', 'number'), column('day', 'date'), column('link', 'link')],
	],
	keepOtherColumns: true,
	maxCellLength: 100,
};
const COMPARED = {
	...{ ...TABLE, key: ['id'], ignore: ['day'], ignoreQuery: true },
	ignoreInTexts: { part: 'a', lines: ['b'], numbers: true, always: true },
	onlyIf: [
		{ condition: 'fallsBy' as const, column: 'price', value: '5%' },
		{ condition: 'contains' as const, value: 'a' },
	],
};
const CHECKS = {
	minRows: 1,
	columnChecks: [
		{ column: 'name', check: 'filled' as const, share: 90 },
		{ column: 'name', check: 'unique' as const, share: 90 },
	],
};
const SITE = { url: URL_OF_PAGE, maxUrls: 9, maxPages: 9 };
const none = () => {};
const idOf = ({ id }: IDataObject) => String(id);
const changed = (material: Material): changes.Change[] => {
	const { rows: young } = shifted(material);
	return material.rows.map((row, index) => {
		const old = { shown: row, old: young[index], shownOld: young[index] };
		return { change: 'changed', kind: 'rows', row, columns: ['price', 'name'], ...old };
	});
};
const side = (material: Material) => ({ run: RUN, parts: parts(material) });
const EXAMPLES = [
	{ name: 'name', attribute: 'innerText', values: ['Desk 1', 'Desk 2'] },
	{ name: 'price', attribute: 'innerText', values: ['$1', '$2'] },
	{ name: 'link', attribute: 'href', values: ['', ''] },
];
const READ_LIST = {
	...{ name: 'Desks', rowSelector: 'li', isPaged: false },
	columns: EXAMPLES.map(({ name, attribute }) => ({ name, attribute, selector: 'a' })),
};
const LAST_ROWS = numbered(100, 1, (id) => ({ name: `Desk ${id}`, price: `$${id}`, link: '/' }));

/** A page, and what its functions take: its last element, and the first element around it. */
async function pageIn({ html }: Material) {
	const elements = await reader.readElements(html, resting());
	const [top] = elements;
	const last = elements.at(-1);
	if (!top || !last) throw new Error('A page has an element');
	const path = { css: 'a', steps: [selectors.tagOf(last)], isDirect: false };
	const [example = READ_LIST] = EXAMPLES;
	const candidates = { ...example, attribute: 'innerText', values: ['a'], found: [elements] };
	const place = { path, element: last, row: top, explained: 1, disputed: new Set<undefined>() };
	const all = new page.Page(elements, URL_OF_PAGE, resting());
	return { page: all, elements, top, last, path, candidates, column: { ...candidates, ...place } };
}

/** What the form accepts as a selector. */
const selectorIn = ({ text: given }: Material) => given.slice(0, text.MAX_LENGTH.link);

const definitionOf = (given: string): ExtractDefinition => ({
	...{ url: given, isChecked: true, fields: [{ name: given, selector: given, attribute: given }] },
	lists: [{ ...READ_LIST, rowSelector: given, rowLimit: 5, pagination: 'none' }],
	steps: [{ action: 'type', selector: given, text: given }],
});
const action = ({ text: given, rows: all }: Material): IDataObject => ({
	...{ action: 'scrapeList', name: given },
	args: [{ listSelector: given, entered: given, fields: Object.fromEntries(all.entries()) }],
});
const stored = (material: Material) => [
	{ what: [action(material), { action: 'goto', args: ['a'] }] },
];

type Work = () => unknown;
type Prepare = (material: Material) => Work | Promise<Work>;

/** A text says why a function isn't called. */
type Calls = Record<string, { prepare: Prepare; makes: Makes } | string>;

const prepared = (makes: Makes, works: Record<string, Prepare>): Calls =>
	Object.fromEntries(Object.entries(works).map(([name, prepare]) => [name, { prepare, makes }]));
/** Functions, and what they are called with. The time to make that isn't measured. */
const on =
	<T,>(makes: Makes, make: (material: Material) => T | Promise<T>) =>
	(works: Record<string, (given: T) => unknown>): Calls => {
		const prepare = (work: (given: T) => unknown): Prepare => {
			return async (material) => {
				const given = await make(material);
				return () => work(given);
			};
		};
		const all = Object.entries(works).map(([name, work]) => [name, prepare(work)]);
		return prepared(makes, Object.fromEntries(all));
	};
const withText = on(ofTexts, ({ text: given }) => given);
const withSelector = on(ofTexts, selectorIn);
const withStored = on(ofTexts, (material) => ({
	...{ ...material, action: action(material), workflow: stored(material) },
	definition: definitionOf(selectorIn(material)),
}));
const withRows = on(ofRows, (material) => ({ ...material, parts: parts(material) }));
const withColumn = (name: string) => on(ofRows, ({ rows: all }) => all.map((row) => row[name]));
const withHtml = on(ofPages, ({ html }) => html);
const withCaptured = on(ofRows, capturedIn);
const withChanges = on(ofRows, changed);
const withPage = on(ofPages, pageIn);
const withMade = (works: Record<string, Prepare>) => prepared(ofRows, works);
const skipped = (because: string, ...names: string[]): Calls =>
	Object.fromEntries(names.map((name) => [name, because]));
const REQUESTS = 'sends requests';
const TINY = 'looks at one element or number';
const PART_OF_FIND = 'is a part of findOn, which is measured with the same pages';
const PART_OF_TABLE = 'is a part of tableOf, which is measured with the same rows';

const CALLS: Record<string, Calls> = {
	'results/goodRun': skipped(REQUESTS, 'goodRun', 'lastGoodRun'),
	'results/outputForms': skipped(TINY, 'formOf'),
	'results/runFault': skipped('is a class of errors', 'RunFault'),
	'servers/sdk/robots': skipped(REQUESTS, 'extractRobots'),
	'http/text': {
		...withText({
			...{ looksLike: text.looksLike, wellFormed: text.wellFormed, forMessage: text.forMessage },
			...{ firstLine: text.firstLine, valueIn: text.valueIn, textOfHtml: text.textOfHtml },
			...{ wordsOf: text.wordsOf, withoutColors: text.withoutColors },
			...{ cut: (given) => text.cut(given, given.length - 1) },
			short: (given) => text.short(given, given.length - 1),
			firstOf: (given) => text.firstOf(given.split('a'), 9),
			quoted: (given) => text.quoted(given.split('a')),
			sentences: (given) => text.sentences(given, given),
		}),
		...skipped(TINY, 'counted'),
	},
	'http/links': withText({
		...{ addressOf: links.addressOf, withoutSlash: links.withoutSlash },
		withAddresses: (given) => links.withAddresses(given, { ignoreQuery: true }),
	}),
	'html/pieces': {
		...withText({ decoded: htmlPieces.decoded }),
		...withHtml({
			piecesOf: async (html) => {
				const rest = resting();
				for (const piece of htmlPieces.piecesOf(html)) if (!piece) await rest();
			},
		}),
	},
	'results/captured': {
		...withRows({
			capturedOf: capturedIn,
			capturedInTurns: async (material) => await captured.capturedInTurns(runOf(material)),
			isBlank: ({ rows: all }) => all.map((row) => captured.isBlank(row, 'pages')),
			urlOf: ({ rows: all }) => all.map(captured.urlOf),
		}),
		...skipped(TINY, 'isOfPages'),
	},
	'results/changeOutput': {
		...withChanges({
			changedRows: async (all) => await changeOutput.changedRows(all, TABLE, resting()),
			summaryOf: (all) => changeOutput.summaryOf(all, ['id']),
			textDiffs: async (all) => await changeOutput.textDiffs(all, ['id'], resting()),
		}),
		...skipped(REQUESTS, 'rowsChanged'),
	},
	'results/changes': {
		...withRows({
			rowId: ({ rows: all }) => all.map((row) => changes.rowId(row, 'pages', COMPARED)),
			contentOf: ({ rows: all }) => all.map((row) => changes.contentOf(row, 'pages', COMPARED)),
			groupedBy: ({ rows: all }) => changes.groupedBy(all, idOf),
			groupedInTurns: async ({ rows: all }) => await changes.groupedInTurns(all, resting(), idOf),
			columnsIn: (given) => changes.columnsIn(given.parts),
			missingIn: (given) => changes.missingIn(given.parts, ['id', 'x', 'y']),
			requireColumns: (given) => changes.requireColumns(given.parts, ['x'], 'a', 'A'),
			isDifferent: (given) => changes.isDifferent(given.rows, shifted(given).rows, COMPARED),
		}),
		...withMade({
			changesOf: (material) => {
				const [before, after] = [parts(material), parts(shifted(material))];
				return async () => await changes.changesOf(before, after, COMPARED, resting());
			},
		}),
		...withChanges({ textsOf: (all) => all.map(changes.textsOf) }),
	},
	'results/comparison': {
		...withMade({
			changesBetween: (material) => {
				const [before, after] = [capturedIn(material), capturedIn(shifted(material))];
				return async () =>
					await comparison.changesBetween(before, after, COMPARED, resting(), none);
			},
			withRunsBefore: (material) => {
				const [before, after] = [capturedIn(material), capturedIn(shifted(material))];
				const runs = { list: async () => [RUN], get: async () => runOf(material) };
				const settings = { ...COMPARED, missingOnce: true };
				return async () => await comparison.withRunsBefore(runs, 'r', [before, after], settings);
			},
		}),
	},
	'results/baseline': {
		...skipped(REQUESTS, 'lastRuns', 'runBefore', 'knownRun', 'goodRunsBefore'),
		...skipped(TINY, 'partIn', 'unreadIn'),
	},
	'results/noise': {
		...withText({ hasPart: (text) => noise.hasPart(text, 'part') }),
		...on(ofSections, ({ rows: all }) => {
			const read = captured.capturedOf(run({ crawlData: all }));
			const both = all.map((row) => ({ old: { ...row, markdown: `${row.markdown} b` }, row }));
			const found = both.map(({ row, old }): changes.Change => {
				return { change: 'changed', kind: 'pages', row, old, shown: row };
			});
			return { found, former: Array.from({ length: noise.RUNS_OF_ALWAYS }, () => read) };
		})({
			changesOfText: async ({ found, former }) =>
				await noise.changesOfText(found, COMPARED, former, { rest: resting(), hint: none }),
		}),
	},
	'results/masks': withText({ withoutNumbers: masks.withoutNumbers, hasPrice: masks.hasPrice }),
	'results/conditions': {
		...withText({
			conditionProblem: (value) =>
				conditions.conditionProblem({ condition: 'isAbove', column: value, value }),
			comparedColumns: (value) =>
				conditions.comparedColumns({
					onlyIf: [{ condition: 'fallsBelow', column: value, value }],
				}),
		}),
		...withMade({
			changesThatMeet: (material) => {
				const all = changed(material);
				const sides: [conditions.Side, conditions.Side] = [side(shifted(material)), side(material)];
				const given = { sides, settings: COMPARED, hint: none };
				return async () => await conditions.changesThatMeet(all, { ...given, rest: resting() });
			},
		}),
		...skipped(TINY, 'differenceOf'),
	},
	'results/contacts': on({ ...ofRows, ...ofPages, 'many contacts': manyContacts }, (material) => {
		const read = capturedIn(material);
		read.parts.push({ kind: 'formats', list: '', rows: [{ html: material.html }] });
		return read;
	})({
		contactsOf: async (read) => await contacts.contactsOf(read, URL_OF_PAGE, none, resting()),
	}),
	'results/emails': withText({
		withSigns: emails.withSigns,
		emailsIn: (given) => [...emails.emailsIn(given)],
	}),
	'results/phones': withText({
		phonesIn: (given) => [...phones.phonesIn(given, given.slice(-60))],
		labelIn: (given) => phones.labelIn(given.slice(-60)),
		phoneOf: phones.phoneOf,
	}),
	'results/profiles': withText({ profileOf: profiles.profileOf }),
	'results/dataChecks': {
		...withRows({
			problemsOf: async (given) => await dataChecks.problemsOf(given.parts, CHECKS, resting()),
			isFilled: ({ rows: all }) => all.map(dataChecks.isFilled),
		}),
		...skipped(REQUESTS, 'usualRows', 'formerRun'),
	},
	'results/dates': {
		...withColumn('day')({
			datesOf: (days) => dates.datesOf(days, {}),
			datesIn: async (days) => await inTurns(dates.datesIn(days, {}), resting()),
		}),
		...withText({
			isDayName: dates.isDayName,
			monthOf: dates.monthOf,
			wordsOfAge: (given) => dates.wordsOfAge(given.split(' ')),
		}),
	},
	'results/lineDiff': on(
		ofRows,
		linesIn,
	)({
		lineDiff: async (lines) => await lineDiff.lineDiff(...lines, resting()),
		matchesOf: async (lines) => await lineDiff.matchesOf(...lines, resting()),
	}),
	'results/numbers': {
		...withColumn('price')({
			numbersOf: (prices) => numbers.numbersOf(prices, 'automatic'),
			numbersIn: async (prices) => await inTurns(numbers.numbersIn(prices, 'automatic'), resting()),
		}),
		...withRows({
			haveOtherUnits: ({ rows: all, text: given }) => [
				numbers.haveOtherUnits(given, `5 ${given}`),
				all.map(({ price, name }) => numbers.haveOtherUnits(price, name)),
			],
		}),
		...withText({ isCounted: numbers.isCounted, isCurrency: numbers.isCurrency }),
	},
	'results/outcome': {
		...withCaptured({
			outcome: async (read) => {
				const dataCheck = { ...CHECKS, ifCheckFails: 'items' as const };
				const settings = { ...TABLE, output: 'rows' as const, dataChecks: dataCheck };
				return await outcome.outcome(read, { ...settings, lists: [LIST] });
			},
			fullLists: (read) => outcome.fullLists(read, [LIST]),
			noData: (read) => outcome.noData(read, {}),
		}),
		...withText({ reasonOf: (error) => outcome.reasonOf({ ...RUN, error }) }),
		...skipped(REQUESTS, 'resultItems', 'outcomeOf', 'pageOfLinks'),
	},
	'results/pageState': withRows({
		refusalOf: ({ text: markdown, rows: all }) => [
			pageState.refusalOf({ markdown, error: markdown, title: markdown }),
			all.map(pageState.refusalOf),
		],
	}),
	'results/pageText': withRows({
		textOf: ({ rows: all }) => all.map((row) => pageText.textOf(row, 'pages')),
		isPage: ({ rows: all }) => all.map((row) => pageText.isPage(row, 'pages')),
		titleOf: ({ text: markdown }) => pageText.titleOf({ markdown }),
	}),
	'results/ragDocuments': withCaptured({
		documentsOf: async (read) => await ragDocuments.documentsOf(read, URL_OF_PAGE, resting()),
	}),
	'results/robotOutput': withText({
		entryOutput: (name) => robotOutput.entryOutput({ output: 'simplified' }, [name])({ name }),
	}),
	'results/rows': {
		...withRows({
			allRows: (given) => rows.allRows(given.parts),
			namedParts: (given) => rows.namedParts(given.parts, true),
			columnsOf: ({ rows: all }) => rows.columnsOf(all),
			fieldReader: ({ rows: all }) => all.map((row) => rows.fieldReader(RUN)(row, 'a.name')),
		}),
		...withCaptured({
			...{ rowsOf: rows.rowsOf, shownParts: rows.shownParts, simplified: rows.simplified },
			selectableFields: rows.selectableFields,
			selectedOf: async (read) => await rows.selectedOf(read, ['id', 'run.status'], resting()),
		}),
	},
	'results/screenshots': {
		...withText({
			screenshotsOf: (given) =>
				screenshots.screenshotsOf({ ...RUN, screenshots: given.split('a') }),
		}),
		...skipped(REQUESTS, 'withScreenshots'),
	},
	'results/siteMap': withMade({
		siteMapOf: (material) => {
			const path = material.text.slice(0, 1_000);
			const read = capturedIn(material);
			const paths = { includePaths: [`/*${path}*b`], excludePaths: [path] };
			return async () => await siteMap.siteMapOf(read, { ...SITE, ...paths }, none, resting());
		},
	}),
	'results/statistics': withColumn('id')({
		median: (ids) => statistics.median(ids.map(Number)),
	}),
	'results/table': {
		...withRows({
			partsInTable: (given) => table.partsInTable(given.parts, { columns: TABLE.columns }),
			nameOfOther: ({ text: name }) => table.nameOfOther(name, TABLE.columns),
		}),
		...withCaptured({
			tableOf: async (read) => await table.tableOf(read, TABLE, none, resting()),
			checkedParts: async (read) => await table.checkedParts(read, TABLE, resting()),
			needsPage: (read) => table.needsPage(read, TABLE),
		}),
		...on(
			ofRows,
			async (material) => await table.tableParts(parts(material), RUN, TABLE, none, resting()),
		)({
			comparedRows: async (read) => {
				for (const own of read) await table.comparedRows(own, resting());
			},
		}),
		...skipped(PART_OF_TABLE, 'shownRows', 'shortCells', 'tableParts', 'tableRows'),
	},
	'results/values': withRows({
		cellText: ({ text: given }) => values.cellText(given),
		isMissing: ({ text: given, rows: all }) => values.isMissing([given, all]),
		leavesOf: ({ rows: all }) => values.leavesOf(all),
		linkOf: ({ text: given, rows: all }) =>
			[given, ...all.map(({ link }) => link)].map((link) => values.linkOf(link, URL_OF_PAGE)),
		isRelative: ({ text: given }) => values.isRelative(given.slice(0, text.MAX_LENGTH.link)),
		flagOf: ({ rows: all }) => all.map(({ name }) => values.flagOf()(name)),
	}),
	'results/verdict': {
		...withCaptured({
			verdictOf: (read) => verdict.verdictOf(read, [LIST]),
			capturedNothing: (read) => verdict.capturedNothing(read, [LIST]),
		}),
		...skipped(TINY, 'isUsable'),
	},
	'automatic/columns': skipped(PART_OF_FIND, 'foundColumns'),
	'html/declared': {
		...withText({
			plain: declared.plain,
			typesOf: (given) => declared.typesOf({ '@type': given.split('a') }),
			flatOf: (given) => declared.flatOf(given.split('a')),
		}),
		...withPage({
			metaOn: async ({ page: all }) => await declared.metaOn(all),
			declaredOn: async ({ page: all }) => await declared.declaredOn(all),
		}),
	},
	'automatic/find': withHtml({
		findOn: async (html) => await find.findOn(html, URL_OF_PAGE, resting()),
	}),
	'automatic/groups': skipped(PART_OF_FIND, 'spotsOf', 'mean', 'groupsOf'),
	'automatic/names': skipped(PART_OF_FIND, 'columnNames'),
	'automatic/rank': skipped(PART_OF_FIND, 'ranked', 'alternates'),
	'automatic/slots': skipped(PART_OF_FIND, 'slotsOf', 'isSame', 'isShownBy', 'isImage'),
	'html/thing': {
		...withHtml({ thingOn: async (html) => await thing.thingOn(html, URL_OF_PAGE, resting()) }),
		...withPage({ thingIn: async ({ page: all }) => await thing.thingIn(all) }),
	},
	'automatic/valueKinds': withColumn('name')({
		kindOf: (names) => valueKinds.kindOf('innerText', names.map(String)),
	}),
	'byExample/columns': withPage({
		placesOf: ({ candidates, top, elements }) =>
			byColumns.placesOf(candidates, 0, top, elements, []),
		columnBy: async ({ page: all, candidates, last: element, top: row, elements }) =>
			await byColumns.columnBy(all, candidates, [{ element, row }], elements.slice(0, 30)),
	}),
	'byExample/induce': {
		...withHtml({
			induce: async (html) => await induce.induce(html, URL_OF_PAGE, EXAMPLES, resting()),
		}),
		...withPage({
			listBy: async ({ page: all, column: own, top, elements }) =>
				await induce.listBy(all, { row: top, rows: elements, columns: [own], hasRival: false }),
		}),
	},
	'byExample/judge': withPage({
		isCertain: ({ column: own, last, top }) => judge.isCertain(own, last, top),
		rivalOf: ({ page: all, elements }) => judge.rivalOf(all, elements, 'innerText'),
		isOfShape: ({ column: own, elements }) => elements.map((one) => judge.isOfShape(own, one)),
		judge: async ({ page: all, column: own, elements }) =>
			await judge.judge(all, elements.slice(1), [own]),
	}),
	'byExample/kinds': {
		...withText({ shapeOf: kinds.shapeOf }),
		...withPage({
			without: ({ path, last, top }) => kinds.without(path, last, top),
			placeIn: ({ last, top }) => kinds.placeIn(last, top),
			isAtSamePlace: ({ elements }) => kinds.isAtSamePlace(elements, elements),
			isLike: ({ last, top }) => kinds.isLike(last, top, last, top),
		}),
		...skipped(TINY, 'shares', 'isAkin', 'isAkinAround', 'isFormer'),
	},
	'byExample/lists': withPage({
		bestFit: async ({ page: all, candidates }) => await lists.bestFit(all, [candidates]),
	}),
	'html/page': {
		...withPage({
			sampleOf: ({ elements }) => page.sampleOf(elements, 40),
			thoseIn: ({ elements, last }) => page.thoseIn(elements, last),
			Page: async ({ page: all, top, path, column: own }) => [
				[all.all(top, path), all.first(top, path), all.filled(top, own)],
				await all.candidates({ name: 'a', attribute: 'href', values: ['Desk 1', ''] }, true),
				await all.similarTo('Desk one'),
			],
		}),
		...skipped(TINY, 'isIn', 'isFound', 'overlap'),
	},
	'html/reader': {
		...withText({ keyOf: reader.keyOf }),
		...withHtml({ readElements: async (html) => await reader.readElements(html, resting()) }),
		...withPage({
			Element: ({ elements }) => elements.map(({ kinds: used, key }) => [used, key]),
		}),
		...skipped(TINY, 'isHeader', 'isRaw'),
	},
	'byExample/repair': {
		...withHtml({
			repairOf: async (html) =>
				await repair.repairOf(READ_LIST, LAST_ROWS, html, URL_OF_PAGE, resting()),
		}),
		...withText({ lacking: (name) => repair.lacking([name]) }),
	},
	'html/selectors': {
		...withText({ isLasting: (name) => selectors.isLasting(name) }),
		...withPage({
			namesOf: ({ elements }) => elements.map(selectors.namesOf),
			chainOf: ({ last }) => selectors.chainOf(last),
			pathsTo: ({ last, top }) => [...selectors.pathsTo(last, top, selectors.namesOf)],
			matches: ({ path, elements, top }) =>
				elements.map((one) => selectors.matches(path, one, top)),
			isNamed: ({ path }) => selectors.isNamed(path),
		}),
		...skipped(TINY, 'tagOf', 'narrowed'),
	},
	'servers/sdk/checks': {
		...withStored({ checksOf: ({ definition }) => checks.checksOf(definition) }),
		...skipped(TINY, 'nameOfCheck', 'isBehindStep'),
	},
	'servers/sdk/cssToXPath': {
		...withSelector({
			...{ xpathOfPage: cssToXPath.xpathOfPage, xpathsWithin: cssToXPath.xpathsWithin },
			...{ isOnlyCss: cssToXPath.isOnlyCss, literal: cssToXPath.literal },
		}),
		...skipped('is a class of errors', 'SelectorError'),
	},
	'servers/sdk/describe': withStored({
		describe: (given) => describeRobot.describe(given.workflow),
		listsIn: (given) => describeRobot.listsIn(given.workflow),
		readListOf: (given) => describeRobot.readListOf(given.action),
	}),
	'servers/sdk/refusal': withStored({
		explainRefusal: ({ text: given, definition }) => {
			const reason = `Workflow validation failed: ${given}`;
			const fault = new MaxunFault('a', reason, { status: 400, reason, isMaxuns: true });
			return refusal.explainRefusal(fault, 'a', definition);
		},
	}),
	'servers/sdk/selector': {
		...withText({ isXPath: selector.isXPath, selectorProblem: selector.selectorProblem }),
		...withSelector({
			...{ rowProblem: selector.rowProblem, columnProblem: selector.columnProblem },
			...{ paginationProblem: selector.paginationProblem, rowXPath: selector.rowXPath },
			...{ onPage: selector.onPage, canCheckColumn: selector.canCheckColumn },
			...{ simplerThan: selector.simplerThan },
			columnIn: (given) => selector.columnIn('//li', given),
			relativeTo: (given) => selector.relativeTo(given, `${given}/a`),
		}),
	},
	'servers/sdk/steps': withStored({
		actionsOf: ({ text: given }) =>
			steps.actionsOf({ action: 'type', selector: given, text: given }, 0, true),
		describedStep: (given) => steps.describedStep(given.action),
		argumentsOf: (given) => steps.argumentsOf(given.action),
	}),
	'servers/sdk/storedRobot': {
		...withStored({
			robotOf: ({ text: name, rows: webhooks, workflow: actions }) => {
				const meta = { id: 'a', name, type: 'extract', url: name };
				const recording = { workflow: actions };
				return storedRobot.robotOf({ recording_meta: meta, recording, webhooks }, 'UTC');
			},
		}),
		...withText({ nameTaken: storedRobot.nameTaken }),
		...skipped(REQUESTS, 'readStoredRobot', 'listStoredRobots', 'createStoredRobot'),
		...skipped(REQUESTS, 'updateStoredRobot', 'completeStoredRobot'),
	},
	'servers/sdk/translate': {
		...withText({
			reasonIn: translate.reasonIn,
			toSchedule: (dayOfMonth) => translate.toSchedule({ dayOfMonth }),
		}),
		...withStored({
			sdkPayloadOf: (given) =>
				translate.sdkPayloadOf({ runs: [runOf(given), ...given.rows] }, 'UTC'),
		}),
	},
	'servers/sdk/workflow': {
		...withStored({
			draftOf: ({ definition }) => workflow.draftOf(definition, 'a'),
			completeWorkflow: (given) => workflow.completeWorkflow(given.definition, given.workflow),
			withField: (given) =>
				workflow.withField(given.workflow, { name: 'a', selector: 'b', attribute: 'c' }),
			withSettings: (given) => workflow.withSettings(given.workflow, () => true, { a: 1 }),
			storedSelectors: ({ definition: { url: rowSelector } }) =>
				workflow.storedSelectors({ ...READ_LIST, rowSelector }),
			actionsIn: (given) => workflow.actionsIn(given.workflow),
			lastPageOf: (given) => workflow.lastPageOf(given.workflow),
			argumentOf: (given) => workflow.argumentOf(given.action),
		}),
		...skipped(TINY, 'isVisit', 'isCapture', 'isList', 'isConfigured'),
	},
};
const LIST = { name: '', rowLimit: 1 };

it('every function is here', async () => {
	const folders = ['results', 'html', 'automatic', 'byExample', 'servers/sdk'].flatMap((folder) =>
		readdirSync(`nodes/Maxun/${folder}`)
			.filter((file) => file.endsWith('.ts'))
			.map((file) => `${folder}/${file.slice(0, -3)}`),
	);
	for (const file of [...folders, 'http/text', 'http/links']) {
		const module: object = await import(pathToFileURL(`nodes/Maxun/${file}.ts`).href);
		const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
		const names = functions.map(([name]) => name).sort();
		expect.soft(Object.keys(CALLS[file] ?? {}).sort(), file).toEqual(names);
	}
});

const FUNCTIONS = Object.entries(CALLS).flatMap(([file, calls]) =>
	Object.entries(calls).flatMap(([name, call]) =>
		typeof call === 'string' ? [] : [{ name: `${file}: ${name}`, call }],
	),
);

/** Characters, and milliseconds: a shorter time doesn't show how it grows. */
const [SMALLEST, LARGEST, SHORT] = [2 ** 12, 2 ** 16, 10];
const TRIES = 6;

/** The shortest time for a size, because a garbage collection may lengthen each. */
async function shortest(
	prepare: Prepare,
	make: Make,
	size: number,
	times: number,
): Promise<number> {
	const found: number[] = [];
	for (let time = 0; time < times; time++) {
		const work = await prepare(materialOf(make, size));
		found.push(await timeOf(async () => await expected(work)));
	}
	return Math.min(...found);
}

/** An error that a user can read is also a result. */
const expected = async (work: Work) => {
	try {
		return await work();
	} catch (error) {
		if (error instanceof MaxunFault || error instanceof cssToXPath.SelectorError) return error;
		throw error;
	}
};

/** By how much the time grows if the size doubles. */
async function growth(prepare: Prepare, make: Make): Promise<number> {
	let size = SMALLEST;
	while (size < LARGEST && (await shortest(prepare, make, size, 1)) < SHORT) size *= 4;
	const [less, more] = [
		await shortest(prepare, make, size, 2),
		await shortest(prepare, make, size * 4, 1),
	];
	return more < 4 * SHORT ? 1 : Math.sqrt(more / less);
}

it.each(FUNCTIONS)('$name is linear', async ({ call: { prepare, makes } }) => {
	const slow: Record<string, number> = {};
	for (const [name, make] of Object.entries(makes)) {
		let most = await growth(prepare, make);
		for (let time = 1; most > 2.5 && time < TRIES; time++)
			most = Math.min(most, await growth(prepare, make));
		if (most > 2.5) slow[name] = most;
	}
	expect(slow).toEqual({});
});

/** More than fits into one piece of work. */
const FACTOR = process.env.TEST_LARGE ? 12 : 1;
const LARGE: Record<string, Make> = {
	'typed rows': () => ofRows['typed rows']?.(FACTOR * 20_000 * EACH) ?? {},
	'long cells': () => ({
		rows: numbered(10, 1, (id) => ({
			id,
			name: filled(65_536, `Desk ${id}. `),
			price: filled(65_536, '1 '),
		})),
	}),
	'a long text': () => ({ html: filled(FACTOR * 100_000, SIGNS) }),
	'long pages': () => ({
		html: ofPages['a list']?.(FACTOR * 100_000).html,
		rows: numbered(FACTOR * 50, 1, (id) => ({
			...{ url: `https://a.example/${id}`, title: `Page ${id}` },
			markdown: filled(60_000, `# Page ${id}\nA text about [desks](/p?a=${id}).\n<!-- a --> `),
		})),
	}),
};

const canRest = async (prepare: Prepare) =>
	(await prepare(materialOf(allTexts, 100)))() instanceof Promise;

it.each(FUNCTIONS)('$name rests if it can', async ({ call: { prepare } }) => {
	if (!(await canRest(prepare).catch(() => false))) return;
	const blocks: Record<string, number> = {};
	for (const [name, make] of Object.entries(LARGE)) {
		const material = materialOf(make, 0);
		let longest = Infinity;
		for (let time = 0; longest > 50 && time < TRIES; time++) {
			const work = await prepare(material);
			longest = Math.min(longest, await longestBlock(async () => await expected(work)));
		}
		if (longest > 50) blocks[name] = longest;
	}
	expect(blocks).toEqual({});
});
