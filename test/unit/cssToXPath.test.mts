import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { xpathOfPage, xpathsWithin } from '../../nodes/Maxun/servers/sdk/cssToXPath';
import { HANDMADE, samples } from '../helpers/selectors.mts';
import { elementsAt } from '../sandbox/engine/xpath.mts';

// test/host/selectors.test.mts also compares them in a browser.

describe('XPath selects what CSS selects', () => {
	const $ = load(HANDMADE.page);
	const all = $('*').toArray();
	const positions = (found: unknown[]) => found.map((node) => all.findIndex((it) => it === node));

	/** Selectors that browsers read differently from cheerio. */
	const otherwise = ['lineargradient', 'linearGradient', '[viewBox]'];
	it.each(HANDMADE.selectors.filter((css) => !otherwise.includes(css)))('%s', (css) => {
		expect(positions(elementsAt($, xpathOfPage(css)))).toEqual(positions($(css).toArray()));
	});

	it('on any page', () => {
		for (const [html, css] of samples(200)) {
			const page = load(html);
			const found = elementsAt(page, xpathOfPage(css));
			expect([css, html, found.length]).toEqual([css, html, page(css).length]);
			expect(found.every((element) => page(element).is(css))).toBe(true);
		}
	});
});

it.each([
	['li.product', '//li[contains(concat(" ", normalize-space(@class), " "), " product ")]'],
	[
		'ul > li, h2 + p',
		'//*[(self::li and parent::ul or self::p and preceding-sibling::*[1]/self::h2)]',
	],
	['[data-price="$5"]', '//*[@data-price = concat("$", "5")]'],
	['[data-path="a>>b"]', '//*[@data-path = concat("a>", ">b")]'],
])('%s becomes %s', (css, xpath) => {
	expect(xpathOfPage(css)).toBe(xpath);
});

it.each([
	['a.name', ['//a[contains(concat(" ", normalize-space(@class), " "), " name ")]']],
	['> a', ['/a']],
	[':scope > a, b', ['/a', '//b']],
	[':scope', ['']],
	[':scope a', ['//a']],
])('within an element, %s becomes %j', (css, paths) => {
	expect(xpathsWithin(css)).toEqual(paths);
});

it.each([
	['li:hover', "':hover' cannot be used. Remove it"],
	['.md:w-1/2', "':w-1' cannot be used. If it is part of a class, write .md\\:w-1\\/2"],
	['div.lg:px-4 > a', "':px-4' cannot be used. If it is part of a class, write .lg\\:px-4"],
	['li::before', "'before' cannot be used. Remove it and its colons, because it is not an element"],
	[
		'a:contains("x")',
		`':contains' cannot be used. Write XPath, for example //li[contains(., "Sold out")]`,
	],
	['li:eq(2)', "':eq' cannot be used. Write :nth-child(), which counts from 1"],
	['.a:nth-of-type(2)', "':nth-of-type' cannot be used. Write the name of the element before it"],
	['li:nth-child(x)', `'(x)' cannot be used. Write a number, 'odd', 'even' or 2n+1`],
	['[data-id=1]', "'1]' cannot be used. Write it in quotation marks"],
	['#1', `'1' cannot be used. Write an ID, as in [id="1"]`],
	['svg|a', "'|a' cannot be used. Remove it"],
	['> a', "'>' cannot be used. Write an element instead"],
	['li:not(:scope)', "':scope' cannot be used. Write an element instead"],
	['li >', "'the end of li >' cannot be used. Write an element, a class or an attribute instead"],
	['a,', "'the end of a,' cannot be used. Write an element, a class or an attribute instead"],
	['a b)', "')' cannot be used. Remove it"],
	['a ! b', "'!' cannot be used. Write an element, a class or an attribute instead"],
])('%s is rejected', (css, message) => {
	expect(() => xpathOfPage(css)).toThrow(message);
});
