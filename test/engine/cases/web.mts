import type { IDataObject } from 'n8n-workflow';
import { expect } from 'vitest';
import { unique } from '../../helpers/fixtures.mts';
import { extractRequests } from '../support/extract.mts';
import { one, operationCase } from '../support/operations.mts';
import { expectNothingLeft, life, NAME, WAIT } from '../support/temporary.mts';

export const webCases = [
	operationCase(['web', 'scrape'], (given) => {
		const url = `${given.siteUrl}/articles/oiling-a-desk`;
		const formats = ['markdown', 'links'];
		const smartQueries = unique('Which oil is used?');
		const body = { url, name: NAME, formats, smartQueries };
		return {
			parameters: {
				url,
				formats,
				options: { smartQueries, downloadScreenshots: false, ...WAIT },
			},
			requests: life({ method: 'POST', path: '/robots/scrape', body }),
			check: async (items) => {
				const page = { url, markdown: expect.stringContaining('# '), links: expect.any(Array) };
				expect(one(items)).toMatchObject({ ...page, promptResult: expect.any(String) });
				await expectNothingLeft(given);
			},
		};
	}),
	operationCase(['web', 'crawl'], (given) => {
		const url = `${given.siteUrl}/`;
		const crawlConfig = { limit: 3, maxDepth: 1, outputFormats: ['markdown'] };
		const body = { url, name: NAME, crawlConfig };
		return {
			parameters: { url, crawlConfig, options: WAIT },
			requests: life({ method: 'POST', path: '/robots/crawl', body }),
			check: async (items) => {
				expect(items).toHaveLength(3);
				for (const page of items) expect(page).toMatchObject({ markdown: expect.any(String) });
				await expectNothingLeft(given);
			},
		};
	}),
	operationCase(['web', 'getChanges'], (given) => {
		const url = `${given.siteUrl}/articles/oiling-a-desk?${encodeURIComponent(unique('visit'))}`;
		const body = { url, name: NAME, formats: ['markdown'] };
		return {
			parameters: { urls: url, what: 'text', options: WAIT },
			requests: life({ method: 'POST', path: '/robots/scrape', body }),
			check: async (items) => {
				const page = { change: 'added', pageUrl: url, markdown: expect.stringContaining('# ') };
				expect(one(items)).toMatchObject(page);
				await expectNothingLeft(given);
			},
		};
	}),
	operationCase(['web', 'map'], (given) => {
		const url = `${given.siteUrl}/`;
		const crawlConfig = { limit: 2, outputFormats: ['links'], useSitemap: false };
		const body = { url, name: NAME, crawlConfig };
		return {
			parameters: { url, options: { maxPages: 2, excludePaths: ['*/articles'], ...WAIT } },
			requests: life({ method: 'POST', path: '/robots/crawl', body }),
			check: async (items) => {
				expect(items.slice(0, 2)).toEqual([
					{ url, title: expect.any(String), depth: 0 },
					{ url: expect.stringContaining(url), title: expect.any(String), depth: 1 },
				]);
				expect(items.slice(2).filter(({ title }) => title !== null)).toEqual([]);
				expect(items.length).toBeGreaterThan(5);
				expect(items.filter((item) => String(item.url).endsWith('/articles'))).toEqual([]);
				await expectNothingLeft(given);
			},
		};
	}),
	operationCase(['web', 'search'], (given) => {
		const query = 'oiling a desk';
		const body = { name: NAME, searchConfig: { query, mode: 'discover', limit: 2 } };
		return {
			parameters: { query, searchConfig: { mode: 'discover', limit: 2 }, options: WAIT },
			requests: life({ method: 'POST', path: '/robots/search', body }),
			check: async (items: IDataObject[]) => {
				expect(items).toHaveLength(2);
				const result = { title: expect.any(String), url: expect.any(String) };
				for (const item of items) expect(item).toMatchObject(result);
				await expectNothingLeft(given);
			},
		};
	}),
	operationCase(['web', 'extract'], (given) => {
		const prompt = 'Get name and price of the products';
		const url = `${given.siteUrl}/products`;
		const body = { prompt, url, name: NAME };
		return {
			parameters: { prompt, url, options: WAIT },
			requests: life({ method: 'POST', path: '/agents', body }, 'agents'),
			check: async (items) => {
				expect(items.length).toBeGreaterThan(3);
				expect(JSON.stringify(items[0])).toMatch(/\d+\.\d\d/);
				await expectNothingLeft(given);
			},
		};
	}),
	operationCase(['web', 'extractRows'], (given) => {
		const { parameters, draft, complete } = extractRequests(`${given.siteUrl}/products`);
		const [create, ...others] = life({
			method: 'POST',
			path: '/sdk/robots',
			body: { meta: { name: NAME, type: 'extract' }, workflow: draft },
		});
		const complement = { method: 'PUT', path: '/sdk/robots/{1}', body: { workflow: complete } };
		return {
			parameters: { ...parameters, options: WAIT },
			requests: [...(create ? [create] : []), complement, ...others],
			check: async (items) => {
				expect(items).toHaveLength(20);
				for (const row of items) {
					expect(row).toEqual({
						Heading: 'Products',
						Product: expect.any(String),
						Link: expect.stringMatching(/^http.*products\/\d+$/),
						Price: expect.stringMatching(/^\$\d+\.\d\d$/),
					});
				}
				await expectNothingLeft(given);
			},
		};
	}),
];
