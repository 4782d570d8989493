import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO } from './index.mts';
import type { CloudClient } from '../helpers/client.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
let owner: CloudClient;
let count = 0;

beforeAll(async () => {
	owner = sandbox.owner;
});

const pagesSchema = z.object({
	crawlData: z.array(
		z.object({
			markdown: z.string().optional(),
			text: z.string().optional(),
			metadata: z.object({ url: z.string(), depth: z.number(), title: z.string() }),
		}),
	),
});
const resultsSchema = z.object({
	searchData: z.object({
		query: z.string(),
		results: z.array(
			z.object({ title: z.string(), url: z.string(), snippet: z.string() }).passthrough(),
		),
	}),
});

async function crawl(crawlConfig: Record<string, unknown>, url = `${sandbox.siteUrl}/`) {
	const made = await owner.post('/robots/crawl', { url, name: `Crawl ${++count}`, crawlConfig });
	expect(made.status).toBe(201);
	const run = await owner.run(String(made.data.id));
	expect(run.error).toBeNull();
	const pages = pagesSchema.parse(run.data).crawlData;
	const paths = pages.map(({ metadata }) => metadata.url.replace(sandbox.siteUrl, ''));
	return { id: String(made.data.id), pages, paths };
}

describe('crawl robots', () => {
	it('a crawl finds every public page once and obeys robots.txt', async () => {
		const { pages, paths } = await crawl({});
		expect(new Set(paths).size).toBe(paths.length);
		expect(paths).toContain('/archive');
		expect(paths).toContain('/products/24');
		expect(paths).toContain('/articles/history-of-the-shop');
		expect(paths).not.toContain('/checkout');
		expect(paths).not.toContain('/private/notes');
		expect(pages[0]?.metadata).toMatchObject({ depth: 0, title: 'Welcome – Little Shop' });
		expect(pages[0]?.markdown).toContain('# Useful things, well made');
	});

	it('a crawl respects its limit, depth and link types', async () => {
		expect((await crawl({ limit: 5 })).paths).toHaveLength(5);
		const near = await crawl({ maxDepth: 1, useSitemap: false });
		expect(Math.max(...near.pages.map(({ metadata }) => metadata.depth))).toBe(1);
		expect(near.paths).not.toContain('/products/24');
		expect((await crawl({ useSitemap: false, followLinks: false })).paths).toEqual(['/']);
		const mapped = await crawl({ followLinks: false });
		expect(mapped.paths).toContain('/archive');
		expect(mapped.paths).not.toContain('/products?page=2');
	});

	it('a crawl respects patterns and modes and can ignore robots.txt', async () => {
		const included = await crawl({ includePaths: ['/site/articles/*'] });
		expect(included.paths).toHaveLength(6);
		const excluded = await crawl({ excludePaths: ['/site/products*', '*archive'] });
		expect(excluded.paths.filter((path) => /products|archive/.test(path))).toEqual([]);
		const below = await crawl({ mode: 'path' }, `${sandbox.siteUrl}/articles`);
		expect(below.paths.every((path) => path.startsWith('/articles'))).toBe(true);
		expect((await crawl({ respectRobots: false })).paths).toContain('/private/notes');
	});

	it('a crawl visits subdomains only in one mode', async () => {
		const local = sandbox.siteUrl.replace('127.0.0.1', 'localhost');
		const hosts = async (mode: string) => {
			const { pages } = await crawl({ mode, useSitemap: false, limit: 100 }, `${local}/`);
			return new Set(pages.map(({ metadata }) => new URL(metadata.url).hostname));
		};
		expect(await hosts('domain')).toEqual(new Set(['localhost']));
		expect(await hosts('subdomain')).toEqual(new Set(['localhost', 'journal.localhost']));
	});

	it('a crawl captures its configured formats, and an update keeps other options', async () => {
		const { id, pages } = await crawl({ limit: 2, outputFormats: ['text'] });
		expect(pages[1]?.text).toBeTypeOf('string');
		expect(pages[1]?.markdown).toBeUndefined();
		const patched = await owner.patch(`/robots/${id}`, { crawlConfig: { limit: 3 } });
		expect(patched.data.formats).toEqual(['text']);
		const again = pagesSchema.parse((await owner.run(id)).data).crawlData;
		expect([again.length, typeof again[2]?.text]).toEqual([3, 'string']);
	});

	it('a canceled crawl keeps its pages', async () => {
		await sandbox.control.settings({ runSeconds: 20 });
		const { data } = await owner.post('/robots/crawl', {
			url: `${sandbox.siteUrl}/`,
			crawlConfig: { limit: 1 },
		});
		const runId = await owner.start(String(data.id));
		await sleep(1500); // data appears only at the end
		const canceled = await owner.post(`/runs/${runId}/cancel`);
		expect(canceled.data).toMatchObject({ status: 'aborted', isPartial: true });
		const { crawlData } = pagesSchema.parse((await owner.get(`/runs/${runId}`)).data.data);
		expect(crawlData).toHaveLength(1);
		await sandbox.control.settings({ runSeconds: 0 });
	});

	it.each([
		['crawlConfig', { url: 'https://example.com' }],
		['url', { crawlConfig: {} }],
		['crawlConfig.mode', { url: 'https://example.com', crawlConfig: { mode: 'site' } }],
		['crawlConfig.limit', { url: 'https://example.com', crawlConfig: { limit: 0 } }],
		['crawlConfig.depth', { url: 'https://example.com', crawlConfig: { depth: 1 } }],
		[
			'crawlConfig.includePaths',
			{ url: 'https://example.com', crawlConfig: { includePaths: '/a' } },
		],
	])('a bad %s returns 400', async (field, body) => {
		const answer = await owner.post('/robots/crawl', body);
		expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
	});
});

describe('search robots', () => {
	async function search(searchConfig: Record<string, unknown>) {
		const made = await owner.post('/robots/search', { name: `Search ${++count}`, searchConfig });
		expect(made.status).toBe(201);
		const run = await owner.run(String(made.data.id));
		expect(run.error).toBeNull();
		return { id: String(made.data.id), ...resultsSchema.parse(run.data).searchData };
	}

	it('a search finds pages by keyword, best first', async () => {
		const { query, results } = await search({ query: 'wooden desk oil' });
		expect(query).toBe('wooden desk oil');
		expect(results[0]).toEqual({
			title: 'How to oil a wooden desk – Little Shop',
			url: `${sandbox.siteUrl}/articles/oiling-a-desk`,
			snippet: expect.stringContaining('wooden desk'),
		});
	});

	it('a search respects its limit and time range', async () => {
		expect((await search({ query: 'shop products', limit: 3 })).results).toHaveLength(3);
		const week = await search({ query: 'shop lamp desk kitchen', filters: { timeRange: 'week' } });
		expect(week.results.map(({ url }) => url).sort()).toEqual([
			`${sandbox.siteUrl}/articles/choosing-a-lamp`,
			`${sandbox.siteUrl}/articles/oiling-a-desk`,
		]);
	});

	it('a search in scrape mode opens its results and merges changes', async () => {
		const query = 'wool rug';
		const { id, results } = await search({
			query,
			mode: 'scrape',
			outputFormats: ['text'],
			limit: 1,
		});
		expect(results[0]).toMatchObject({
			text: expect.stringContaining('Shake the rug out'),
			metadata: { statusCode: 200 },
		});
		await owner.patch(`/robots/${id}`, { searchConfig: { limit: 2 } });
		const again = resultsSchema.parse((await owner.run(id)).data).searchData.results;
		expect([again.length, typeof again[1]?.text]).toEqual([2, 'string']);
	});

	it.each([
		['searchConfig', {}],
		['searchConfig.query', { searchConfig: {} }],
		[
			'searchConfig.filters.timeRange',
			{ searchConfig: { query: 'a', filters: { timeRange: 'hour' } } },
		],
		['url', { searchConfig: { query: 'a' }, url: 'https://example.com' }],
	])('a bad %s returns 400', async (field, body) => {
		const answer = await owner.post('/robots/search', body);
		expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
	});
});

describe('changing and duplicating robots', () => {
	it('an update accepts only fields of the robot type', async () => {
		const url = `${sandbox.siteUrl}/products/2`;
		const { data } = await owner.post('/robots/scrape', { url, name: 'Changing' });
		const path = `/robots/${String(data.id)}`;
		const changes = { name: 'Changed', formats: ['text'], smartQueries: 'Which price?' };
		expect((await owner.patch(path, changes)).data).toMatchObject({ ...changes, url });
		for (const misfit of [
			{ crawlConfig: {} },
			{ searchConfig: { limit: 1 } },
			{ prompt: 'x' },
			{},
		]) {
			expect((await owner.patch(path, misfit)).status).toBe(400);
		}
		expect((await owner.patch(path, { name: 'Shop article' })).status).toBe(409);
		expect((await owner.patch(path, { name: 'Changed' })).status).toBe(200);
	});

	it('a duplicate has a new URL and no schedule or webhooks', async () => {
		await owner.post(`/robots/${DEMO.article}/webhooks`, { url: 'https://example.com/hook' });
		const url = `${sandbox.siteUrl}/articles/choosing-a-lamp`;
		const { status, data } = await owner.post(`/robots/${DEMO.article}/duplicate`, { url });
		expect([status, data.name, data.url]).toEqual([201, 'Shop article (choosing-a-lamp)', url]);
		expect(data).toMatchObject({ formats: ['markdown', 'links'], webhooks: [], schedule: null });
		expect((await owner.run(String(data.id))).data).toMatchObject({
			markdown: expect.stringContaining('# Choosing a reading lamp'),
		});
		const named = await owner.post(`/robots/${DEMO.products}/duplicate`, { url, name: 'Copy' });
		expect([named.data.name, named.data.type]).toEqual(['Copy', 'extract']);
		expect((await owner.post(`/robots/${DEMO.products}/duplicate`, {})).status).toBe(400);
		const taken = await owner.post(`/robots/${DEMO.products}/duplicate`, { url, name: 'Copy' });
		expect(taken.status).toBe(409);
	});
});
