import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '../helpers/until.mts';
import { PRODUCTS } from '../sandbox/site/catalogue.mts';
import { randomFrom } from '../simulation/random.mts';
import { Shop } from './changing-shop.mts';
import { editExample, runExample, startedByItself } from './example-runs.mts';
import { startGoogleSheets } from './google-sheets.mts';
import { chooseModel, startEmbeddings } from './model.mts';
import { NEW_SECOND } from './own-server.mts';
import { jsonOf } from './rest.mts';
import { chooseCredential, openStage, type Stage } from './stage.mts';
import { startVectorDatabase } from './vectors.mts';

const WATCH = 'When the page has changed';

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

const watching = async (example: string) =>
	await editExample(stage, example, (node) =>
		node.name === WATCH ? { ...node, parameters: { ...node.parameters, url: shop.url } } : node,
	);

/** Checks the page, as the schedule does. */
async function check(workflowId: string): Promise<void> {
	const { list } = await stage.maxun.get('/robots?q=n8n%20watches');
	const robot = list.find(({ name }) => String(name).includes(workflowId));
	await sleep(NEW_SECOND);
	await stage.maxun.run(String(robot?.id));
}

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
		await stage.rest.listen(id, WATCH);
		await untilEqual('the rows of the page', shop.rows(), read);
		await stage.rest.publish(id);
		const random = randomFrom(40);
		for (let round = 0; round < rounds; round++) {
			shop.change(random);
			await check(id);
			await untilEqual(`the rows of round ${round}`, shop.rows(), read);
		}
		await stage.rest.deactivate(id);
	}

	it('Keep a table in sync with a site: the table equals the page after each of 20 rounds', async () => {
		const columns = { Product: 'string', Price: 'string', Link: 'string' } as const;
		const table = await stage.rest.createDataTable('Shop', columns);
		await staysInSync('Keep a table in sync with a site', 20, async () =>
			(await stage.rest.dataTableRows(table, 200)).map(
				({ Product, Price, Link }) => `${Product} ${Price} ${Link}`,
			),
		);
	}, 600_000);

	it('Keep Google Sheets in sync with a site: the sheet equals the page after each of 10 rounds', async () => {
		const example = 'Keep Google Sheets in sync with a site';
		await useSheet(example);
		google.sheet.fill([['Product', 'Price', 'Link']]);
		await staysInSync(example, 10, async () =>
			google.sheet.rows.slice(1).map((cells) => cells.join(' ')),
		);
	}, 600_000);
});

it('Rows into Google Sheets: two mornings leave one row for each product', async () => {
	const example = 'Rows into Google Sheets';
	await useSheet(example);
	google.sheet.fill([['Product', 'Price', 'Link']]);
	for (let morning = 0; morning < 2; morning++) {
		await runExample(stage, example, 'Every morning');
		const rows = PRODUCTS.map(({ id, name, price }) => [
			name,
			String(price),
			`${stage.sandbox.siteUrl}/products/${id}`,
		]);
		expect(google.sheet.rows.slice(1)).toEqual(rows);
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

it('Tell Slack what changed: one message with a line for each row, by polling', async () => {
	const example = 'Tell Slack what changed';
	const id = await watching(example);
	await editExample(stage, example, ({ credentials, ...node }) =>
		node.name === 'Tell Slack'
			? { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }
			: { ...node, credentials },
	);
	await stage.rest.publish(id);
	await check(id);
	const [product = '', price = ''] = shop.reprice('12.00');
	await check(id);
	const execution = await startedByItself(stage, id, 120_000);
	await stage.rest.deactivate(id);
	expect(jsonOf(execution, 'Tell Slack')).toMatchObject([
		{ line: [`${product}: changed, Price ${price} → $12.00`] },
	]);
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
			// The list changes in each round, too.
			const news = shop.pages().filter((page) => !before.includes(page));
			expect(embeddings.embedded.length).toBe(news.length + 1);
		}
		await stage.rest.deactivate(workflow);
	} finally {
		await Promise.all([database.close(), embeddings.close()]);
	}
}, 600_000);
