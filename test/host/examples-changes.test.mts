import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '../helpers/until.mts';
import { PRODUCTS } from '../sandbox/site/catalogue.mts';
import { randomFrom } from '../simulation/random.mts';
import { Shop } from './changing-shop.mts';
import { editExample, EVERY_FEW_SECONDS, runExample, startedByItself } from './example-runs.mts';
import { startGoogleSheets } from './google-sheets.mts';
import { startMailServer } from './mail.mts';
import { chooseModel, startEmbeddings, startModel } from './model.mts';
import { NEW_SECOND } from './own-server.mts';
import { jsonOf } from './rest.mts';
import { chooseCredential, openStage, type Stage } from './stage.mts';
import { startVectorDatabase } from './vectors.mts';

let google: Awaited<ReturnType<typeof startGoogleSheets>>;
let stage: Stage;
let shop: Shop;

beforeAll(async () => {
	google = await startGoogleSheets();
	stage = await openStage({ env: google.env });
	shop = await Shop.open();
});

afterAll(async () => {
	await stage?.close();
	await Promise.all([shop?.close(), google?.close()]);
});

/** Lets a workflow start every few seconds. */
const often = async (example: string) =>
	await editExample(stage, example, ({ parameters, ...node }) => ({
		...node,
		parameters: { ...parameters, ...('rule' in parameters && EVERY_FEW_SECONDS) },
	}));

const watching = async (example: string) => {
	await editExample(stage, example, ({ parameters, ...node }) => ({
		...node,
		parameters: { ...parameters, ...('urls' in parameters && { urls: shop.url }) },
	}));
	return await often(example);
};

async function untilEqual(name: string, expected: string[], read: () => Promise<string[]>) {
	let last: string[] = [];
	await until(name, 90_000, async () => {
		last = (await read()).sort();
		return JSON.stringify(last) === JSON.stringify(expected);
	}).catch(() => expect(last).toEqual(expected));
}

describe('The workflows that keep rows in sync with a page', () => {
	/** Fills the target with the first check, and compares it with the page after each round of changes. */
	async function staysInSync(example: string, rounds: number, read: () => Promise<string[]>) {
		const id = await watching(example);
		await stage.rest.publish(id);
		await untilEqual('the rows of the page', shop.rows(), read);
		const random = randomFrom(40);
		for (let round = 0; round < rounds; round++) {
			shop.change(random);
			await untilEqual(`the rows of round ${round}`, shop.rows(), read);
		}
		await stage.rest.deactivate(id);
	}

	it('Keep a table in sync with a site: without removed rows, the table equals the page after each of 20 rounds', async () => {
		const text = 'string';
		const columns = { Product: text, Price: text, Link: text, change: text } as const;
		const table = await stage.rest.createDataTable('Shop', columns);
		await staysInSync('Keep a table in sync with a site', 20, async () =>
			(await stage.rest.dataTableRows(table, 200))
				.filter(({ change }) => change !== 'removed')
				.map(({ Product, Price, Link }) => `${Product} ${Price} ${Link}`),
		);
	}, 600_000);

	it('Keep Google Sheets in sync with a site: without removed rows, the sheet equals the page after each of 10 rounds', async () => {
		const example = 'Keep Google Sheets in sync with a site';
		await useSheet(example);
		google.sheet.fill([['Product', 'Price', 'Link', 'change']]);
		await staysInSync(example, 10, async () =>
			google.sheet.rows
				.slice(1)
				.filter(([, , , change]) => change !== 'removed')
				.map((cells) => cells.slice(0, 3).join(' ')),
		);
	}, 600_000);
});

it('Rows into Google Sheets: two mornings leave one row for each product', async () => {
	const example = 'Rows into Google Sheets';
	await useSheet(example);
	const pagination = { pagination: 'clickNext', buttonText: 'Next' };
	await editExample(stage, example, ({ parameters, ...node }) => ({
		...node,
		parameters: { ...parameters, ...('rowsToRead' in parameters && pagination) },
	}));
	google.sheet.fill([['Title', 'Price', 'Link']]);
	for (let morning = 0; morning < 2; morning++) {
		await runExample(stage, example, 'Every morning');
		const rows = PRODUCTS.map(({ id, name, price }) => [
			name,
			`$${price.toFixed(2)}`,
			`${stage.sandbox.siteUrl}/products/${id}`,
		]);
		// n8n adds the other columns that the node has found.
		expect(google.sheet.rows.slice(1).map((cells) => cells.slice(0, 3))).toEqual(rows);
	}
});

async function useSheet(example: string): Promise<void> {
	const target = {
		authentication: 'serviceAccount',
		documentId: { __rl: true, mode: 'id', value: 'spreadsheet' },
		sheetName: { __rl: true, mode: 'list', value: 'gid=0', cachedResultName: 'Sheet1' },
	};
	const data = { name: 'Google', type: 'googleApi', data: google.credential };
	const credential = await stage.rest.createCredential(data);
	await editExample(stage, example, (node) =>
		node.type === 'n8n-nodes-base.googleSheets'
			? {
					...node,
					parameters: { ...node.parameters, ...target },
					credentials: { googleApi: { id: credential.id, name: credential.name } },
				}
			: node,
	);
}

/** Slack's messages become items. */
const withoutSlack = async (example: string) =>
	await editExample(stage, example, ({ credentials, ...node }) => {
		if (node.type !== 'n8n-nodes-base.slack') return { ...node, credentials };
		const message = { id: 'text', name: 'text', value: node.parameters.text, type: 'string' };
		const parameters = { assignments: { assignments: [message] }, options: {} };
		return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	});

/** The messages of the first execution that has sent some. */
const messages = async (workflowId: string) =>
	await until('a message', 120_000, async () => {
		for (const { id } of await stage.rest.executions(workflowId)) {
			const sent = jsonOf(await stage.rest.finished(id), 'Tell Slack').map(({ text }) => text);
			if (sent.length > 0) return sent;
		}
		return undefined;
	});

it('Tell Slack what changed: one message with a line for each row', async () => {
	const example = 'Tell Slack what changed';
	const id = await watching(example);
	await withoutSlack(example);
	await stage.rest.publish(id);
	await startedByItself(stage, id);
	const [product = '', price = ''] = shop.reprice('12.00');
	expect(await messages(id)).toEqual([`${product}: changed, Price ${price} → $12.00`]);
	await stage.rest.deactivate(id);
});

it('New jobs on many pages: one message for each new job', async () => {
	const example = 'New jobs on many pages';
	const pages = await stage.rest.createDataTable('Job pages', { url: 'string' });
	await stage.rest.addDataTableRows(pages, [
		{ url: shop.url },
		{ url: `${stage.sandbox.siteUrl}/kinds/jobs` },
	]);
	const id = await often(example);
	await withoutSlack(example);
	await stage.rest.publish(id);
	await startedByItself(stage, id, 60_000);
	const added = shop.add('Gardener');
	expect(await messages(id)).toEqual([`Gardener: ${added}`]);
	await stage.rest.deactivate(id);
});

describe('The workflows that send email', () => {
	let mail: Awaited<ReturnType<typeof startMailServer>>;

	beforeAll(async () => {
		mail = await startMailServer();
	});
	afterAll(async () => await mail?.close());

	/** The first email after the workflow's first check and a change. */
	async function emailAfter(id: string, node: string, change: () => unknown): Promise<string> {
		mail.received.length = 0;
		await chooseCredential(stage, id, node, 'smtp', mail.credential);
		await stage.rest.publish(id);
		await startedByItself(stage, id, 60_000);
		await change();
		await until('an email', 60_000, () => mail.received.length > 0);
		await stage.rest.deactivate(id);
		return mail.received.join('\n');
	}

	it('Watch product URLs: an email for a price that falls by 5 %, and not for a smaller change', async () => {
		const pages = await stage.rest.createDataTable('Product pages', { url: 'string' });
		const rows = [1, 2].map((id) => ({ url: `${stage.sandbox.siteUrl}/products/${id}` }));
		await stage.rest.addDataTableRows(pages, rows);
		const id = await often('Watch product URLs');
		const email = await emailAfter(id, 'Email the change', async () => {
			await stage.sandbox.control.price(2, 88);
			await stage.sandbox.control.price(1, 199);
		});
		await stage.sandbox.control.resetPrices();
		expect(email.match(/^Subject: .*$/gm)).toEqual(['Subject: Walnut desk: 199.00, in stock']);
		expect(email).toMatch(/^Before: 249.00, in stock$/m);
	});

	it('Summarize new terms: a model gets the changed lines, and an email its answer', async () => {
		const model = await startModel(() => 'A product costs more.');
		const id = await watching('Summarize new terms');
		await chooseModel(stage, id, model.url, 'Summarize the change');
		const email = await emailAfter(id, 'Email the summary', () => shop.reprice('99.00'));
		await model.close();
		expect(JSON.stringify(model.asked[0])).toMatch(/\+[^+]*99\.00/);
		expect(email).toContain(`Subject: New terms: ${shop.url}`);
		expect(email).toContain('A product costs more.');
	});
});

it('Keep a vector store in sync with a site: the store equals the pages, and only new text is embedded', async () => {
	const example = 'Keep a vector store in sync with a site';
	const [database, embeddings] = await Promise.all([startVectorDatabase(), startEmbeddings()]);
	try {
		const robot = await stage.maxun.post('/robots/crawl', {
			name: 'Shop pages',
			url: shop.url,
			crawlConfig: { limit: 50, outputFormats: ['markdown'] },
		});
		const id = String(robot.data.id);
		await editExample(stage, example, ({ parameters, ...node }) => ({
			...node,
			parameters: {
				...parameters,
				...('robotIds' in parameters && { robotIds: [id] }),
				...('robotId' in parameters && { robotId: { __rl: true, mode: 'id', value: id } }),
			},
		}));
		const workflow = stage.example(example);
		for (const node of ['Delete the old documents', 'Vector store'])
			await chooseCredential(stage, workflow, node, 'postgres', database.credential);
		await chooseModel(stage, workflow, embeddings.url, 'Embeddings');
		const stored = async () => {
			// The database has one session, so a query would disturb n8n's.
			const [last] = await stage.rest.executions(workflow);
			if (last) await stage.rest.finished(last.id);
			const pages = await database.query(
				z.object({ url: z.string(), text: z.string() }),
				`SELECT metadata->>'url' AS url, text FROM site_pages WHERE metadata->>'url' <> '${shop.url}'`,
			);
			return pages.map(({ url, text }) => `${url} ${text}`);
		};

		await runExample(stage, example);
		expect((await stored()).sort()).toEqual(shop.pages());
		await stage.rest.publish(workflow);
		const random = randomFrom(41);
		for (let round = 0; round < 5; round++) {
			const before = shop.pages();
			embeddings.embedded.length = 0;
			shop.change(random);
			await sleep(NEW_SECOND);
			await stage.maxun.run(id);
			await untilEqual(`the pages of round ${round}`, shop.pages(), stored);
			// The list also changes in each round.
			const news = shop.pages().filter((page) => !before.includes(page));
			expect(embeddings.embedded.length).toBe(news.length + 1);
		}
		await stage.rest.deactivate(workflow);
	} finally {
		await Promise.all([database.close(), embeddings.close()]);
	}
}, 600_000);
