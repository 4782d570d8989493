import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { xpathOfPage, xpathsWithin } from '../../nodes/Maxun/servers/sdk/cssToXPath';
import { HANDMADE, samples } from '../helpers/selectors.mts';
import { openBrowser } from './browser.mts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
	browser = await openBrowser();
	page = await browser.newPage();
});
afterAll(async () => await browser.close());

/**
 * What CSS and XPath select, as positions of elements on the page.
 * @param within the XPath of the element in which CSS selects
 */
const selected = async (pairs: Array<[css: string, xpath: string]>, within?: string) =>
	await page.evaluate(
		([given, path]) => {
			const all = [...document.querySelectorAll('*')];
			const positions = (xpath: string) => {
				const type = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
				const found = document.evaluate(xpath, document, null, type);
				return Array.from({ length: found.snapshotLength }, (_, index) =>
					all.findIndex((element) => element === found.snapshotItem(index)),
				);
			};
			const [position = -1] = path === undefined ? [] : positions(path);
			const root = all[position] ?? document;
			return given.map(([css, xpath]) => ({
				css: [...root.querySelectorAll(css)].map((element) => all.indexOf(element)),
				xpath: positions(xpath),
			}));
		},
		[pairs, within] as const,
	);

it(`XPath selects what CSS selects: ${HANDMADE.selectors.length} selectors that people write`, async () => {
	await page.setContent(HANDMADE.page);
	const found = await selected(HANDMADE.selectors.map((css) => [css, xpathOfPage(css)]));
	const named = found.map(({ css, xpath }, index) => ({
		css,
		xpath,
		by: HANDMADE.selectors[index],
	}));
	expect(named.map(({ by, xpath }) => [by, xpath])).toEqual(named.map(({ by, css }) => [by, css]));
	expect(found.filter(({ css }) => css.length > 0).length).toBeGreaterThan(100);
});

it('XPath selects what CSS selects: 500 generated pages and selectors', async () => {
	let matches = 0;
	for (const [html, css] of samples(500)) {
		await page.setContent(html);
		const [found] = await selected([[css, xpathOfPage(css)]]);
		expect([css, html, found?.xpath]).toEqual([css, html, found?.css]);
		if (found && found.css.length > 0) matches++;
	}
	expect(matches).toBeGreaterThan(120);
});

it('a path within an element selects what querySelectorAll selects there', async () => {
	await page.setContent(HANDMADE.page);
	const item = '//li[1]';
	for (const css of [
		'> h2',
		':scope > .price',
		'.name a',
		'h2, span',
		'ul .price',
		'> h2 a, img',
		'*',
		'span + span',
	]) {
		const paths = xpathsWithin(css).map((path) => item + path);
		const scoped = css
			.split(',')
			.map((part) => part.trim().replace(/^>/, ':scope >'))
			.join(', ');
		const [found] = await selected([[scoped, paths.join(' | ')]], item);
		expect([css, found?.xpath]).toEqual([css, found?.css]);
		expect(found?.css.length).toBeGreaterThan(0);
	}
});
