import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO } from './index.mts';
import { DOCUMENTS, INVOICE, INVOICE_PROMPT } from '../helpers/files.mts';
import { unique } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { runSchema } from './model.mts';

// How the sandbox's robots read pages and documents.

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
beforeEach(async () => void (await fetch(`${sandbox.siteUrl}/_reset`, { method: 'POST' })));

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
	const placeholder = await readFile(new URL('engine/placeholder.png', import.meta.url));
	expect(Buffer.from(image)).toEqual(placeholder);
});

describe('changes between runs', () => {
	it('a run lists changed lines', async () => {
		const monitoring = `/robots/${DEMO.products}/monitoring`;
		await sandbox.owner.put(monitoring, { compareRuns: true });
		const first = await sandbox.owner.run(DEMO.products);
		const same = await sandbox.owner.run(DEMO.products);
		expect(same).toMatchObject({ hasChanges: false, changedFormats: [] });
		await sandbox.setPrice(1, 199);
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
		expect((await sandbox.owner.get(`/runs/${String(first.id)}/diff`)).status).toBe(404);
	});
});

describe('document robots', () => {
	const prices = { products: ['Desk', 'Chair, oak'], prices: ['249', '89.5'], color: null };

	async function run(kind: string, name: string, content: Uint8Array, fields: [string, string]) {
		const form = new FormData();
		form.append('file', new File([new Uint8Array(content)], name));
		form.append('name', unique('Document'));
		form.append(...fields);
		const { data } = await sandbox.owner.post(`/robots/document-${kind}`, form);
		return await sandbox.owner.run(String(data.id));
	}
	const contentOf = (name: string) =>
		DOCUMENTS.find(({ fileName }) => fileName === name)?.content ?? Buffer.alloc(0);

	it.each<[name: string, prompt: string, documentData: object]>([
		['invoice.pdf', INVOICE_PROMPT, INVOICE],
		['invoice.docx', INVOICE_PROMPT, INVOICE],
		['prices.csv', 'products, prices, color', prices],
		['prices.xlsx', 'products, prices, color', prices],
		['photo.png', 'color', { color: null }],
	])('a document robot reads fields from %s', async (name, prompt, documentData) => {
		const ended = await run('extract', name, contentOf(name), ['prompt', prompt]);
		expect(ended).toMatchObject({ status: 'success', error: null, data: { documentData } });
	});

	it('a document becomes Markdown, and a broken one fails the run', async () => {
		const formats: [string, string] = ['outputFormats', '["markdown"]'];
		const { data } = await run('parse', 'a.docx', contentOf('invoice.docx'), formats);
		expect(data).toMatchObject({ markdown: expect.stringMatching(/^# Invoice\n\n/) });
		const broken = await run('parse', 'a.pdf', Buffer.from('%PDF-1.4 nothing'), formats);
		expect(broken).toMatchObject({ status: 'failed', error: expect.stringMatching(/PDF/) });
	});
});
