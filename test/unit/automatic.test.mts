import { describe, expect, it } from 'vitest';
import { findOn } from '../../nodes/Maxun/automatic/find';
import { spotsOf } from '../../nodes/Maxun/automatic/groups';
import { slotsOf } from '../../nodes/Maxun/automatic/slots';
import { kindOf } from '../../nodes/Maxun/automatic/valueKinds';
import { Page, sampleOf } from '../../nodes/Maxun/html/page';
import { readElements } from '../../nodes/Maxun/html/reader';
import { thingOn } from '../../nodes/Maxun/html/thing';
import { shopOf } from '../helpers/shops.mts';

const URL_OF_PAGE = 'https://shop.example/desks';
const pause = async () => await Promise.resolve();
const found = async (body: string, head = '') =>
	await findOn(`<html><head>${head}</head><body>${body}</body></html>`, URL_OF_PAGE, pause);
const thing = async (head: string, body = '') =>
	await thingOn(`<html><head>${head}</head><body>${body}</body></html>`, URL_OF_PAGE, pause);

const WOODS = ['Oak', 'Walnut', 'Pine', 'Ash', 'Beech', 'Cherry', 'Maple', 'Elm'];
const card = (wood: string, at: number) =>
	`<li class="card"><a href="/p/${at}"><h2>${wood} desk</h2></a><span class="price">$${at + 1}49.00</span></li>`;
const CARDS = WOODS.map(card);
const LIST = `<ul>${CARDS.join('')}</ul>`;
/** Elements of a page, one for each wood. */
const ofWoods = (make: (wood: string, at: number) => string, woods = WOODS) =>
	woods.map(make).join('');

const MENU = ofWoods((wood) => `<li><a href="/${wood}">All of ${wood}</a></li>`);

/** The columns and the rows of the best list. */
async function best(body: string) {
	const [list] = (await found(body)).lists;
	if (!list) throw new Error('The page has a list');
	return { ...list, names: list.columns.map(({ name }) => name) };
}

it.each([41, 80, 90, 92, 120, 165, 252, 378])(
	'a sample of %i rows that alternate has rows of each kind',
	(length) => {
		for (const kinds of [2, 3]) {
			const sample = sampleOf(
				Array.from({ length }, (_, at) => at % kinds),
				40,
			);
			expect(sample).toHaveLength(40);
			expect(new Set(sample).size).toBe(kinds);
		}
	},
);

describe('the best list', () => {
	it('has a name, a selector and an attribute for each column', async () => {
		const { lists } = await found(LIST);
		expect(lists).toEqual([
			{
				rowSelector: 'li.card',
				columns: [
					{ name: 'Title', selector: 'h2', attribute: 'innerText' },
					{ name: 'Link', selector: 'a', attribute: 'href' },
					{ name: 'Price', selector: 'span.price', attribute: 'innerText' },
				],
				rows: WOODS.map((wood, at) => ({
					...{ Title: `${wood} desk`, Link: `https://shop.example/p/${at}` },
					Price: `$${at + 1}49.00`,
				})),
				...{ doubt: undefined, isMenu: false },
			},
		]);
	});

	it.each([
		['a menu', `<nav><ul>${MENU}</ul></nav>`],
		[
			'a footer',
			`<footer>${ofWoods((wood, at) => `<p><a href="/f/${at}">${wood}</a> a</p>`)}</footer>`,
		],
		['a hidden copy', `<div style="display: none">${LIST.replaceAll('desk', 'lamp')}</div>`],
		[
			'a template',
			'<template><li class="card"><h2>{{name}}</h2><a href="/{{id}}">{{name}}</a></li></template>',
		],
	])('is not %s', async (_, other) => {
		const { rows } = await best(other + LIST + other);
		expect(rows.map(({ Title }) => Title)).toEqual(WOODS.map((wood) => `${wood} desk`));
	});

	const parts = [1, 3, 6, 8].map((to, at, all) => CARDS.slice(all[at - 1] ?? 0, to).join(''));
	const sections = WOODS.slice(0, 4).map((wood) => `<section><h3>${wood}</h3>${wood}</section>`);

	it.each([
		['between advertisements', `<ul>${CARDS.join('<li class="ad">Our newsletter</li>')}</ul>`],
		['in several containers', parts.map((part) => `<h3>Part</h3><ul>${part}</ul>`).join('')],
		['in a row of another list', `<div>${sections.join('')}<section>${LIST}</section></div>`],
	])('may be %s', async (_, body) => {
		expect((await best(body)).rows).toHaveLength(WOODS.length);
	});

	const CITIES = WOODS.map((wood, at) => [`${wood} City`, `${at}102650`, `${at}05`]);
	const city = ([name = '', ...cells]: string[]) =>
		`<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
	const header = (...cells: string[]) => `<tr>${cells.join('')}</tr>`;

	it.each([
		[header('<th>Name</th>', '<th>People</th>', '<th>Area</th>'), ['Name', 'People', 'Area']],
		[header('<td></td>', '<th>People</th>', '<th>Area</th>'), ['Title', 'People', 'Area']],
		[header('<th>Name</th>', '<th colspan=2>Figures</th>'), ['Name', 'Figures', 'Figures 2']],
		[
			header('<th rowspan=2>Name</th>', '<th colspan=2>Figures</th>') +
				header('<th>People</th>', '<th>Area</th>'),
			['Name', 'People', 'Area'],
		],
		[header('<th>Name</th>', '<th>People</th>'), ['Title', 'Number', 'Number 2']],
		['', ['Title', 'Number', 'Number 2']],
	])('takes names only from a header with as many cells: %s', async (head, wanted) => {
		const body = CITIES.map(city).join('');
		const inHead = await best(`<table><thead>${head}</thead><tbody>${body}</tbody></table>`);
		const inBody = await best(`<table><tbody>${head}${body}</tbody></table>`);
		for (const { names, rows } of head.includes('<td') ? [inHead] : [inHead, inBody]) {
			expect(names).toEqual(wanted);
			expect(rows.map((row) => Object.values(row))).toEqual(CITIES);
		}
	});

	it('is nested as on the page, even if a script has nested elements as HTML does not allow', async () => {
		const { names } = await best(LIST.replaceAll('li', 'p').replaceAll('span', 'div'));
		expect(names).toEqual((await best(LIST)).names);
	});

	it('has the rows of closed tabs if these fill as many columns', async () => {
		const tab = (from: number) =>
			`<div${from ? ' style="display: none"' : ''}><ul>${CARDS.slice(from, from + 2).join('')}</ul></div>`;
		expect((await best([0, 2, 4, 6].map(tab).join(''))).rows).toHaveLength(WOODS.length);
		const other = (one: string) => one.replace(/<li.*<h2>/, '<li><h2>').replace('</a>', '');
		const bare = [2, 4, 6].map((from) => other(tab(from)).replace(/<span.*?n>/g, ''));
		expect((await best(tab(0) + bare.join(''))).rows).toHaveLength(2);
	});

	it.each([
		['20240102', 'Number'],
		['9783161484100', 'Number'],
		['030 1234567', 'Phone'],
		['(030) 1234567', 'Phone'],
		['+49301234567', 'Phone'],
	])('has phone numbers only if they look like phone numbers: %s', (value, kind) => {
		expect(kindOf('innerText', [value])).toBe(kind);
	});

	it.each([
		['Text', ['Sleeping Mat R4', 'Camp Chair', 'Dry Bag 2']],
		['Text', [...WOODS.map((wood) => `${wood} 3`), 'Gel 400']],
		['Text', ['R 1250 GS', 'Tiger 900']],
		['Price', ['R 120', 'R99.90']],
		['Price', ['1,980円(税込)', '税込 1,980円']],
		['Price', ['от 1 200 р.', '120 р. за кг']],
		['Price', [...WOODS.slice(2).map(() => 'Sold out'), '9 kr']],
	])('are %s for %j', (kind, values) => {
		expect(kindOf('innerText', values)).toBe(kind);
	});

	it('has the e-mail address once, even if a link is misspelled', async () => {
		const people = [...WOODS, ...WOODS].map(
			(wood, at) =>
				`<li><h3>${wood} Smith ${at}</h3><a href="mailto:${at === 9 ? '%20' : ''}a${at}@b.example">a${at}@b.example</a></li>`,
		);
		expect((await best(`<ul>${people.join('')}</ul>`)).names).toEqual(['Title', 'Email']);
	});

	it.each([
		['Image', '<img data-src="/i/1?a&amp;b">', 'https://shop.example/i/1?a&b'],
		['Email', '<a class="mail" href="mailto:1@a.example">1@a.example</a>', '1@a.example'],
		['Phone', '<a class="tel" href="tel:+493022334-1">+49 30 22334 1</a>', '+49 30 22334 1'],
	])('has one column %s for %s', async (name, more, value) => {
		const { rows } = await best(withEach((at) => more.replaceAll('1', `${at + 1}`)));
		expect(rows[0]).toEqual({ ...(await best(LIST)).rows[0], [name]: value });
	});

	it('never blocks in rows that are deeply nested and have many classes', async () => {
		const classes = Array.from({ length: 40 }, (_, at) => `name-of-class-${at}`).join(' ');
		const open = `<div class="${classes}">`.repeat(300);
		const row = (wood: string) => `<li>${open}${wood}${'</div>'.repeat(300)}</li>`;
		const page = new Page(
			await readElements(`<ul>${WOODS.map(row).join('')}</ul>`, pause),
			...[URL_OF_PAGE, pause],
		);
		const rows = page.elements.filter(({ tag }) => tag === 'li');
		const slots = await slotsOf(page, await spotsOf(page), rows);
		expect(slots.map(({ key }) => key.length < 100)).toEqual([true]);
	});

	it('may consist of links', async () => {
		const links = CARDS.map((one) =>
			one.replace(/<li.*?<a/, '<a class="card"').replace('</a>', ''),
		);
		const { rows } = await best(links.map((one) => one.replace('</li>', '</a>')).join(''));
		expect(rows).toEqual((await best(LIST)).rows);
	});

	it.each([
		['German', ['Schreibtisch Eiche', 'Stuhl Kiefer', 'Regal Buche', 'Lampe Ahorn'], '1.249,00 €'],
		['Japanese', ['オークの机', '松の椅子', '桜の棚', '楓のランプ'], '￥12,490'],
		['Arabic', ['مكتب من البلوط', 'كرسي من الصنوبر', 'رف من الزان', 'مصباح من القيقب'], '١٢٤٩ ر.س'],
	])('may be %s', async (_, titles, price) => {
		const { rows } = await best(
			`<ul>${titles.map((title, at) => `<li><a href="/${at}">${title}</a><span>${price}</span><i>${at}</i></li>`).join('')}</ul>`,
		);
		expect(rows.map(({ Title }) => Title)).toEqual(titles);
	});

	it('has the link of its title, even if the link of an author comes first', async () => {
		const posts = WOODS.map(
			(wood, at) =>
				`<div class="post"><p class="by"><a class="author" href="/u/${at}">Writer number ${at}</a></p><a href="/p/${at}"><h2>${wood} is back</h2></a><p class="text">More about ${wood}.</p><span class="time">${at + 3} min read</span></div>`,
		);
		const { rows } = await best(posts.join(''));
		expect(rows[1]).toMatchObject({ Title: 'Walnut is back', Link: 'https://shop.example/p/1' });
	});

	it('has the title that is not a link, even if the author is a link', async () => {
		const posts = Array.from(
			{ length: 16 },
			(_, at) =>
				`<div class="post"><a href="/p/${at}"><img src="/i/${at}.png"></a><div class="ti">${WOODS[at % 8]}${at}</div><p><a href="/u/${at % 12}">Writer number ${at % 12}</a></p></div>`,
		);
		const { rows } = await best(posts.join(''));
		expect(rows[1]).toMatchObject({ Title: 'Walnut1', Link: 'https://shop.example/p/1' });
	});

	const alternating = (kinds: string[]) =>
		Array.from({ length: 12 }, (_, at) => [
			`<td>${at + 1}.</td><td><a href="/p/${at}">How to build desk number ${at} with ${WOODS[at % 8]}</a></td>`,
			`<td></td><td>${at * 7 + 3} points by <a href="/u/${at}">user${at}</a></td>`,
		])
			.flat()
			.map((cells, at) => `<tr${kinds[at % 2]}>${cells}</tr>`);

	it.each([
		['has rows of one kind', [' class="desk"', ' class="by"'], 12, undefined],
		['is doubtful if only their cells tell them apart', ['', ''], 24, 'Number'],
		['is doubtful if no selector tells them apart', ['', ' class="by"'], 24, 'Number'],
	])('of rows that alternate %s', async (_, kinds, count, column) => {
		const { rows, doubt } = await best(`<table>${alternating(kinds).join('')}</table>`);
		expect(rows).toHaveLength(count);
		expect(doubt).toBe(
			column && `rows of two kinds may alternate, because only some have '${column}'`,
		);
	});

	it('is not another list only because every second row lacks a column', async () => {
		const matches = Array.from(
			{ length: 20 },
			(_, at) =>
				`<tr><td>${at % 2 ? '' : `May ${at + 1}`}</td><td><a href="/t/${at}">${WOODS[at % 8]} United ${at}</a></td><td>${at % 5}</td></tr>`,
		);
		const news = WOODS.map(
			(wood, at) =>
				`<article><h3><a href="/n/${at}">${wood} United signs a new goalkeeper from abroad</a></h3><p>The club has announced this today.</p></article>`,
		);
		const { rows, doubt } = await best(`<table>${matches.join('')}</table>${news.join('')}`);
		expect(rows).toHaveLength(20);
		expect(doubt).toContain('rows of two kinds may alternate');
	});

	it('has at most 12 columns, whose names differ', async () => {
		const cells = (at: number) =>
			Array.from(
				{ length: 20 },
				(_, cell) => `<td>${'abcdefghijklmnopqrst'[cell]} ${WOODS[at]}</td>`,
			).join('');
		const { names } = await best(
			`<table>${WOODS.map((_, at) => `<tr>${cells(at)}</tr>`).join('')}</table>`,
		);
		expect(new Set(names).size).toBe(12);
		expect(names.filter((name) => name === '' || name.length > 40)).toEqual([]);
	});
});

describe('the doubt about a list', () => {
	it.each([
		['only 2 rows', CARDS.slice(0, 2).join('')],
		['menu', `<nav>${WOODS.map((wood) => `<a href="/${wood}">${wood}</a>`).join('')}</nav>`],
	])('is reported: %s', async (doubt, body) => {
		expect((await best(body)).doubt).toContain(doubt);
	});

	const jobs = WOODS.map((wood, at) => `<li><h3><a href="/j/${at}">${wood} turner</a></h3></li>`);

	it.each([
		['in the content', `<main><ul>${jobs.join('')}</ul></main>`],
		['with other columns', `<aside>${LIST}</aside>`],
	])('is not a menu if the list is %s', async (_, body) => {
		expect((await best(body)).doubt).toBeUndefined();
	});

	it.each(['src', 'data-src'])('is reported for pictures without %s', async (usual) => {
		const other = usual === 'src' ? 'data-src' : 'src';
		const { doubt } = await best(
			withEach((at) => `<img ${at < 3 ? other : usual}="/i/${at}.jpg">`),
		);
		expect(doubt).toBe("'Image' is empty or a placeholder in 3 rows");
	});

	it.each([
		['a placeholder', '<img src="data:image/gif;base64,R0lGOD" data-src="/i/1.jpg">', true],
		['nothing', '', false],
	])('is reported for pictures of which some are %s', async (_, picture, isSaid) => {
		const { doubt } = await best(withEach((at) => (at < 3 ? picture : `<img src="/i/${at}.jpg">`)));
		expect(doubt).toBe(isSaid ? "'Image' is empty or a placeholder in 3 rows" : undefined);
	});

	it.each(['<s>$500.00</s>', '<span class="price-was">$500.00</span>'])(
		'is not an old price that has its own column: %s',
		async (old) => {
			const { rows, doubt } = await best(withEach((at) => old.replace('$500', `$${at + 5}00`)));
			expect(rows[0]).toMatchObject({ Price: '$149.00', 'Old Price': '$500.00' });
			expect(doubt).toBeUndefined();
		},
	);

	it('is reported for texts in place of prices, even if most products are sold out', async () => {
		const cards = CARDS.map((one, at) => (at % 4 ? one.replace(/\$\d+\.00/, 'Sold out') : one));
		const { doubt } = await best(`<ul>${cards.join('')}</ul>`);
		expect(doubt).toBe("'Price' may have a wrong value in 6 rows, such as 'Sold out'");
	});

	it('is reported for texts and ranges of prices, but not for prices of the usual form', async () => {
		const prices = ['from $18', 'Free', '$25–60', '$8', '$32', '$38', '$45', '$5'];
		const cards = CARDS.map((one, at) => one.replace(/\$\d+\.00/, prices[at] ?? ''));
		const { doubt } = await best(`<ul>${cards.join('')}</ul>`);
		expect(doubt).toBe("'Price' may have a wrong value in 2 rows, such as 'Free'");
	});

	it('is reported if a row has two prices, and nothing shows which price applies', async () => {
		const { doubt } = await best(
			withEach((at) => (at % 3 ? '' : '<span class="price">$999.00</span>')),
		);
		expect(doubt).toMatch(/'Price' may|price may be/);
	});
});

/** The list with something more before each price. */
const withEach = (more: (at: number) => string) =>
	`<ul>${CARDS.map((one, at) => one.replace('<span', `${more(at)}<span`)).join('')}</ul>`;

it.each(['', '<h1>About us</h1><p>We make desks.</p>'])('has no list: %s', async (html) => {
	const nothing = { lists: [], thing: undefined, isThing: false };
	expect(await findOn(html, URL_OF_PAGE, pause)).toEqual(nothing);
});

it('a page has at most five lists', async () => {
	const parts = WOODS.map((wood, part) =>
		LIST.replaceAll('class="', `class="${wood}-`).replaceAll('/p/', `/${part}/`),
	);
	expect(
		(await found(parts.map((part) => `<section>${part}</section>`).join(''))).lists,
	).toHaveLength(5);
});

it.each([
	'<ul><li><a href="/1">Oak<b>',
	'<li'.repeat(50),
	'</div></p>',
	'<a href="//[">a</a>'.repeat(3),
])('a broken page is not an error: %s', async (html) => {
	await expect(findOn(html, URL_OF_PAGE, pause)).resolves.toBeDefined();
});

const ld = (value: unknown) =>
	`<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const PRODUCT = {
	...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Oak desk', sku: 'D-1' },
	brand: { '@type': 'Brand', name: 'Woods & Co' },
	image: ['/desk.jpg', '/back.jpg'],
	aggregateRating: { ratingValue: 4.5, reviewCount: 12 },
	offers: {
		...{ '@type': 'Offer', price: '249.00', priceCurrency: 'USD' },
		availability: 'https://schema.org/InStock',
	},
};
const metaTags = (tags: object) =>
	Object.entries(tags)
		.map(([name, value]) => `<meta name="${name}" content="${value}">`)
		.join('');
const SEEN = '<h1>Oak desk</h1><p>$249.00</p>';

describe('the thing that a page is about', () => {
	it('has flat fields, as declared', async () => {
		expect(await thing(ld(PRODUCT), SEEN)).toEqual({
			type: 'Product',
			fields: {
				...{ name: 'Oak desk', price: '249.00', currency: 'USD', availability: 'in stock' },
				...{ brand: 'Woods & Co', sku: 'D-1', rating: '4.5', reviews: '12' },
				...{ image: 'https://shop.example/desk.jpg', url: URL_OF_PAGE },
			},
			doubt: undefined,
		});
	});

	it.each([
		['in a graph', { '@graph': [{ '@type': 'WebPage', name: 'Shop' }, PRODUCT] }],
		['in an array', [{ '@type': 'Organization', name: 'Shop' }, PRODUCT]],
		['of several types', { ...PRODUCT, '@type': ['Thing', 'Product'] }],
		["as the page's content", { '@type': 'WebPage', name: 'Shop', mainEntity: PRODUCT }],
		['as the post of a blog', { '@type': 'Blog', blogPost: PRODUCT }],
		[
			"after a part with the page's address",
			[{ ...PRODUCT, name: 'Data', url: URL_OF_PAGE }, PRODUCT],
		],
		[
			'after one of the same name, elsewhere',
			['https://shop.example/old', URL_OF_PAGE.replace('https', 'http')].map((url, at) => ({
				...{ ...PRODUCT, url, brand: at === 0 ? 'Other' : 'Woods & Co' },
			})),
		],
		[
			'named by its ID',
			{
				'@graph': [
					{ ...PRODUCT, brand: { '@id': '#b' } },
					{ '@type': 'Brand', '@id': '#b', name: 'Woods & Co' },
				],
			},
		],
	])('may be declared %s', async (_, declared) => {
		expect((await thing(ld(declared), SEEN))?.fields).toMatchObject({
			name: 'Oak desk',
			brand: 'Woods & Co',
		});
	});

	it.each<[string, object[], string | undefined]>([
		['article about it', [{ ...PRODUCT, '@type': 'Article' }, { url: URL_OF_PAGE }], 'Product'],
		['place on the page', [{ '@id': '#desk' }], undefined],
	])('may have another name than the %s', async (_, given, type) => {
		const declared = given.map((one) => ({ ...PRODUCT, name: 'WX-1', ...one }));
		expect((await thing(ld(declared), SEEN))?.type).toBe(type);
	});

	it.each([
		['a comma at the end', (json: string) => json.replace(/}$/, ',}')],
		['a line break in a text', (json: string) => json.replace('Oak desk', 'Oak\n desk')],
		['CDATA', (json: string) => `//<![CDATA[\n${json}\n//]]>`],
		['comments', (json: string) => `<!-- ${json} -->`],
		['a semicolon', (json: string) => `${json};`],
		['entities', (json: string) => json.replace('Oak desk', 'Oak&nbsp;d&#101;sk')],
		['HTML', (json: string) => json.replace('Oak desk', '&lt;b class=a&gt;Oak</b>desk<br/>')],
	])('is read in spite of %s', async (_, broken) => {
		const script = `<script type="application/ld+json">${broken(JSON.stringify(PRODUCT))}</script>`;
		expect((await thing(script, SEEN))?.fields).toMatchObject({ name: 'Oak desk' });
	});

	it('does not exist if the JSON is broken', async () => {
		expect(
			await thing('<script type="application/ld+json">{"@type": "Product", "name":</script>'),
		).toBeUndefined();
	});

	it.each([
		['fifty products', Array.from({ length: 50 }, (_, at) => ({ ...PRODUCT, name: `Desk ${at}` }))],
		['only the shop', { '@type': 'FurnitureStore', name: 'Desk World', telephone: '1' }],
		[
			'concerts of an artist in the heading',
			[1, 2].map((at) => ({ '@type': 'MusicEvent', name: 'All desks', url: `/concerts/${at}` })),
		],
		['a featured product', { ...PRODUCT, name: 'Featured chair' }],
		['only the site', { '@type': 'WebSite', name: 'Oak desk', url: URL_OF_PAGE }],
		['a list', { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: PRODUCT }] }],
	])('is not declared by %s', async (_, declared) => {
		expect(await thing(ld(declared), '<h1>All desks</h1>')).toBeUndefined();
	});

	it('is the product in the heading, if there are several', async () => {
		const declared = ['Pine', 'Oak', 'Elm'].map((wood) => ({ ...PRODUCT, name: `${wood} desk` }));
		expect((await thing(ld(declared), SEEN))?.fields.name).toBe('Oak desk');
	});

	it.each(['', 'itemprop="mainEntity" '])(
		'may be declared as microdata, completed by meta tags: %s',
		async (place) => {
			const body = `<div itemscope><div ${place}itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Oak desk</h1>
			<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR">
			<b itemprop="price" content="249">249,00 €</b></div>
			<p itemprop="brand" itemscope><i itemprop="name">Woods</i></p></div></div>`;
			const head =
				'<meta property="og:image" content="/desk.jpg"><meta property="og:type" content="product">';
			expect((await thing(head, body))?.fields).toEqual({
				...{ name: 'Oak desk', price: '249', currency: 'EUR', brand: 'Woods' },
				...{ image: 'https://shop.example/desk.jpg', url: URL_OF_PAGE },
			});
		},
	);

	it.each([
		['&eacute;&Uuml;&szlig;&frac12;&euro;', 'éÜß½€'],
		['&constructor; &xconstructor; &toString;', '&constructor; &xconstructor; &toString;'],
		['For x<y and a>b use', 'For x<y and a>b use'],
		['<p>One</p><ul><li>Two</li></ul><img src="a">', 'One Two'],
	])('has texts as people see them: %s', async (description, seen) => {
		expect((await thing(ld({ ...PRODUCT, description }), SEEN))?.fields.description).toBe(seen);
	});

	it('does not take anything from things without an ID', async () => {
		const other = { '@type': 'Organization', name: 'Desk World', url: 'https://other.example' };
		const declared = { '@graph': [{ ...PRODUCT, brand: { '@type': 'Brand' } }, other] };
		expect((await thing(ld(declared), SEEN))?.fields).not.toHaveProperty('brand');
	});

	const costs = async (offers: unknown) => {
		const { fields } = (await thing(ld({ ...PRODUCT, offers }), SEEN)) ?? {};
		return [fields?.price, fields?.lowPrice, fields?.highPrice, fields?.currency];
	};

	it.each([
		['that differ', ['99.00', 249], [undefined, '99.00', '249', undefined]],
		['that are the same number', [249, '249.00'], ['249', undefined, undefined, undefined]],
	])('reads offers without a single price, but with prices %s', async (_, prices, seen) => {
		expect(await costs(prices.map((price) => ({ '@type': 'Offer', price })))).toEqual(seen);
	});

	it('is a job with its salary and place', async () => {
		const job = {
			...{ '@type': 'JobPosting', title: 'Joiner', hiringOrganization: { name: 'Woods' } },
			...{ jobLocationType: 'TELECOMMUTE', identifier: { name: 'Woods', value: 'J-7' } },
			...{ baseSalary: { minValue: 40, maxValue: 50, unitText: 'HOUR' }, salaryCurrency: 'USD' },
		};
		expect((await thing(ld(job), '<h1>Joiner</h1>'))?.fields).toEqual({
			...{ title: 'Joiner', company: 'Woods', jobLocationType: 'TELECOMMUTE', identifier: 'J-7' },
			...{
				minSalary: '40',
				maxSalary: '50',
				salaryUnit: 'HOUR',
				currency: 'USD',
				url: URL_OF_PAGE,
			},
		});
	});

	it.each([
		['Product', { 'product:price:amount': '249', 'product:gtin': '1' }],
		['Article', { 'article:published_time': '2024-01-02', author: 'Ann' }],
	])('may be declared only by meta tags: %s', async (type, tags) => {
		const title = { 'og:title': 'Oak desk - Shop', 'og:type': 'article' };
		const head = metaTags({ ...title, ...tags });
		const { type: own, fields = {} } = (await thing(head, SEEN)) ?? {};
		const wanted = ['Oak desk', URL_OF_PAGE, ...Object.values(tags)];
		expect([own, Object.values(fields).sort()]).toEqual([type, wanted.sort()]);
		expect(await thing(metaTags(title), SEEN)).toBeUndefined();
		expect((await found(SEEN + LIST, head)).isThing).toBe(false);
	});

	it('has no lowest price if its currencies differ', async () => {
		const offers = [
			{ price: 10, priceCurrency: 'EUR' },
			{ price: 12, priceCurrency: 'USD' },
		];
		expect(await costs(offers)).toEqual([undefined, undefined, undefined, undefined]);
		const range = { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 12, offers };
		expect(await costs(range)).toEqual([undefined, undefined, undefined, undefined]);
	});

	it.each([
		['for a quantity', { price: 3, referenceQuantity: { value: 1 } }],
		['before a discount', { price: 500, priceType: 'https://schema.org/ListPrice' }],
	])('has no price %s', async (_, other) => {
		const priceSpecification = [other, { price: 249, priceCurrency: 'USD' }];
		expect(await costs({ priceSpecification })).toEqual(['249', undefined, undefined, 'USD']);
	});

	it.each([
		['offers', { offers: [{ price: 99 }, { price: 249 }] }],
		['variants', { offers: [], hasVariant: [99, 249].map((price) => ({ offers: { price } })) }],
	])(
		'does not have a single price if its %s have prices, but only a meta tag has a single one',
		async (_, more) => {
			const meta = '<meta property="product:price:amount" content="99">';
			const { fields } = (await thing(ld({ ...PRODUCT, ...more }) + meta, SEEN)) ?? {};
			expect(fields).toMatchObject({ lowPrice: '99', highPrice: '249' });
			expect(fields).not.toHaveProperty('price');
		},
	);

	it.each([
		['Product', 'price currency brand availability'],
		['Article', 'author section published modified'],
		['Recipe', ''],
	])('takes from meta tags what a thing of its type has: %s', async (type, wanted) => {
		const tags = {
			...{ author: 'Ann', 'article:section': 'News', 'article:published_time': '2024-01-02' },
			...{ 'article:modified_time': '2024-01-03', 'product:price:amount': '249' },
			...{ 'product:price:currency': 'USD', 'product:brand': 'Woods' },
			'product:availability': 'in stock',
		};
		const declared = ld({ '@type': type, name: 'Oak desk', keywords: 'desk' });
		const { fields = {} } = (await thing(declared + metaTags(tags), SEEN)) ?? {};
		const own = Object.keys(fields).filter((name) => !/^(name|headline|keywords|url)$/.test(name));
		expect(own.sort()).toEqual(wanted.split(' ').filter(Boolean).sort());
	});

	it.each([
		['link', '<link rel="canonical" href="https://shop.example/p/1">'],
		['meta tag', '<meta property="og:url" content="https://shop.example/p/1">'],
	])('is on a page whose address is only in a %s', async (_, head) => {
		const declared = { ...PRODUCT, url: 'https://shop.example/p/1/' };
		const html = `${head}${ld(declared)}<h1>Sale</h1>`;
		expect((await thingOn(html, '', pause))?.fields).toMatchObject({
			...{ url: 'https://shop.example/p/1/', image: 'https://shop.example/desk.jpg' },
		});
		const other = `${head}${ld({ ...PRODUCT, url: undefined })}<h1>Oak desk</h1>`;
		expect((await thingOn(other, '', pause))?.fields.url).toBe('https://shop.example/p/1');
		expect(await thingOn(html.replaceAll('https://shop.example/p/1"', '/p/1"'), '', pause)).toBe(
			undefined,
		);
	});

	it.each([
		[
			'products',
			Array.from({ length: 3000 }, () => ({ '@type': 'Product', name: 'Desk', sku: 1 })),
		],
		['offers', { ...PRODUCT, offers: Array.from({ length: 3000 }, (_, at) => ({ price: at })) }],
	])('never blocks, even with 3,000 %s', async (_, declared) => {
		let rests = 0;
		const html = `${ld(declared)}<h1>Oak desk</h1>`;
		await thingOn(html, URL_OF_PAGE, async () => {
			rests++;
			await pause();
		});
		expect(rests).toBeGreaterThan(3000);
	});

	it.each([['$10.00'], ['$1,249.00'], ['$249.50'], ['2490']])(
		'is doubtful if people see another price: %s',
		async (price) => {
			expect((await thing(ld(PRODUCT), `<h1>Oak desk</h1><p>${price}</p>`))?.doubt).toBe(
				'the declared price 249.00 is not among the prices on the page',
			);
		},
	);

	const doubt = async (price: unknown, seen: string) =>
		(await thing(ld({ ...PRODUCT, offers: { price } }), `<h1>Oak desk</h1><p>${seen}</p>`))?.doubt;

	it.each([
		...[249, '249.00'].flatMap((price) =>
			['249,00 €', 'USD 249', '$<b>249</b><sup>00</sup>', 'Fr. 249.-'].map((seen) => [price, seen]),
		),
		...[19.9, '19.90'].flatMap((price) =>
			['19,90 €', '$<b>19</b><sup>90</sup>', '19.9'].map((seen) => [price, seen]),
		),
		...[0, '0.00'].map((price) => [price, 'Free']),
	])('is not doubtful if people see its price: %s as %s', async (price, seen) => {
		expect(await doubt(price, String(seen))).toBeUndefined();
	});

	it.each(['199 €', '19,95 €', '19,09 €', '19 €'])(
		'is doubtful if people see another price than 19.9: %s',
		async (seen) => {
			expect(await doubt(19.9, seen)).toContain('the declared price 19.9 is not');
		},
	);
});

describe('a page is about its thing', () => {
	const related = `<h2>Related</h2>${LIST}`;
	const long = `<p>${'This desk is made of oak, by hand, and lasts for years. '.repeat(20)}</p>`;

	it('if the heading names it, even with a list of related things', async () => {
		const { isThing, lists } = await found(SEEN + long + related, ld(PRODUCT));
		expect([isThing, lists[0]?.rows.length]).toEqual([true, WOODS.length]);
	});

	it('but not if the heading names something else', async () => {
		expect((await found(`<h1>Our shop</h1>${long}${related}`, ld(PRODUCT))).isThing).toBe(false);
	});

	it('and has the name in its title, even if its headline is a summary', async () => {
		const declared = { '@type': 'Article', name: 'Oak', headline: 'A hard wood', author: 'Ann' };
		const { thing } = await found(`<h1>Oak</h1><p>Oak is a hard wood.</p>`, ld(declared));
		expect(thing?.fields.headline).toBe('Oak');
	});

	it('but not if most of it is a list', async () => {
		const declared = { '@type': 'Article', headline: 'All desks', author: 'Ann' };
		const page = await found(`<h1>All desks</h1>${LIST}`, ld(declared));
		expect([page.isThing, page.thing?.type]).toEqual([false, 'Article']);
	});
});

const SHOPS = Number(process.env.TEST_SHOPS ?? 200);

it(`each wrong price in ${SHOPS} shops has a hint`, { timeout: 3_600_000 }, async () => {
	const wrong: number[] = [];
	for (let seed = 0; seed < SHOPS; seed++) {
		const { html, products } = shopOf(seed);
		const [list] = (await findOn(html, 'https://shop.example/', pause)).lists;
		const priceOf = new Map(list?.rows.map(({ Link = '', Price = '' }) => [Link, Price]));
		const isWrong = products.some(({ Link, Price }) => (priceOf.get(Link) || Price) !== Price);
		if (isWrong && !list?.doubt?.includes('Price')) wrong.push(seed);
	}
	expect(wrong).toEqual([]);
});
