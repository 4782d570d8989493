import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { repairOf } from '../../nodes/Maxun/byExample/repair';

const pause = async () => await Promise.resolve();

type Row = Record<string, string>;

/** Twelve rows of each kind. Some values are the same in several rows. */
const rowsOf = (make: (at: number) => Row) => Array.from({ length: 12 }, (_, at) => make(at));
const WOODS = ['Oak', 'Walnut', 'Pine', 'Ash', 'Beech', 'Cherry'];
const DESKS = rowsOf((at) => ({
	Name: `${WOODS[at % 6]} desk ${at < 6 ? 'small' : 'large'}`,
	Price: `$${190 + at * 37}.00`,
	Stock: at % 3 === 0 ? 'Sold out' : 'In stock',
	Link: `https://shop.example/p/${at}`,
}));
const CITIES = rowsOf((at) => ({
	City: `City of ${WOODS[at % 6]}${at > 5 ? ' Hills' : ''}`,
	Country: at % 4 === 0 ? 'Norway' : 'Sweden',
	People: `${at + 1},${(at * 131 + 200).toString().padStart(3, '0')},000`,
}));
const NEWS = rowsOf((at) => ({
	Title: `Why ${WOODS[at % 6].toLowerCase()} is ${at > 5 ? 'back' : 'gone'}`,
	Author: ['Ann Lee', 'Bo Ek', 'Cy Dam'][at % 3],
	Date: `2026-11-${(at + 10).toString()}`,
}));

interface Site {
	rows: Row[];
	columns: Array<{ name: string; selector: string; attribute: string }>;
	rowSelector: string;
	around: (rows: string) => string;
}
const text = (name: string, selector: string) => ({ name, selector, attribute: 'innerText' });
const SITES = {
	shop: {
		rows: DESKS,
		rowSelector: '.product',
		columns: [
			text('Name', '.name'),
			text('Price', '.price'),
			text('Stock', '.stock'),
			{ name: 'Link', selector: 'a', attribute: 'href' },
		],
		around: (rows) =>
			`<body><ul class="menu"><li><a href="/">Home</a></li><li><a href="/p">Desks</a></li></ul><h1>Desks</h1><main>${rows}</main><p>$5.00 for delivery</p></body>`,
	},
	table: {
		rows: CITIES,
		rowSelector: 'table.cities tr',
		columns: [
			text('City', 'td:nth-child(1)'),
			text('Country', 'td:nth-child(2)'),
			text('People', 'td:nth-child(3)'),
		],
		around: (rows) => `<body><h1>Cities of Norway and Sweden</h1>${rows}<p>1,200,000</p></body>`,
	},
	news: {
		rows: NEWS,
		rowSelector: 'article',
		columns: [text('Title', 'h2'), text('Author', '.by'), text('Date', 'time')],
		around: (rows) =>
			`<body><nav><a>Today</a><a>Ann Lee</a></nav><section>${rows}</section><aside><h2>Most read</h2><p>Why oak is gone</p></aside></body>`,
	},
	menu: {
		rows: DESKS.map(({ Name }, at) => ({ Name, City: CITIES[at].City })),
		rowSelector: '.section',
		columns: [text('Name', 'h2'), text('City', 'a')],
		around: (rows) => `<body><ul>${rows}</ul></body>`,
	},
	ingredients: {
		rows: DESKS,
		rowSelector: '.part',
		columns: [text('Name', 'b')],
		around: (rows) => `<body><h1>Parts</h1><ul>${rows}</ul></body>`,
	},
} satisfies Record<string, Site>;

const link = ({ Link }: Row) => Link.replace('https://shop.example', '');

/** What happened to the rows of a page. */
type Redesign = [
	expected: 'repaired' | 'left' | 'without Price',
	markup: (row: Row, at: number) => string,
	/** What is around the rows, which `|` stands for. */
	around?: string | ((rows: string[]) => string),
	change?: (row: Row, at: number) => Row,
];

const card = (row: Row, price: string) =>
	`<div class="item"><a class="title" href="${link(row)}">${row.Name}</a>${price}<i class="availability">${row.Stock}</i></div>`;
const simple = (row: Row) => card(row, `<span class="amount">${row.Price}</span>`);

const REDESIGNS: Record<keyof typeof SITES, Record<string, Redesign>> = {
	shop: {
		'renamed classes': ['repaired', simple],
		'hashed classes': [
			'repaired',
			(row) =>
				`<div class="sc-a1b2 kXyz"><h3 class="hQ9x"><a class="jT3z" href="${link(row)}">${row.Name}</a></h3><p class="x8Kd">${row.Price}</p><em class="pL2m">${row.Stock}</em></div>`,
			'<div class="css-1x9">|</div>',
		],
		'classes of CSS modules': [
			'repaired',
			(row) =>
				`<article class="Card_root__x1Y2z"><a class="Card_name__a8s7d" href="${link(row)}">${row.Name}</a><b class="Card_price__k3j4h">${row.Price}</b><small>${row.Stock}</small></article>`,
		],
		'utility classes': [
			'repaired',
			(row) =>
				`<div class="p-4 md:w-1/2"><a class="mt-2" href="${link(row)}">${row.Name}</a><span class="mt-2 font-bold">${row.Price}</span><span class="mt-2">${row.Stock}</span></div>`,
			'<div class="grid">|</div>',
		],
		'cards that are links': [
			'repaired',
			(row) =>
				`<a class="tile" href="${link(row)}"><h3>${row.Name}</h3><span>${row.Price}</span><u>${row.Stock}</u></a>`,
			'<div class="grid">|</div>',
		],
		'another order of rows and columns': [
			'repaired',
			(row) =>
				`<div class="item"><i>${row.Stock}</i><span class="amount">${row.Price}</span><a class="title" href="${link(row)}">${row.Name}</a></div>`,
			(rows) => rows.reverse().join(''),
		],
		'rows of other kinds between': [
			'repaired',
			(row, at) => simple(row) + (at % 4 ? '' : '<div class="ad"><a href="/x">Ad</a></div>'),
		],
		'a third of the rows replaced, and prices changed': [
			'repaired',
			simple,
			'|',
			(row, at) =>
				at % 3 === 0
					? { ...row, Name: `New ${at}`, Link: `https://shop.example/n/${at}` }
					: at % 3 === 1
						? { ...row, Price: `$${90 + at}.50` }
						: row,
		],
		'an old price that is crossed out': [
			'repaired',
			(row, at) => card(row, `${at % 2 ? '' : `<s>$${900 + at}.00</s>`}<b>${row.Price}</b>`),
		],
		'an old price with a class': [
			'repaired',
			(row, at) => {
				const old = at % 2 ? '' : `<span class="price-was">$${900 + at}.00</span>`;
				return card(row, `${old}<span class="price-now">${row.Price}</span>`);
			},
		],
		'two prices that look alike': [
			'left',
			(row, at) => card(row, `<b>$${900 + at}.00</b><b>${row.Price}</b>`),
		],
		'a sale: the last prices are the old ones': [
			'left',
			(row, at) =>
				card(row, `<s class="price">${DESKS[at].Price}</s><b class="sale">${row.Price}</b>`),
			'|',
			(row, at) => ({ ...row, Price: `$${99 + at}.00` }),
		],
		'a sale of some products, with one class for both prices': [
			'left',
			(row, at) => {
				const sale = at > 8 ? `<span class="amount">${row.Price}</span>` : '';
				return card(row, `<span class="amount">${DESKS[at].Price}</span>${sale}`);
			},
			'|',
			(row, at) => (at > 8 ? { ...row, Price: `$${99 + at}.00` } : row),
		],
		'three rows of four, and no class': [
			'repaired',
			simple,
			(rows) => [0, 4, 8].map((at) => `<div>${rows.slice(at, at + 4).join('')}</div>`).join(''),
		],
		'new rows in a list of another kind': [
			'left',
			simple,
			(rows) =>
				`<div class="seen">${rows.slice(0, 6).join('')}</div><div class="fresh">${rows.slice(6).join('')}</div>`,
			(row, at) =>
				at > 5 ? { ...row, Name: `New ${at}`, Link: `https://shop.example/n/${at}` } : row,
		],
		'an empty list': ['left', simple, '<p>No desks found</p>'],
		'prices in another currency': [
			'without Price',
			simple,
			'|',
			(row, at) => ({ ...row, Price: `€${170 + at * 33},00` }),
		],
		'only products that were seen': [
			'left',
			simple,
			(rows) => `<p>404</p><div class="seen">${rows.slice(0, 4).join('')}</div>`,
		],
		'the same list for phones': [
			'left',
			simple,
			(rows) =>
				`<div class="a">${rows.join('')}</div><ul class="b"><li>${rows.join('</li><li>')}</li></ul>`,
		],
	},
	table: {
		'columns swapped, and other numbers': [
			'left',
			(row) => `<tr><td>${row.Country}</td><td>${row.City}</td><td>${row.People}</td></tr>`,
			'<table class="data">|</table>',
			(row, at) => ({ ...row, People: `about ${at + 2} million` }),
		],
		'a table with other columns': [
			'repaired',
			(row, at) =>
				`<tr><td>${at}.</td><td>${row.City}</td><td>${row.People}</td><td>${row.Country}</td></tr>`,
			'<table><tr><th>No</th><th>City</th><th>People</th><th>Country</th></tr>|</table>',
		],
		'a table turned into cards': [
			'repaired',
			(row) =>
				`<div class="city"><h2>${row.City}</h2><div class="facts"><span class="land">${row.Country}</span><span class="people">${row.People}</span></div></div>`,
			'<div class="cards">|</div>',
		],
		'a table turned into a definition list': [
			'repaired',
			(row) =>
				`<dl class="entry"><dt>${row.City}</dt><dd>${row.Country}</dd><dd>${row.People}</dd></dl>`,
		],
		'labels in front of values': [
			'repaired',
			(row) =>
				`<li><b>City</b> <span>${row.City}</span> <b>Country</b> <span>${row.Country}</span> <b>People</b> <span>${row.People}</span></li>`,
			'<ul class="list">|</ul>',
		],
		'a second number of the same kind': [
			'left',
			(row, at) =>
				`<tr><td>${row.City}</td><td>${row.Country}</td><td>${at + 3},500,000</td><td>${row.People}</td></tr>`,
			'<table class="data">|</table>',
		],
		'new rows with one more value in front': [
			'left',
			(row, at) =>
				`<li><b>${row.City}</b><i>${row.Country}</i>${at > 9 ? '<span>Capital</span>' : ''}<span>${row.People}</span></li>`,
			'<ul class="list">|</ul>',
			(row, at) => (at > 9 ? { City: `New ${at}`, Country: 'Finland', People: `${at}` } : row),
		],
	},
	menu: {
		'sections and their links in one list': [
			'left',
			(row, at) => `<li class="entry"><a class="link">${at % 2 ? row.Name : row.City}</a></li>`,
		],
	},
	ingredients: {
		'amounts next to names': [
			'left',
			(row, at) =>
				`<li><span>${['1½', '1', '½', '¼ or ½'][at % 4]}</span><span>${row.Name}</span></li>`,
		],
	},
	news: {
		'the author next to an editor': [
			'repaired',
			(row, at) =>
				`<div class="story"><h3>${row.Title}</h3><em>${at % 2 ? row.Author : 'Ed Orr'}</em><em class="author">${row.Author}</em><time>${row.Date}</time></div>`,
		],
		'newer articles first': [
			'repaired',
			(row) =>
				`<li class="teaser"><h3><a href="/x">${row.Title}</a></h3><span class="author">${row.Author}</span><time>${row.Date}</time></li>`,
			'|',
			(row, at) =>
				at < 6 ? { Title: `News ${at}`, Author: 'Di Fox', Date: `2026-11-2${at}` } : row,
		],
		'dates in words': [
			'left',
			(row, at) =>
				`<div class="story"><h3>${row.Title}</h3><i>${row.Author}</i><time>${at + 10} November</time></div>`,
		],
		'another date of the same kind': [
			'left',
			(row, at) =>
				`<div class="story"><h3>${row.Title}</h3><i>${row.Author}</i><time>2026-12-${at + 10}</time><time>${row.Date}</time></div>`,
		],
	},
};

describe.each<keyof typeof SITES>(['shop', 'table', 'news', 'menu', 'ingredients'])(
	'repairing selectors of the %s',
	(name) => {
		const site: Site = SITES[name];

		it.each(Object.entries(REDESIGNS[name]))('%s', async (_, redesign) => {
			const [expected, markup, around = '|', change = (row) => row] = redesign;
			const now = site.rows.map(change);
			const markups = now.map(markup);
			const html = site.around(
				typeof around === 'string' ? around.replace('|', () => markups.join('')) : around(markups),
			);
			const given = { name: 'List', isPaged: false, ...site };
			const found = await repairOf(given, site.rows, html, 'https://shop.example/', pause);
			const { list: repaired, unknown = [] } = typeof found === 'string' ? {} : found;
			if (repaired) {
				const $ = load(html);
				const cells = $(repaired.rowSelector)
					.get()
					.map((row) =>
						repaired.columns.map(({ selector, attribute }) => {
							const cell = selector === '' ? $(row) : $(row).find(selector).first();
							return attribute === 'href' ? cell.attr('href') : cell.text();
						}),
					);
				const value = (row: Row, name: string) => (name === 'Link' ? link(row) : row[name]);
				const rows = now.map((row) =>
					site.columns.map(({ name }) => (unknown.includes(name) ? '' : value(row, name))),
				);
				const filled = cells.filter((row) => row.some(Boolean));
				expect(filled.map((row) => row.join(' | ')).sort()).toEqual(
					rows.map((row) => row.join(' | ')).sort(),
				);
			}
			const parts = ['without', ...unknown].join(' ');
			const kind = unknown.length > 0 ? parts : 'repaired';
			expect(repaired ? kind : 'left', JSON.stringify(found)).toBe(expected);
		});
	},
);
