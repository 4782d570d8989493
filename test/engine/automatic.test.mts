import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { DESKS, PAGES, useDesks } from './support/desks.mts';
import { succeeded } from './support/details.mts';
import { extractOn, QUICK, textOf } from './support/extract.mts';

// The URL is enough to get rows, without examples.

const sandbox = useSandbox({ settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 } });
const { url, show } = useDesks();
const PRODUCTION = { mode: 'trigger' as const };
const AUTOMATIC = { specifyFields: 'automatic' };
const DESK_ROWS = DESKS.map(({ name, price }) => ({ Title: name, Price: price }));

const productPage = (price: string, shown = price) =>
	`<html><head><title>Oak desk</title><script type="application/ld+json">${JSON.stringify({
		...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Oak desk', sku: 'D-2' },
		offers: { price, priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
	})}</script></head><body><h1>Oak desk</h1><b>$${shown}</b><p>A desk of solid oak.</p></body></html>`;

describe.each(['cloud', 'selfHosted'])('rows without examples on the server %s', (server) => {
	const { run, created, succeed } = extractOn(sandbox, server);
	const extract = async (more: INodeParameters = {}, given = {}) =>
		await run(
			'web',
			'extractRows',
			{ url: url(), ...AUTOMATIC, ...more, options: { ...QUICK, ...Object(more.options) } },
			given,
		);
	const changes = async (options: INodeParameters = {}) =>
		succeeded(
			await run(
				'web',
				'getChanges',
				{ urls: url(), what: 'rows', ...AUTOMATIC, options: { ...QUICK, ...options } },
				PRODUCTION,
			),
		);

	it('returns the rows of the main list, and says what it found', async () => {
		const { json, hints } = succeeded(await extract());
		expect(json).toMatchObject(DESK_ROWS);
		expect(hints).toContainEqual(
			expect.stringMatching(
				/^The node found the rows by itself: 5 rows with 'Title', 'Price', such as 'Walnut desk', '\$149\.00'/,
			),
		);
	});

	it('says what it found on three of eight pages, and on which', async () => {
		const pages = Array.from({ length: 8 }, (_, at) => `${sandbox.siteUrl}/products/${at + 1}`);
		const items = pages.map((page) => ({ page }));
		const { hints } = succeeded(await extract({ url: '={{ $json.page }}' }, { items }));
		const [found] = hints.filter((hint) => hint.startsWith('The node found the rows by itself'));
		expect(found).toMatch(
			/^[^:]+:( 1 Product with 'name'.+? on \S+\/products\/\d,){3} and 5 more$/,
		);
	});

	it('reads all pages if a button has a text', async () => {
		const form = {
			url: `${sandbox.siteUrl}/products`,
			pagination: 'clickNext',
			buttonText: 'Next',
		};
		const { json } = succeeded(await extract(form));
		expect(json).toHaveLength(24);
		expect(json[0]).toMatchObject({
			...{ Title: 'Walnut desk', Price: '$249.00' },
			Link: `${sandbox.siteUrl}/products/1`,
		});
	});

	it('converts columns to types', async () => {
		const columns = { values: [{ column: 'Price', type: 'number', name: 'price' }] };
		const { json } = succeeded(await extract({ options: { columns } }));
		expect(json).toEqual(DESKS.map((_, at) => ({ price: 149 + at * 25 })));
	});

	it('a page about one thing becomes a row with what it declares', async () => {
		show(productPage('174.00'));
		const { json, hints } = succeeded(await extract());
		expect(json).toMatchObject([
			{ name: 'Oak desk', price: '174.00', currency: 'USD', availability: 'in stock', sku: 'D-2' },
		]);
		expect(hints.join()).toContain("1 Product with 'name'");
		expect(hints.join()).not.toContain('may not be');
		show(productPage('174.00', '99.00'));
		const doubted = await extract();
		expect(doubted.hints.join()).toContain('174.00 is not among the prices on the page');
	});

	it('later production executions read the same columns with one run', async () => {
		succeeded(await extract({}, PRODUCTION));
		show(PAGES.old.replace('$174.00', '$99.00'));
		const before = await sandbox.count(/^POST \S+\/(runs|execute)$/);
		const { json } = succeeded(await extract({}, PRODUCTION));
		expect(json[1]).toMatchObject({ Title: 'Oak desk', Price: '$99.00' });
		expect((await sandbox.count(/^POST \S+\/(runs|execute)$/)) - before).toBe(1);
	});

	it('if the rows are gone, the node does not read other rows, but says how to find them again', async () => {
		const posts = '<aside><h2>Popular posts</h2><ul>%</ul></aside>'.replace(
			'%',
			DESKS.map(({ name }) => `<li><a href="/${name}">All about the ${name}</a></li>`).join(''),
		);
		const closed = `<html><body><h1>Desks</h1><p>We are closed today.</p>${posts}</body></html>`;
		succeeded(await extract({}, PRODUCTION));
		show(closed);
		const { error } = await extract({}, PRODUCTION);
		expect(error && textOf(error)).toMatch(
			/lost its rows.* select another entry in 'Rows to Read'/,
		);
		const empty = await extract({ options: { ifNoData: 'nothing' } }, PRODUCTION);
		expect(succeeded(empty).json).toEqual([]);
		show(PAGES.old);
		expect(succeeded(await extract({}, PRODUCTION)).json).toMatchObject(DESK_ROWS);
	});

	it('a page without rows causes an error that says what to do', async () => {
		show('<html><body><p>We are closed.</p></body></html>');
		const { error } = await extract();
		expect(error && textOf(error)).toMatch(
			/did not find any rows on .* 'Describe the Data' to 'By Example'/,
		);
		const links = DESKS.map(({ name }) => `<li><a href="/${name}">${name}</a></li>`).join('');
		show(`<html><body><nav><ul>${links}</ul></nav></body></html>`);
		const menu = await extract();
		expect(menu.error && textOf(menu.error)).toMatch(
			/did not find any rows on .* select 'List 1' \(\d+ rows, such as /,
		);
		expect(succeeded(await extract({ rowsToRead: 'list1' })).json).toHaveLength(DESKS.length);
		show(PAGES.old);
		const wrong = await extract({ rowsToRead: 'list5' });
		expect(wrong.error && textOf(wrong.error)).toMatch(/select 'List 1'/);
		const thing = await extract({ rowsToRead: 'thing' });
		expect(thing.error && textOf(thing.error)).toMatch(/select 'List 1'/);
	});

	it('a robot reads the rows, or the thing that a page is about', async () => {
		const lists = await created({ url: url(), ...AUTOMATIC, name: unique('Desks') });
		const rowsIn = async ({ id }: { id?: unknown }) =>
			await succeed('run', 'runAndWait', {
				robotId: locator(String(id)),
				options: { ...QUICK, output: 'rows' },
			});
		expect(await rowsIn(lists)).toMatchObject(DESK_ROWS);
		show(productPage('174.00'));
		const thing = await created({ url: url(), ...AUTOMATIC, name: unique('Desk') });
		show(productPage('99.00'));
		expect(await rowsIn(thing)).toMatchObject([{ name: 'Oak desk', price: '99.00' }]);
	});

	it('Get Changes returns what has changed, without a key column', async () => {
		const first = await changes();
		expect(first.json).toEqual([]);
		show(PAGES.old.replace('$174.00', '$99.00'));
		expect((await changes()).json).toMatchObject([
			{ change: 'changed', Title: 'Oak desk', Price: '$99.00', before: { Price: '$174.00' } },
		]);
		expect((await changes()).json).toEqual([]);
	});

	it('Get Changes compares rows even if titles are equal, and does not identify rows by ignored columns', async () => {
		const twice = PAGES.old.replace(
			'<ul>',
			'<ul><li class="product"><h2 class="name">Oak desk</h2></li>',
		);
		show(twice);
		await changes({ ignoreFields: ['Title'] });
		expect((await changes({ ignoreFields: ['Title'] })).json).toEqual([]);
	});

	it('Get Changes compares the data that a page declares', async () => {
		show(productPage('174.00'));
		await changes();
		show(productPage('99.00'));
		const onlyIf = { values: [{ condition: 'fallsBelow', column: 'price', value: '100' }] };
		expect((await changes({ onlyIf })).json).toMatchObject([
			{ change: 'changed', name: 'Oak desk', price: '99.00', before: { price: '174.00' } },
		]);
		expect((await changes({ onlyIf })).json).toEqual([]);
	});
});
