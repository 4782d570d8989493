import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { type Article, ARTICLES, type Product, PRODUCTS } from '../sandbox/site/catalogue.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';
import { BUTTON, editExample, readByAgent, runExample, startedByItself } from './example-runs.mts';
import { INVOICE_COLUMNS, PDF } from '../helpers/files.mts';
import { until } from '../helpers/until.mts';
import { startMailServer } from './mail.mts';
import { NEW_SECOND } from './own-server.mts';
import { jsonOf } from './rest.mts';
import { chooseCredential } from './stage.mts';
import { useStage } from './useStage.mts';

const DAY_MS = 24 * 60 * 60_000;

const stage = useStage();

const run = async (example: string, trigger?: string) => await runExample(stage, example, trigger);

const setPrice = async (price: number) => await stage.sandbox.control.price(1, price);

const robots = async () => (await stage.maxun.get('/robots')).list.map(({ id }) => id);

let before: unknown[];
beforeEach(async () => {
	before = await robots();
});
// Examples don't leave temporary robots.
afterEach(async () => expect(await robots()).toEqual(before));

it('Scrape a list of pages: the workflow returns the text of each page in order, and reports the missing page', async () => {
	const execution = await run('Scrape a list of pages');
	const pages = jsonOf(execution, 'Keep the text');
	expect(pages).toMatchObject([
		{ url: `${stage.sandbox.siteUrl}/products`, text: expect.stringContaining('Walnut desk') },
		{ url: `${stage.sandbox.siteUrl}/articles`, text: expect.stringContaining('#') },
		{ url: `${stage.sandbox.siteUrl}/articles/oiling-a-desk`, text: expect.any(String) },
	]);
	expect(jsonOf(execution, 'Record the failure')).toEqual([
		{
			url: `${stage.sandbox.siteUrl}/no-such-page`,
			reason: expect.stringContaining('failed'),
		},
	]);
});

it('Run a robot on many pages: the workflow returns the rows of each page in order, without the missing page', async () => {
	const execution = await run('Run a robot on many pages');
	const rows = jsonOf(execution, 'Run the robot on each page');
	const url = `${stage.sandbox.siteUrl}/products?page=`;
	expect([...new Set(rows.map(({ pageUrl }) => pageUrl))]).toEqual([`${url}2`, `${url}1`]);
	expect(rows.length).toBeGreaterThanOrEqual(12);
	expect(new Set(rows.map(({ Product }) => Product)).size).toBe(rows.length);
	for (const row of rows) {
		expect(row).toMatchObject({ Product: expect.any(String), Price: expect.any(Number) });
	}
});

describe('The workflows that extract with selectors', () => {
	const { length: total } = PRODUCTS;
	const linkOf = ({ id }: Product) => `${stage.sandbox.siteUrl}/products/${id}`;
	const typed = (product: Product) => ({
		Product: product.name,
		Price: product.price,
		Link: linkOf(product),
	});

	it('Extract a product list: named columns with types, from all three pages', async () => {
		const rows = jsonOf(await run('Extract a product list'), 'Read the products');
		expect(rows).toEqual(PRODUCTS.map(typed));
	});

	it('Extract data behind a login: the orders, without the password in any workflow, export, log or execution', async () => {
		const succeeded = await run('Extract data behind a login');
		const rows = jsonOf(succeeded, 'Read the orders');
		expect(rows.length).toBeGreaterThan(1);
		for (const row of rows) {
			const column = expect.stringMatching(/\S/);
			expect(row).toEqual({ Balance: column, Product: column, Total: column });
		}
		const id = stage.example('Extract data behind a login');
		const { nodes } = await stage.rest.workflow(id);
		const text = JSON.stringify(nodes).replace(
			'"selector":".balance","seconds":20',
			'"selector":".nothing","seconds":1',
		);
		await stage.rest.updateWorkflow(id, { nodes: JSON.parse(text) });
		const failed = await stage.rest.finished(await stage.rest.run(id, BUTTON), 90_000);
		const texts = {
			'the execution': succeeded.raw,
			'the failed execution': failed.raw,
			'the workflow': JSON.stringify(await stage.rest.workflow(id)),
			'the export': await stage.n8n.command('export:workflow', `--id=${id}`),
			'the log': await stage.n8n.log(),
		};
		const { password } = CUSTOMER;
		const forms = [
			password,
			encodeURIComponent(password),
			password.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
			JSON.stringify(password).slice(1, -1),
			Buffer.from(password).toString('base64'),
		];
		for (const [place, text] of Object.entries(texts)) {
			expect(text, place).not.toBe('');
			for (const form of forms) expect(text.includes(form), `${form} in ${place}`).toBe(false);
		}
		expect(texts['the failed execution']).toContain('.nothing');
		expect(texts['the export']).toMatch(/"textFrom":\s*"password"/);
	}, 240_000);

	it("From a list to its details: each row has the list's and the page's fields", async () => {
		const rows = jsonOf(await run('From a list to its details'), 'Read each page');
		expect(rows).toEqual(
			PRODUCTS.slice(0, 5).map(({ name, description }) =>
				expect.objectContaining({
					Product: name,
					Price: expect.stringMatching(/\d/),
					Description: description,
					Stock: expect.stringMatching(/\d/),
				}),
			),
		);
	});

	it('Rows into a data table: a second execution updates the rows', async () => {
		const table = await stage.rest.createDataTable('Products', {
			Product: 'string',
			Price: 'number',
			Link: 'string',
		});
		await run('Rows into a data table');
		await setPrice(179);
		try {
			await run('Rows into a data table');
		} finally {
			await setPrice(249);
		}
		const rows = await stage.rest.dataTableRows(table, total + 1);
		const expected = PRODUCTS.map(typed).map((row, index) =>
			index === 0 ? { ...row, Price: 179 } : row,
		);
		expect(rows).toEqual(expected.map((row) => expect.objectContaining(row)));
	});
});

it('Read only new articles: a second execution does not read anything again', async () => {
	const table = await stage.rest.createDataTable('Articles', { url: 'string', text: 'string' });
	const name = 'Read only new articles';
	// A test in the editor does not store its pages.
	const rule = { interval: [{ field: 'seconds', secondsInterval: 10 }] };
	const id = await editExample(stage, name, (node) =>
		node.type.endsWith('scheduleTrigger') ? { ...node, parameters: { rule } } : node,
	);
	await stage.rest.activate(id);
	const [again = { id: '' }] = await until('two executions', 90_000, async () => {
		const ended = (await stage.rest.executions(id)).filter(({ status }) => status === 'success');
		return ended.length > 1 ? ended.sort((a, b) => Number(b.id) - Number(a.id)) : undefined;
	});
	await stage.rest.deactivate(id);
	const rows = await stage.rest.dataTableRows(table, ARTICLES.length + 1);
	expect(rows).toHaveLength(ARTICLES.length);
	const address = ({ slug }: Article) => `${stage.sandbox.siteUrl}/articles/${slug}`;
	expect(rows.map(({ url }) => url)).toEqual(ARTICLES.map(address));
	expect(rows[0]?.text).toContain('Linseed oil');
	const last = await stage.rest.finished(again.id, 30_000);
	expect(jsonOf(last, 'List the articles')).toHaveLength(ARTICLES.length);
	expect(jsonOf(last, 'Add the articles')).toEqual([]);
});

it('Crawl a site to Markdown files: the workflow writes a file for each page', async () => {
	const execution = await run('Crawl a site to Markdown files');
	const pages = jsonOf(execution, 'Crawl the site');
	expect(pages).toHaveLength(5);
	const folder = stage.n8n.filesFolder;
	const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
	expect(names).toEqual([1, 2, 3, 4, 5].map((number) => `page-${number}.md`));
	const texts = names.map(async (name) => await readFile(join(folder, name), 'utf8'));
	expect(await Promise.all(texts)).toEqual(pages.map(({ markdown }) => markdown));
});

it('Invoices to a table: the workflow adds a row for a document from the form', async () => {
	const table = await stage.rest.createDataTable('Invoices', INVOICE_COLUMNS);
	const id = stage.example('Invoices to a table');
	await stage.rest.activate(id);
	const { nodes } = await stage.rest.workflow(id);
	const form = nodes.find(({ name }) => name === 'When an invoice is submitted');
	const address = `${stage.n8n.url}/form/${String(form?.webhookId)}`;
	await until('the form', 20_000, async () => (await fetch(address)).status === 200);
	const body = new FormData();
	body.set(
		'field-0',
		new File([new Uint8Array(PDF.content)], 'invoice.pdf', { type: PDF.mimeType }),
	);
	expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
	await startedByItself(stage, id);
	await stage.rest.deactivate(id);
	expect(await stage.rest.dataTableRows(table, 2)).toEqual([
		expect.objectContaining({ fileName: 'invoice.pdf', number: '2024-17', total: 42.5 }),
	]);
});

describe('Weekly schedule and clean-up', () => {
	it('the workflow sets a weekly robot schedule', async () => {
		await run('Weekly schedule and clean-up');
		const { data } = await stage.maxun.get(`/robots/${DEMO.products}/schedule`);
		expect(data).toMatchObject({
			runEvery: 1,
			runEveryUnit: 'WEEKS',
			startFrom: 'MONDAY',
			atTimeStart: '07:00',
		});
	});

	it('the workflow deletes only the old runs', async () => {
		const robotId = DEMO.products;
		const startedAt = new Date(Date.now() - 40 * DAY_MS).toISOString();
		await stage.sandbox.control.runs({ robotId, count: 3, run: { startedAt } });
		await stage.sandbox.control.runs({ robotId, count: 2 });
		const runs = async () => (await stage.maxun.get(`/robots/${robotId}/runs?limit=100`)).list;
		const before = await runs();
		const execution = await run('Weekly schedule and clean-up', 'Every Sunday night');
		const deleted = jsonOf(execution, 'Delete them').map(({ id }) => id);
		expect(deleted).toHaveLength(3);
		const kept = before.filter(({ id }) => !deleted.includes(id));
		expect(kept.length).toBeGreaterThan(1);
		expect((await runs()).map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
	});
});

it('Self-hosted without a public URL: the workflow reports a run that has ended on the server', async () => {
	const id = stage.example('Self-hosted without a public URL');
	await stage.rest.publish(id);
	await sleep(NEW_SECOND);
	const [started] = jsonOf(await run('Self-hosted without a public URL'), 'Run the robot');
	const execution = await startedByItself(stage, id, 90_000);
	await stage.rest.deactivate(id);
	const ended = jsonOf(execution, 'When a run has ended');
	expect(ended).toMatchObject([{ event: 'run_completed', run: { id: started?.id } }]);
	const [{ message } = {}] = jsonOf(execution, 'Report the run');
	expect(message).toMatch(/^Shop products has captured [1-9]\d* rows\.$/);
	expect(jsonOf(execution, 'Report the failure')).toEqual([]);
});

it('An AI agent that reads pages: a model reads a page with the tool', async () => {
	const { output, asked } = await readByAgent(stage);
	expect(output).toMatch(/^The page says: .*markdown/);
	expect(output).toMatch(/oil/i);
	const [tool] = asked[0]?.tools ?? [];
	expect(tool?.function).toMatchObject({
		name: 'Read_a_page',
		description: expect.stringContaining('Reads a web page'),
		parameters: { properties: { URL: { type: 'string' } } },
	});
});

describe('The workflows that send email', () => {
	let mail: Awaited<ReturnType<typeof startMailServer>>;

	beforeAll(async () => {
		mail = await startMailServer();
	});
	afterAll(async () => await mail?.close());

	const chooseMailServer = async (example: string, node: string) =>
		await chooseCredential(stage, stage.example(example), node, 'smtp', mail.credential);

	it('Email site changes: only a change is emailed, with the changed lines', async () => {
		const name = 'Email site changes';
		await chooseMailServer(name, 'Email the changes');
		await setPrice(249);
		await stage.maxun.run(DEMO.products);
		await setPrice(179);
		await run(name);
		expect(mail.received).toHaveLength(1);
		expect(mail.received[0]).toMatch(/^Subject: Shop products has changed/m);
		expect(mail.received[0]).toMatch(/Walnut desk.* \(changed\)/);
		expect(mail.received[0]).toMatch(/^ ?- .*249/m);
		expect(mail.received[0]).toMatch(/^ ?\+ .*179/m);
		await run(name);
		expect(mail.received).toHaveLength(1);
		await setPrice(249);
	});

	it('Email when a price falls: one email for each time that a price falls below the limit', async () => {
		const name = 'Email when a price falls';
		await chooseMailServer(name, 'Email the prices');
		mail.received.length = 0;
		await setPrice(249);
		await stage.maxun.run(DEMO.products);
		for (const price of [220, 179, 150, 260, 199]) {
			await setPrice(price);
			await run(name);
		}
		expect(mail.received).toHaveLength(2);
		expect(mail.received[0]).toMatch(/^Walnut desk: \$179\.00 \(before: \$220\.00\)$/m);
		expect(mail.received[1]).toMatch(/^Walnut desk: \$199\.00 \(before: \$260\.00\)$/m);
		await setPrice(249);
	});

	it('Warn when a robot stops working: an email only if a run fails its checks', async () => {
		const name = 'Warn when a robot stops working';
		await chooseMailServer(name, 'Send a warning');
		await stage.maxun.run(DEMO.products);
		mail.received.length = 0;
		await run(name);
		expect(mail.received).toEqual([]);
		await stage.sandbox.control.settings({ runsStopAfterRows: 1 });
		try {
			await run(name);
		} finally {
			await stage.sandbox.control.settings({ runsStopAfterRows: null });
		}
		expect(mail.received).toHaveLength(1);
		expect(mail.received[0]).toMatch(/^Subject: Shop products has stopped working$/m);
		expect(mail.received[0]).toMatch(/the data checks: 1 row, expected at least 6/);
	});

	it('Email a daily screenshot: the second email contains both screenshots', async () => {
		const name = 'Email a daily screenshot';
		await chooseMailServer(name, 'Email both screenshots');
		await run(name);
		mail.received.length = 0;
		await run(name);
		const [email = ''] = mail.received;
		expect(email).toMatch(/^Subject: Shop article on \d{4}-\d\d-\d\d$/m);
		expect(email.match(/^Content-Type: image\/png; name=Shop-article-fullpage/gm)).toHaveLength(2);
		expect(email.match(/^Content-ID: <screenshot(_1)?>$/gim)).toHaveLength(2);
	});
});
