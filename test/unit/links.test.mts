import { describe, expect, it } from 'vitest';
import { addressOf } from '../../nodes/Maxun/http/links';
import { changesOf, type ChangeSettings } from '../../nodes/Maxun/results/changes';
import type { Part } from '../../nodes/Maxun/results/captured';

const ADDRESS = 'https://shop.example/a/%C3%BC(1)';

it.each([
	ADDRESS,
	'HTTPS://shop.example/a/%C3%BC(1)',
	'https://Shop.Example/a/%C3%BC(1)',
	'https://shop.example./a/%C3%BC(1)',
	'https://shop.example:443/a/%C3%BC(1)',
	'https://shop.example/a/%C3%BC(1)/',
	'https://shop.example/a/%C3%BC(1)//',
	'https://shop.example/a/%C3%BC(1)#top',
	'https://shop.example/a/%C3%BC(1)/#',
	'https://shop.example/a/%C3%BC(1)?',
	'https://shop.example/a/%c3%bc(1)',
	'https://shop.example/a/ü(1)',
	'https://shop.example/a/u\u0308(1)',
	'https://shop.example/a/%C3%BC%281%29',
	'https://shop.example/%61/%C3%BC(1)',
	'https://shop.example/./b/../a/%C3%BC(1)',
	'https:\\\\shop.example\\a\\%C3%BC(1)',
	'  https://shop.example/a/%C3%BC(1)\n',
	'\u200bhttps://shop.example/a/%C3%BC(1)\u200b',
	'\ufeffhttps://shop.example/a/%C3%BC(1)\u00a0\u200e',
	'//shop.example/a/ü(1)',
])('%j has the same address', (url) => {
	expect(addressOf(url)).toBe(ADDRESS);
});

it.each([
	'http://shop.example/a',
	'https://shop.example:8443/a',
	'https://www.shop.example/a',
	'https://shop.example/A',
	'https://shop.example/b/a',
	'https://shop.example/b%2Fa',
	'https://shop.example/a?b=1',
	'https://shop.example/a?b=1&c=2',
	'https://shop.example/a?b=1%26c=2',
	'https://shop.example/a#/cart',
	'https://shop.example/a#!/cart',
	'https://shop.example/%E4',
	'https://shop.example/%F6',
	'mailto:a@shop.example',
	'tel:+49 30 123',
	'#sale',
	'#new',
	'24/7',
	'C#',
	'Really?',
	'/',
	'',
	'100% cotton',
	'\ud800',
	`https://shop.example/${'a'.repeat(2_000)}`,
])('%j has its own address', (url) => {
	expect(addressOf(addressOf(url))).toBe(addressOf(url));
	expect(addressOf(url)).not.toBe(addressOf('https://shop.example/a'));
	const others = ['#sale', '24/7', '/', 'https://shop.example/b/a', 'https://shop.example/%E4'];
	expect(others.filter((other) => addressOf(url) === addressOf(other))).toEqual(
		others.filter((other) => url === other),
	);
});

const LINKS = [
	'https://shop.example/p',
	'HTTP://Shop.Example/p/',
	'https://shop.example',
	'https://shop.example:8443/p',
	'https://user@shop.example/p',
	'https://bücher.example/p',
	'https://[::1]/p',
	'https://shop.example/p_(1)',
	'https://shop.example/a,b;c/p',
	'https://shop.example/#/p',
	'//shop.example/p',
	'www.shop.example/p',
	'shop.example/p',
	'/p/1',
	'/',
	'./p',
	'../p.html',
	'p/1',
	'product.php',
	'',
];
const QUERIES = ['visit=1', 'a[]=1&b=2', 'q=(1)&r=2', 'q=a+b%20c', 'u=https://x.example/?y=1&z'];
const TEXTS: Array<[form: string, of: (link: string) => string]> = [
	['a cell', (link) => link],
	['Markdown', (link) => `See [the desk](${link}), please`],
	['Markdown with a title', (link) => `![Desk](${link} "Oak")`],
	['a link in angle brackets', (link) => `<${link}>`],
	['HTML', (link) => `<p><a href="${link.replaceAll('&', '&amp;')}">Desk</a></p>`],
	['JSON', (link) => JSON.stringify({ url: link, name: 'Desk' })],
	['brackets', (link) => `Desk (${link}).`],
	['two links in a line', (link) => `[Desk](${link})[Lamp](${link})`],
];

const row = (cell: string): Part[] => [{ kind: 'rows', list: '', rows: [{ Name: 'Desk', cell }] }];
const differ = async (before: string, after: string, settings: ChangeSettings = {}) =>
	(await changesOf(row(before), row(after), settings, async () => {})).length > 0;

describe.each(TEXTS)('with Ignore Query Parameters, in %s', (_form, textOf) => {
	it.each(LINKS)('parameters of %j are ignored', async (link) => {
		for (const query of QUERIES) {
			const [before, after] = [query, `${query}2&v=3`].map((all) => textOf(`${link}?${all}`));
			expect(await differ(before, after), after).toBe(true);
			expect(await differ(before, after, { ignoreQuery: true }), after).toBe(false);
			const other = textOf(`${link}x?${query}`);
			expect(await differ(before, other, { ignoreQuery: true }), other).toBe(true);
		}
	});
});

it.each([
	['https://shop.example/p', 'https://shop.example/p/'],
	['https://shop.example/p', 'https://shop.example/p#top'],
	['/p', '/p/#top'],
	['[Desk](https://shop.example/p)', '[Desk](https://shop.example/p/#top)'],
])('%j and %j are the same', async (one, other) => {
	expect(await differ(one, other)).toBe(false);
});

it.each([
	['Really?yes', 'Really?no'],
	['#sale', '#new'],
	['Size 1/2#3', 'Size 1/2#4'],
	['詳細はhttps://shop.example/p?v=1です。次', '詳細はhttps://shop.example/p?v=1です。別'],
	['', '/'],
])('%j and %j differ', async (one, other) => {
	expect(await differ(one, other, { ignoreQuery: true })).toBe(true);
});
