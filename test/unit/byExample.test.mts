import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { expect, it } from 'vitest';
import { induce } from '../../nodes/Maxun/byExample/induce';
import type { Capture } from '../../nodes/Maxun/servers/definition';
import {
	columnProblem,
	paginationProblem,
	rowProblem,
} from '../../nodes/Maxun/servers/sdk/selector';

const pause = async () => await Promise.resolve();

/** An example for each column: values, after `href:` or `src:` if the column isn't text. */
type Examples = Record<string, string | string[]>;

const columnsOf = (examples: Examples) =>
	Object.entries(examples).map(([name, given]) => {
		const values = [given].flat();
		const [, attribute = 'innerText'] = /^(href|src):/.exec(values[0] ?? '') ?? [];
		return { name, attribute, values: values.map((value) => value.replace(/^(href|src):/, '')) };
	});

const inBody = (...parts: string[]) => `<body>${parts.join('')}</body>`;
const repeated = (count: number, part: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => part(index)).join('');

const card = (index: number) =>
	`<div class="card css-1x${index}"><a class="name" href="/p/${index}"><img src="/i/${index}.jpg" alt="Photo ${index}"><b>Desk ${index}</b></a>${index % 3 === 0 ? '' : '<span class="badge">New</span>'}<span class="price">$${index}9.00</span></div>`;
const shop = inBody(
	'<ul class="nav"><li><a href="/">Home</a></li><li><a href="/new">New</a></li></ul>',
	'<h1 id="title">Oak &amp; Co</h1>',
	`<div class="grid">${repeated(6, card)}</div>`,
);
const table = (rows: string[][], head = '') =>
	inBody(
		`<table>${head}${rows.map(([one, other]) => `<tr><td>${one}</td><td>${other}</td></tr>`).join('')}</table>`,
	);
const capitals = [
	['Österreich', 'Wien'],
	['Schweiz', 'Bern'],
	['日本', '東京'],
	['مصر', 'القاهرة'],
];
const hashed = inBody(
	`<div class="css-a1">${repeated(
		4,
		(group) =>
			`<div class="css-b2">${repeated(3, (index) => `<a class="sc-x${group}${index} kQyz" href="/${group}${index}"><h3 class="hXzQ">T${group}${index}</h3><p>${group}.${index} €</p></a>`)}</div>`,
	)}</div>`,
);
const ratings = inBody(
	`<ul>${repeated(4, (index) => `<li><b>Item ${index}</b><i>5</i><u>${index === 1 ? 5 : index}</u></li>`)}</ul>`,
);
const twice = inBody(
	...['one', 'two'].map(
		(name) =>
			`<ul class="${name}">${repeated(name === 'one' ? 3 : 4, (index) => `<li><b>Item ${index}</b><i>${index} x</i></li>`)}</ul>`,
	),
);
const stripes = inBody(
	`<table><tr><th>Name</th><th>Since</th></tr>${repeated(6, (index) => `<tr class="${index % 2 === 0 ? 'even' : 'odd'}"><td>N${index}</td><td>200${index}</td></tr>`)}</table>`,
);
const wrapped = inBody(
	`<ol id="list-7">${repeated(4, (index) => `<li data-role="entry"><h2 itemprop="name"><a href="/${index}">A${index}</a></h2><time>${index} May</time></li>`)}</ol>`,
	`<ol>${repeated(4, (index) => `<li><a>${index}</a></li>`)}</ol>`,
);
const sections = inBody(
	`<div class="menu">${['sport', 'style', 'money'].map((name) => `<div class="part"><span class="${name}-head"><a class="${name}">${name}</a></span><i>${name} of today</i></div>`).join('')}</div>`,
);
/** A long list with advertisements from a short list. */
const advertised = inBody(
	`<ul class="long">${repeated(4, (index) => `<li><b class="x">${index === 1 ? 'Buy' : `T${index}`}</b><i class="x">by ${index === 1 ? 'Ads' : index}</i></li>`)}</ul>`,
	`<ol class="short"><li><b>Buy</b><i>by Ads</i></li><li><b>Sell</b><i>by Me</i></li></ol>`,
);

const authors = inBody(
	`<ul>${repeated(5, (index) => `<li><b>Book ${index}</b><p>By ${repeated(index + 1, (at) => `<a>Author ${index}${at}</a> `)}</p></li>`)}</ul>`,
);
/** Boxes, some without a text, and each with links at its end. */
const boxes = inBody(
	repeated(
		6,
		(index) =>
			`<div class="box"><h3>Box ${index}</h3>${index % 2 === 0 ? `<p>By <a>Author ${index}</a></p>` : ''}<p class="links"><a>Share</a></p></div>`,
	),
);
/** A short list, and more texts with links to its values. */
const mentioned = inBody(
	repeated(
		7,
		(index) =>
			`<p>See ${repeated(index, (at) => `<a>Note ${index}${at}</a>`)} in <a>City ${index}</a> and <a>Land ${index}</a></p>`,
	),
	`<ol>${repeated(4, (index) => `<li><a>City ${index}</a> <a>Land ${index}</a></li>`)}</ol>`,
);

const PAGES: Record<string, string> = {
	...{ shop, hashed, ratings, twice, stripes, wrapped, sections, advertised, authors, boxes },
	mentioned,
	capitals: table(capitals),
	'one product': inBody(card(1)),
	'capitals with a head': table(capitals, '<tr><th>国</th><th>首都</th></tr>'),
	'new in front': inBody(
		`<ul>${repeated(5, (index) => `<li><b>Item ${index}</b>${index === 3 ? '<i>New</i>' : ''}<i>${index} €</i></li>`)}</ul>`,
	),
	'new around': inBody(
		repeated(4, (index) => {
			const name = `<b>${index === 2 ? 'New ' : ''}<a>Item ${index}</a></b>`;
			return `<li>${'<span>'.repeat(6)}${name}${'</span>'.repeat(6)}<i>${index} €</i></li>`;
		}),
	),
	'names and lands': inBody(
		`<ul>${repeated(4, (index) => `<li><p>By ${index === 2 ? 'all' : `<b>Name ${index}</b>`}</p><p>In <b>Land ${index}</b></p></li>`)}</ul>`,
	),
	'several authors': inBody(
		`<ul>${repeated(4, (index) => `<li><b>Item ${index}</b><div class="all">${repeated(index === 2 ? 3 : 2, (at) => `<p>By <a class="author">Author ${index}${at}</a></p>`)}</div></li>`)}</ul>`,
	),
	'a sale': inBody(
		repeated(
			6,
			(index) =>
				`<div class="card"><b class="name">Desk ${index}</b><div class="price-box">${index % 2 ? `<span class="price old">$${index}99.00</span>` : ''}<span class="price">$${index}0.00</span></div></div>`,
		),
	),
	'a sale without classes': inBody(
		`<ul>${repeated(6, (index) => `<li><b>Desk ${index}</b>${index % 2 ? `<i>$${index}99.00</i>` : ''}<i>$${index}0.00</i></li>`)}</ul>`,
	),
	'crossed out': inBody(
		`<ul>${repeated(6, (index) => `<li><b>Desk ${index}</b><p>${index % 2 ? `<del><i class="amount">$${index}99.00</i></del> <ins><i class="amount">$${index}0.00</i></ins>` : `<i class="amount">$${index}0.00</i>`}</p></li>`)}</ul>`,
	),
	'sold out': inBody(
		repeated(
			6,
			(index) =>
				`<div class="card"><b>Desk ${index}</b><i class="price">${index === 4 ? 'Sold out' : `$${index}0.00`}</i></div>`,
		),
	),
	'ratings with counts': inBody(
		`<ul>${repeated(6, (index) => `<li><b>Desk ${index}</b>${index % 3 === 2 ? '' : `<i>4.${index}</i>`}<i>(1${index})</i></li>`)}</ul>`,
	),
	years: inBody(
		[2023, 2024, 2025]
			.map(
				(year) =>
					`<h2>${year}</h2><ul>${repeated(3, (index) => `<li><a href="/${year}/${index}">Law ${index} of ${year}</a></li>`)}</ul>`,
			)
			.join(''),
	),
	cells: inBody(
		`<table>${repeated(5, (index) => `<tr><td><a href="/b/${index}">RFP ${index}</a></td><td>${index} May</td><td><a href="/b/${index}">Open</a></td></tr>`)}</table>`,
	),
	'two places': inBody(
		`<div class="new">${repeated(3, card)}</div><div class="used">${repeated(4, (index) => card(index + 5))}</div>`,
	),
	'text next to a link': inBody(
		`<ul>${repeated(4, (index) => `<li><a href="/p/${index}"><img src="/i.jpg"></a><b>Desk ${index}</b><i>${index} €</i></li>`)}</ul>`,
	),
	'half a page': '<p>Price: $5 <b',
	nothing: '',
};

const CASES = readFileSync(new URL('./by-example.txt', import.meta.url), 'utf8')
	.split('\n')
	.filter((line) => line && !line.startsWith('#'))
	.map((line) => {
		const [name = '', page = '', examples = '', expected = ''] = line.split(' | ');
		return { name, html: PAGES[page], examples: examplesIn(examples), expected };
	});

function examplesIn(written: string): Examples {
	const columns = written.split('; ').map((column) => column.split(' = '));
	return Object.fromEntries(columns.map(([name = '', values = '']) => [name, values.split(' / ')]));
}

it.each(CASES)('$name', async ({ html, examples, expected }) => {
	if (html === undefined) throw new Error('There is no such page');
	const found = await induce(html, 'https://shop.example/a/', columnsOf(examples), pause);
	if ('elsewhere' in found) return expect(`elsewhere: ${found.elsewhere}`).toBe(expected);
	if ('unlinked' in found) return expect(`unlinked: ${found.unlinked}`).toBe(expected);
	if ('missing' in found) {
		const texts = found.missing.map(({ name, similar }) => `${name} (${similar.join(', ')})`);
		return expect(`missing: ${texts.join()}`).toBe(expected);
	}
	const { list, fields } = found;
	const told = (columns: typeof fields) =>
		columns
			.map(
				({ selector, isLonger, doubtful }) =>
					(selector || 'the row') +
					(isLonger ? ' (longer)' : '') +
					(doubtful ? ` (${doubtful}?)` : ''),
			)
			.join(', ');
	const parts = [
		...(list ? [`${list.rowSelector} ×${list.rows.length}: ${told(list.columns)}`] : []),
		...(list?.hasRival ? ['rival'] : []),
		...(list?.outside.rows ? [`outside: ${list.outside.rows} in ${list.outside.places}`] : []),
		...(list?.unlike ? [`unlike: ${list.unlike}`] : []),
		...(fields.length > 0 ? [`fields: ${told(fields)}`] : []),
	];
	expect(parts.join('; ')).toBe(expected);
	// Another library finds the same, and Maxun can use the selectors.
	const $ = load(html);
	const read = (row: Parameters<typeof $>[0], { selector, attribute }: Capture) => {
		const cell = (selector === '' ? $(row) : $(row).find(selector)).first();
		return attribute === 'innerText' ? cell.text() : (cell.attr(attribute) ?? '');
	};
	// A row without values, such as the head of a table, does not count.
	const rows = $(list?.rowSelector ?? 'none')
		.get()
		.filter((row) => list?.columns.some((column) => read(row, column)));
	expect(rows.length).toBe(list?.rows.length ?? 0);
	for (const column of list?.columns ?? []) {
		const problems = [rowProblem(list?.rowSelector ?? ''), columnProblem(column.selector)];
		expect(problems).toEqual([undefined, undefined]);
		if (column.attribute !== 'innerText') continue;
		const texts = rows.map((row) => read(row, column));
		expect(list?.rows.map((row) => row[column.name])).toEqual(texts);
	}
});

it.each<[html: string, text: string, selector: string]>([
	['<p><a class="next" href="/2">Next</a></p>', 'next', "//a[normalize-space()='Next']"],
	['<ul><li class="next"><a>Next</a></li></ul>', 'Next', "//a[normalize-space()='Next']"],
	['<a class="page">Previous</a><a class="page">Next</a>', 'Next', "//a[normalize-space()='Next']"],
	[
		'<nav><b>Next</b></nav><button><span>More</span></button>',
		'More',
		"//button[normalize-space()='More']",
	],
	['<button class="more"><i>+</i><span>Show more</span></button>', 'Show more', 'button.more'],
	['<button>Next page</button>', 'Next', "//button[normalize-space()='Next page']"],
	['<a>1</a><a class="more">Load more (24)</a>', 'Load more (24)', 'a.more'],
	["<a>Page d'accueil</a><a class='more'>Suite, et fin</a>", 'Suite, et fin', 'a.more'],
	[
		'<div><div role="button"><em>Weiter</em></div></div>',
		'Weiter',
		'body > div:nth-of-type(2) > div',
	],
	[
		'<a><svg><title>Arrow</title><path></path></svg>Next</a><button>Next</button>',
		'Next',
		'body > a',
	],
	['<p><a class="next">Page&nbsp;suivante</a></p>', 'Page suivante', 'a.next'],
	['<a class="load"><span><b>Load</b><i>more</i></span></a>', 'Load more', 'a.load'],
	['<p>Nothing else</p>', 'Nothing else', "//p[normalize-space()='Nothing else']"],
])('in %s, the button %s is clicked by %s', async (html, text, selector) => {
	const button = { name: 'Button', attribute: 'innerText', values: [text], isSingle: true };
	const examples = [...columnsOf({ Name: 'Desk 1', Price: '$19.00' }), button];
	const page = shop.replace('</body>', `${html}</body>`);
	const found = await induce(page, 'https://shop.example/', examples, pause);
	expect(found).toMatchObject({ fields: [{ name: 'Button', selector }] });
	expect(paginationProblem(selector)).toBeUndefined();
});
