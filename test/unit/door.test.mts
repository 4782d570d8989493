import { describe, expect, it } from 'vitest';
import { addressOf, withAddresses } from '../../nodes/Maxun/http/links';
import { cleanerOf } from '../../nodes/Maxun/http/redaction';
import { messageOf } from '../../nodes/Maxun/http/response';
import { cut, firstLine, looksLike, textOfHtml, valueIn } from '../../nodes/Maxun/http/text';
import { isLeftOut } from '../../nodes/Maxun/http/values';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { changesOf } from '../../nodes/Maxun/results/changes';
import { titleOf } from '../../nodes/Maxun/results/pageText';
import { columnsOf } from '../../nodes/Maxun/results/rows';
import { siteMapOf } from '../../nodes/Maxun/results/siteMap';
import { reasonIn } from '../../nodes/Maxun/servers/sdk/translate';
import { selectorProblem } from '../../nodes/Maxun/servers/sdk/selector';

const SIZE = 2 ** 20;
const filled = (text: string) => text.repeat(Math.ceil(SIZE / text.length));

const TEXTS: Record<string, string> = {
	blanks: filled(' '),
	lines: filled('\n'),
	'blanks between letters': filled('a  '),
	'opening tags': filled('<'),
	'scripts without an end': filled('<script'),
	slashes: filled('https://a/'),
	'link in Markdown': filled('[a](/b?c=1)'),
	'brackets that do not close': `a?b=${filled('(')}`,
	'escaped text': filled('%2F'),
	stars: filled('/*'),
	'halves of characters': filled('\ud83d'),
	digits: filled('1'),
	'places in code': filled(' at a (b'),
	headings: filled('# '),
	quotes: filled('"a'),
	backslashes: filled('\\'),
};

const DOORS: Record<string, (text: string) => unknown> = {
	looksLike,
	firstLine,
	textOfHtml,
	valueIn,
	isLeftOut,
	addressOf,
	reasonIn,
	selectorProblem,
	messageOf,
	'messageOf in JSON': (error) => messageOf({ error, details: [error, { message: error }] }),
	withAddresses: (text) => withAddresses(text, { ignoreQuery: true }),
	titleOf: (markdown) => titleOf({ markdown }),
	'a secret': cleanerOf([['mx-0123456789\\"<', '[API key]']]),
	'paths of a site': (path) => mapped([path.slice(0, 1000)], [`/*${path.slice(0, 1000)}*b`]),
};

function mapped(paths: string[], includePaths: string[]) {
	const start = 'https://a.example';
	const crawlData = paths.map((path) => ({ url: `${start}/${path}`, markdown: '' }));
	const captured = capturedOf({ id: 'r', status: 'success', data: { crawlData } });
	const settings = { url: start, maxUrls: 9, maxPages: 9, excludePaths: [], includePaths };
	return siteMapOf(captured, settings, () => {});
}

/** Of this process, in seconds. The load of the computer hardly affects it. */
async function cpuTime(work: () => unknown): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1_000_000;
}

describe.each(Object.entries(DOORS))('%s', (_name, door) => {
	it.each(Object.keys(TEXTS))('takes little time with 1 MB of %s', async (name) => {
		expect(await cpuTime(() => door(TEXTS[name] ?? ''))).toBeLessThan(5);
	});
});

it('rows with one key take little time', async () => {
	const rows = Array.from({ length: 100_000 }, (_, price) => ({ key: 'a', price }));
	const parts = (shift: number) => [
		{
			kind: 'rows' as const,
			list: '',
			rows: rows.map(({ key, price }) => ({ key, price: price + shift })),
		},
	];
	const comparing = changesOf(parts(0), parts(1), { key: ['key'] }, async () => {});
	expect(await cpuTime(async () => await comparing)).toBeLessThan(10);
	const changes = await comparing;
	expect(changes).toHaveLength(1);
});

it('a million rows take little time', async () => {
	const rows = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: 'a' }));
	const work = () =>
		columnsOf(
			capturedOf({ id: 'r', status: 'success', data: { listData: rows } }).parts[0]?.rows ?? [],
		);
	expect(work()).toEqual(['id', 'name']);
	expect(await cpuTime(work)).toBeLessThan(5);
});

describe('texts for people', () => {
	it('are in one line, and have neither halves of characters nor invisible ones', () => {
		expect(looksLike(' a\n\u200b b\ud83d \ufeff')).toBe('a b\ufffd');
		expect(cut('ab\ud83d\ude00', 3)).toBe('ab');
	});

	it('contain neither style sheets nor scripts', () => {
		const page =
			'<title>502</title><style>a{b:c}</style><SCRIPT src=x>d()</SCRIPT><p>Bad &lt; gateway</p>';
		expect(looksLike(textOfHtml(page))).toBe('502 Bad &lt; gateway');
	});

	it.each([
		['Timeout\n    at a (b.js:1)', 'Timeout'],
		['No page at all', 'No page at all'],
		['Failed at step (1)', 'Failed'],
		['\n\n First \n second', 'First'],
	])('the first line of %j is %j', (text, line) => {
		expect(firstLine(text)).toBe(line);
	});

	it('a value that is too long is none', () => {
		expect(valueIn(`1${' '.repeat(200)}`)).toBe('');
		expect(valueIn('$19 \n  99')).toBe('$19\n99');
		expect(valueIn(5)).toBe(5);
	});
});
