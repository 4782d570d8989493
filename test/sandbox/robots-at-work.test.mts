import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO } from './index.mts';
import { unique } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { readDocument } from './engine/documents.mts';
import { runSchema } from './model.mts';
import { sampleDocx, samplePdf, sampleXlsx } from './samples.mts';

// How the sandbox's robots read pages and documents.

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
beforeEach(async () => void (await fetch(`${sandbox.siteUrl}/_reset`, { method: 'POST' })));

const changePrice = async (id: number, price: number) =>
	await fetch(`${sandbox.siteUrl}/_prices`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ id, price }),
	});

/** Creates a robot. @returns its ID */
async function made(kind: string, body: object): Promise<string> {
	const { data } = await sandbox.owner.post(`/robots/${kind}`, { name: unique(kind), ...body });
	return String(data.id);
}

const crawled = z.object({
	crawlData: z.array(z.object({ metadata: z.object({ url: z.string(), depth: z.number() }) })),
});

describe('crawl robots', () => {
	async function crawl(crawlConfig: object, start = `${sandbox.siteUrl}/`) {
		const run = await sandbox.owner.run(await made('crawl', { url: start, crawlConfig }));
		const pages = crawled.parse(run.data).crawlData.map(({ metadata }) => metadata);
		const paths = pages.map(({ url }) => url.replace(sandbox.siteUrl, ''));
		return { pages, paths };
	}

	it('a crawl finds every public page once and obeys robots.txt', async () => {
		const { paths } = await crawl({});
		expect(new Set(paths).size).toBe(paths.length);
		const found = ['/archive', '/products/24', '/articles/history-of-the-shop'];
		expect(paths).toEqual(expect.arrayContaining(found));
		expect(paths.filter((path) => /checkout|private/.test(path))).toEqual([]);
		expect((await crawl({ respectRobots: false })).paths).toContain('/private/notes');
	});

	it('a crawl respects its limit, depth, link types, patterns and modes', async () => {
		expect((await crawl({ limit: 5 })).paths).toHaveLength(5);
		const near = await crawl({ maxDepth: 1, useSitemap: false });
		expect(Math.max(...near.pages.map(({ depth }) => depth))).toBe(1);
		expect((await crawl({ useSitemap: false, followLinks: false })).paths).toEqual(['/']);
		const mapped = await crawl({ followLinks: false });
		expect(mapped.paths).toContain('/archive');
		expect(mapped.paths).not.toContain('/products?page=2');
		expect((await crawl({ includePaths: ['/site/articles/*'] })).paths).toHaveLength(6);
		const excluded = await crawl({ excludePaths: ['/site/products*', '*archive'] });
		expect(excluded.paths.filter((path) => /products|archive/.test(path))).toEqual([]);
		const below = await crawl({ mode: 'path' }, `${sandbox.siteUrl}/articles`);
		expect(below.paths.every((path) => path.startsWith('/articles'))).toBe(true);
	});

	it('a crawl visits subdomains only in one mode', async () => {
		const local = sandbox.siteUrl.replace('127.0.0.1', 'localhost');
		const hosts = async (mode: string) => {
			const { pages } = await crawl({ mode, useSitemap: false, limit: 100 }, `${local}/`);
			return new Set(pages.map(({ url }) => new URL(url).hostname));
		};
		expect(await hosts('domain')).toEqual(new Set(['localhost']));
		expect(await hosts('subdomain')).toEqual(new Set(['localhost', 'journal.localhost']));
	});
});

it('a search finds pages by keyword, best first, within its limit and time range', async () => {
	const search = async (searchConfig: object) => {
		const { data } = await sandbox.owner.run(await made('search', { searchConfig }));
		return data;
	};
	const [title, path] = ['How to oil a wooden desk – Little Shop', '/articles/oiling-a-desk'];
	expect(await search({ query: 'wooden desk oil', limit: 1 })).toMatchObject({
		searchData: {
			query: 'wooden desk oil',
			results: [{ title, url: sandbox.siteUrl + path, snippet: expect.stringContaining('desk') }],
		},
	});
	const query = 'shop lamp desk kitchen';
	expect(await search({ query, filters: { timeRange: 'week' } })).toMatchObject({
		searchData: { results: [{}, {}] },
	});
});

it('without a browser, the screenshot of a run is a placeholder', async () => {
	const run = await sandbox.owner.run(DEMO.article, { formats: ['screenshot-visible'] });
	const [address] = runSchema.shape.screenshots.parse(run.screenshots);
	const image = await (await fetch(String(address))).arrayBuffer();
	const { html } = await readDocument('image.png', Buffer.from(image));
	expect(html).toMatch(/This is a placeholder.*Install Chromium.*CHROMIUM_PATH/s);
});

describe('changes between runs', () => {
	it('a run lists changed lines, and sends an alert', async () => {
		const monitoring = `/robots/${DEMO.products}/monitoring`;
		await sandbox.owner.put(monitoring, { compareRuns: true, alertsEnabled: true });
		const first = await sandbox.owner.run(DEMO.products);
		const same = await sandbox.owner.run(DEMO.products);
		expect(same).toMatchObject({ hasChanges: false, changedFormats: [] });
		await changePrice(1, 199);
		const { id } = await sandbox.owner.run(DEMO.products);
		const { data } = await sandbox.owner.get(`/runs/${String(id)}/diff`);
		expect(data).toEqual({
			runId: id,
			previousRunId: same.id,
			hasChanges: true,
			changedFormats: ['captured-list'],
			diffs: [
				{
					format: 'captured-list',
					changes: [
						{ added: false, removed: true, value: expect.stringContaining('$249.00') },
						{ added: true, removed: false, value: expect.stringContaining('$199.00') },
						{ added: false, removed: false, value: expect.stringContaining('Oak chair') },
					],
				},
			],
		});
		const to = 'owner@example.com';
		expect(await sandbox.control.alerts()).toMatchObject([{ runId: id, to }]);
		expect((await sandbox.owner.get(`/runs/${String(first.id)}/diff`)).status).toBe(404);
	});

	it('changes count only if they match the prompt', async () => {
		const create = async (monitoringPrompt: string) =>
			await made('scrape', {
				url: `${sandbox.siteUrl}/products/6`,
				formats: ['text'],
				compareRuns: true,
				monitoringPrompt,
			});
		const fitting = await create('tell me when it costs $61');
		const other = await create('tell me about the weather');
		for (const id of [fitting, other]) await sandbox.owner.run(id);
		await changePrice(6, 61);
		expect((await sandbox.owner.run(fitting)).hasChanges).toBe(true);
		expect((await sandbox.owner.run(other)).hasChanges).toBe(false);
	});
});

describe('document robots', () => {
	const INVOICE = ['Invoice number: 2024-17', 'Date: 3 May 2024', 'Total: 42.50 EUR'];
	const FIELDS = { invoiceNumber: '2024-17', date: '3 May 2024', total: '42.50 EUR' };
	const PRICES = { products: ['Desk', 'Chair, oak'], prices: ['249', '89.5'], color: null };
	const image = async (type: string) =>
		await readFile(new URL(`samples/invoice.${type}`, import.meta.url));

	const parts = (name: string, content: Uint8Array, fields: Record<string, string>) => {
		const form = new FormData();
		form.append('file', new File([content], name));
		for (const [field, value] of Object.entries(fields)) form.append(field, value);
		return form;
	};

	it.each<[string, () => Promise<Uint8Array> | Uint8Array, string, object]>([
		['a.pdf', () => samplePdf(INVOICE), 'invoice number, date and total', FIELDS],
		['a.docx', () => sampleDocx('Bill', INVOICE), 'invoice number, date and total', FIELDS],
		['a.png', async () => await image('png'), 'invoice number, date and total', FIELDS],
		['a.JPEG', async () => await image('jpeg'), 'invoice number, date and total', FIELDS],
		[
			'a.csv',
			() => Buffer.from('Product,Price\nDesk,249\n"Chair, oak",89.5\n'),
			'products, prices, color',
			PRICES,
		],
		[
			'a.xlsx',
			() =>
				sampleXlsx([
					['Product', 'Price'],
					['Desk', 249],
					['Chair, oak', 89.5],
				]),
			'products, prices, color',
			PRICES,
		],
	])('a document robot reads fields from %s', async (filename, content, prompt, documentData) => {
		const body = parts(filename, await content(), { prompt, name: unique('Document') });
		const { data } = await sandbox.owner.post('/robots/document-extract', body);
		const run = await sandbox.owner.run(String(data.id));
		expect(run).toMatchObject({ status: 'success', error: null, data: { documentData } });
	});

	it('a document becomes Markdown, and a broken one fails the run', async () => {
		const parse = async (name: string, content: Uint8Array) => {
			const body = parts(name, content, { name: unique('Parse'), outputFormats: '["markdown"]' });
			const { data } = await sandbox.owner.post('/robots/document-parse', body);
			return await sandbox.owner.run(String(data.id));
		};
		const docx = sampleDocx('Report', ['All is well.']);
		expect((await parse('a.docx', docx)).data).toMatchObject({
			markdown: '# Report\n\nAll is well.',
		});
		const broken = await parse('a.pdf', Buffer.from('%PDF-1.4 nothing'));
		expect(broken).toMatchObject({ status: 'failed', error: expect.stringMatching(/PDF/) });
	});
});
