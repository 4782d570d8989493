import { isDeepStrictEqual } from 'node:util';
import { expectFields, expectTexts, expectThat } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';
import { kindsOf } from '../kinds.mts';

const resource = 'web';

/** Lists of three pages: with a button, or on a page that grows. */
const PAGINATIONS = [
	{ page: '/products', pagination: 'automatic' },
	{ page: '/more', pagination: 'clickLoadMore', paginationSelector: 'button.more' },
	{ page: '/endless', pagination: 'scrollDown' },
];

const columns = {
	values: [
		{ name: 'Product', selector: '.name a' },
		{ name: 'Link', selector: '.name a', returnValue: 'link' },
		{ name: 'Price', selector: '.price', type: 'number' },
	],
};

/** Each of these operations creates a robot, runs it once and deletes it. */
export const webCases: Case[] = [
	contractCase(resource, 'scrape', async (on) => {
		const url = on.page('/articles/oiling-a-desk');
		const formats = ['markdown', 'links'];
		const page = await on.one(resource, 'scrape', { url, formats, ...on.runOptions() });
		expectFields(page, { url });
		expectTexts(page, 'markdown');
		expectThat(Array.isArray(page.links), 'the links are missing');
	}),
	contractCase(resource, 'crawl', async (on) => {
		const crawlConfig = { limit: 2, maxDepth: 1, outputFormats: ['markdown'] };
		const fields = { url: on.page('/'), crawlConfig };
		const pages = await on.run(resource, 'crawl', { ...fields, ...on.runOptions() });
		expectThat(pages.length === 2, `there are ${pages.length} pages`);
		for (const page of pages) expectTexts(page, 'url', 'title', 'markdown');
	}),
	contractCase(resource, 'map', async (on) => {
		const options = on.runOptions({ maxPages: 2, maxUrls: 6 });
		const urls = await on.run(resource, 'map', { url: on.page('/'), ...options });
		expectThat(urls.length === 6, `there are ${urls.length} URLs`);
		expectThat(urls[0]?.depth === 0 && Boolean(urls[0].title), 'the start page is missing');
		expectThat(urls.at(-1)?.depth !== 0, 'the links have no depth');
	}),
	contractCase(resource, 'search', async (on) => {
		const fields = { query: 'oak chair', searchConfig: { limit: 2 } };
		const hits = await on.run(resource, 'search', { ...fields, ...on.runOptions() });
		expectThat(hits.length > 0, 'there are no results');
		for (const hit of hits) expectTexts(hit, 'url', 'title');
	}),
	contractCase(resource, 'extract', async (on) => {
		const fields = { prompt: 'Get the name and the price', url: on.page('/products') };
		const rows = await on.run(resource, 'extract', { ...fields, ...on.runOptions() });
		expectThat(rows.length > 1, `there are ${rows.length} rows`);
	}),
	contractCase(resource, 'getChanges', async (on) => {
		const fields = { urls: on.page('/products'), what: 'text', ...on.runOptions() };
		const [page, ...others] = await on.run(resource, 'getChanges', fields);
		expectThat(page?.change === 'added' && others.length === 0, 'a test returns the page');
	}),
	contractCase(resource, 'extractRows', async (on) => {
		for (const { page, ...pagination } of PAGINATIONS) {
			const list = { name: 'Products', rowSelector: 'li.product', columns, ...pagination };
			const rows = await on.run(resource, 'extractRows', {
				url: on.page(page),
				specifyFields: 'fields',
				lists: { values: [list] },
				fields: { values: [{ name: 'Heading', selector: 'h1' }] },
				...on.runOptions(),
			});
			expectThat(rows.length === 24, `there are ${rows.length} rows on ${page}`);
			for (const row of rows) {
				expectTexts(row, 'Heading', 'Product', 'Link');
				expectThat(typeof row.Price === 'number', `a price on ${page} is no number`);
			}
		}
		const problems: string[] = [];
		for (const { name, path, parameters, rows: expected } of kindsOf((path) => on.page(path))) {
			const rows = await on.run(resource, 'extractRows', {
				url: on.page(path),
				specifyFields: 'fields',
				...parameters,
				...on.runOptions(),
			});
			const isExpected = isDeepStrictEqual(rows, expected);
			if (!isExpected) problems.push(`${name} has ${JSON.stringify(rows)}`);
		}
		expectThat(problems.length === 0, problems.join('. '));
	}),
];
