import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from '../sandbox/index.mts';
import { LOGIN } from './demo.mts';
import { Editor } from './editor.mts';
import { TRIGGER, watching } from './nodes.mts';
import { webhooksOn } from './traffic.mts';
import { useStage } from './useStage.mts';

const WAIT = { timeout: 30_000 };

const stage = useStage();
let editor: Editor;

beforeAll(async () => {
	editor = await Editor.open(stage.n8n.url, LOGIN);
});

afterAll(async () => await editor?.close());

it('the node is found in the node panel, with its triggers and actions', async () => {
	await editor.openNewWorkflow();
	const found = await editor.searchNodes('web scraping');
	await editor.shoot('0-search');
	await expect.poll(async () => await found.allInnerTexts(), WAIT).toContain('Maxun');
	await editor.page.getByTestId('node-creator-search-bar').fill('maxun');
	const listed = async () => await found.allInnerTexts();
	const others = async () => (await listed()).filter((name) => !name.startsWith('Maxun'));
	await expect.poll(others, WAIT).toEqual([]);
	await expect.poll(listed, WAIT).toContain('Maxun');
	await editor.shoot('1-node-panel');
	await found.getByText('Maxun', { exact: true }).click();
	await editor.unfoldActions();
	const some = ['Watch pages for changes', 'On run completed', 'Get usage', 'Scrape page'];
	await expect.poll(listed, WAIT).toEqual(expect.arrayContaining(some));
	await editor.shoot('2-node-actions');
});

it("A new user of the editor maps a robot's columns into a spreadsheet without a run", async () => {
	await stage.maxun.run(DEMO.products); // The robot's owner ran it earlier.
	await stage.sandbox.control.clear();
	const { page } = editor;
	await editor.openMaxun();
	await editor.addAction('Run robot and wait');
	const robots = await editor.searchList('robotId', 'shop p');
	await robots.getByText('Shop products').first().click();
	await editor.choose('output', /^Rows/);
	await page.getByTestId('collection-parameter-add').first().click();
	await page.getByRole('option', { name: 'Use Last Run When Testing' }).click();
	await editor.execute();
	await editor.shoot('26-last-run');
	await editor.closeNode();
	await editor.addNext('Edit Fields');
	for (const column of ['Product', 'Price']) {
		const source = editor.input.getByText(column, { exact: true }).first();
		await source.dragTo(page.getByTestId('drop-area').first());
	}
	await editor.shoot('27-mapped-columns');
	const mapped = await page.getByTestId('assignment-value').allInnerTexts();
	await editor.closeNode();
	await editor.addNext('Convert to File', 'Convert to XLSX');
	expect(mapped).toEqual([
		expect.stringContaining('$json.Product'),
		expect.stringContaining('$json.Price'),
	]);
	expect(await stage.sandbox.count(/^POST /)).toBe(0);
});

describe('A new user without a recorded robot', () => {
	it('gets the rows of a page from an empty canvas, with its URL only', async () => {
		await editor.openMaxun();
		await editor.addAction('Extract rows from page');
		await editor.fill('url', `${stage.sandbox.siteUrl}/products`);
		const output = await editor.execute();
		expect(await output.getByTestId('ndv-items-count').innerText()).toContain('8 items');
		await editor.showOutputAs('Table');
		await output.getByText('Walnut desk', { exact: true }).waitFor();
		await editor.shoot('24-automatic');
		await editor.fill('url', `${stage.sandbox.siteUrl}/kinds/filter`);
		await editor.page.getByTestId('node-execute-button').click();
		await editor.page.getByTestId('node-error-message').getByText('not find any rows').waitFor();
		await editor.shoot('25-no-rows');
		await editor.closeNode();
	});

	it('gets the contacts of a firm', async () => {
		await editor.openMaxun();
		await editor.addAction('Crawl site');
		await editor.fill('url', `${stage.sandbox.siteUrl}/kinds/firm`);
		await editor.choose('output', /^Contacts/);
		const output = await editor.execute();
		await editor.showOutputAs('Table');
		await output.getByText('email', { exact: true }).first().waitFor();
		await editor.shoot('23-contacts');
		await editor.closeNode();
	});

	it('extracts a list on three pages into a spreadsheet, with named and typed columns', async () => {
		const { page } = editor;
		const before = await robotIds();
		const began = Date.now();
		await editor.openMaxun();
		await editor.addAction('Extract rows from page');
		await editor.choose('specifyFields', /^With Selectors(?! \(JSON)/);
		await editor.fill('url', `${stage.sandbox.siteUrl}/products`);
		await editor.addEntry('List');
		await editor.fill('name', 'Products');
		await editor.fill('rowSelector', 'li.product');
		const list = page.getByTestId('fixed-collection-lists');
		const columns = page.getByTestId('fixed-collection-columns').first();
		for (const { column, selector, type } of COLUMNS) {
			await editor.addEntry('Column');
			await editor.fill('name', column, columns);
			await editor.fill('selector', selector, columns);
			if (type === 'Link') await editor.chooseIn(list, 'returnValue', type);
			await editor.chooseIn(list, 'type', type);
		}
		await editor.chooseIn(list, 'pagination', 'Automatic');
		await editor.shoot('28-list-with-columns');
		const output = await editor.execute();
		await editor.shoot('29-typed-columns');
		expect(await output.getByTestId('ndv-items-count').innerText()).toContain('24 items');
		const { siteUrl } = stage.sandbox;
		await output.getByRole('row', { name: `Walnut desk 249 ${siteUrl}/products/1` }).waitFor();
		await editor.closeNode();
		await editor.addNext('Convert to File', 'Convert to XLSX');
		expect(await (await editor.execute()).innerText()).toContain('File.xlsx');
		await editor.shoot('30-spreadsheet');
		console.log(`From an empty canvas to a spreadsheet: ${(Date.now() - began) / 1000} s`);
		await editor.closeNode();
		expect(await robotIds()).toEqual(before);
	});

	it('learns which selector is wrong', async () => {
		await editor.openNode('Extract rows from page');
		const columns = editor.page.getByTestId('fixed-collection-columns').first();
		await editor.fill('selector', '.no-such-link', columns);
		await editor.page.getByTestId('node-execute-button').click();
		const error = editor.page.getByTestId('node-error-message');
		await error.getByText("Maxun could not use the selector of 'Products › Link'").waitFor();
		await editor.shoot('31-wrong-selector');
		await editor.closeNode();
	});
});

it('A new user who wants to know when a page changes watches it from an empty canvas, without a robot', async () => {
	const steps: string[] = [];
	const step = async (what: string, action: () => Promise<unknown>) => {
		steps.push(what);
		await action();
	};
	await editor.openNewWorkflow();
	const began = Date.now();
	await step('search for what to do', async () => {
		const found = await editor.searchNodes('watch a page for changes');
		await found.getByText('Maxun', { exact: true }).click();
	});
	await step('select the operation', async () => {
		await editor.unfoldActions();
		await editor.addAction('Watch pages for changes');
	});
	await step('enter the URL', async () => {
		await editor.fill('urls', `${stage.sandbox.siteUrl}/products`);
	});
	await editor.shoot('32-watched-page');
	await step('execute the node', async () => {
		const output = await editor.execute();
		expect(await output.innerText()).toContain('added');
	});
	await editor.shoot('33-watched-page-output');
	await step('select Rows', async () => await editor.choose('what', /^Rows/));
	await editor.shoot('34-watched-rows');
	await editor.closeNode();
	const seconds = (Date.now() - began) / 1000;
	console.log(`${steps.length} steps in ${seconds.toFixed(0)} s: ${steps.join(', ')}`);
});

const COLUMNS = [
	{ column: 'Product', selector: '.name a', type: 'Text' },
	{ column: 'Price', selector: '.price', type: 'Number' },
	{ column: 'Link', selector: '.name a', type: 'Link' },
];

const robotIds = async () => (await stage.maxun.get('/robots')).list.map(({ id }) => id);

it('the trigger starts the published workflow when a run ends', async () => {
	const id = stage.example('When a run completes');
	await editor.openWorkflow(id);
	await editor.shoot('7-trigger-workflow');
	await editor.openNode('When a run completes');
	await editor.field('robotIds').getByText('Shop products').first().waitFor();
	// Users can add the URL to a robot themselves.
	expect(await editor.page.getByText('Webhook URLs').count()).toBe(1);
	await editor.shoot('8-trigger-form');
	await editor.closeNode();
	await editor.publish();
	await webhooksOn(stage, [DEMO.products], 1);
	await editor.shoot('9-trigger-published');
	await stage.maxun.run(DEMO.products);
	const list = await editor.openExecutions(id);
	await list.first().waitFor();
	await expect.poll(async () => await list.first().innerText(), WAIT).toContain('Succeeded');
	expect(await list.count()).toBe(1);
	await editor.page.getByTestId('canvas-node-status-success').first().waitFor();
	await editor.shoot('10-executions');
});

/** n8n adds this entry to every node's lists. */
const CUSTOM = 'Custom API Call';

describe('The nodes for a self-hosted server in the editor', () => {
	it("the node offers a self-hosted server's features", async () => {
		await editor.openMaxun();
		await editor.addAction('Run robot and wait');
		await editor.chooseCredential('Maxun account');
		const resources = await editor.options('resource');
		expect(resources).toHaveLength(9 + 1);
		await editor.chooseCredential('Maxun server');
		expect(await editor.options('resource')).toEqual(resources);
		await editor.choose('resource', /^Account/);
		expect(await editor.options('operation')).toEqual(['Get', CUSTOM]);
		await editor.choose('resource', /^Run/);
		await editor.choose('operation', /^Run and Wait/);
		const robots = await editor.searchList('robotId', 'shop p');
		await expect
			.poll(async () => await robots.allInnerTexts(), WAIT)
			.toEqual([expect.stringContaining('Shop products')]);
		await editor.shoot('12-self-hosted-robots');
	});

	it("the trigger lists the server's robots", async () => {
		const { id } = await stage.rest.createWorkflow(watching('selfHosted', [DEMO.products]));
		await editor.openWorkflow(id);
		await editor.openNode(TRIGGER);
		expect(await editor.credential()).toBe('Maxun server');
		await editor.field('robotIds').getByText('Shop products').first().waitFor();
		await editor.shoot('13-self-hosted-trigger');
	});
});

describe('The credential selects the server', () => {
	const nodes: Array<[node: string, example: string]> = [
		['Run the robot', 'Scrape a page into rows'],
		['When a run completes', 'When a run completes'],
	];

	it.each(nodes)(
		"'%s' lists credentials of both kinds and has no field for the server",
		async (node, example) => {
			await editor.openWorkflow(stage.example(example));
			await editor.openNode(node);
			expect((await editor.credentials()).sort()).toEqual(['Maxun account', 'Maxun server']);
			expect(await editor.field('server').count()).toBe(0);
			await editor.chooseCredential('Maxun server');
			await editor.shoot(`11-self-hosted-${node}`);
			expect(await editor.optionalFields()).not.toContain('Team');
			await editor.chooseCredential('Maxun account');
			await editor.shoot(`11-cloud-${node}`);
			expect(await editor.optionalFields()).toContain('Team');
		},
	);

	it.each(nodes)("'%s' uses a new credential at once, whatever its type", async (node, example) => {
		await editor.openWorkflow(stage.example(example));
		await editor.openNode(node);
		const apiKey = String(KEYS.owner);
		await editor.createCredential('Self-Hosted', { apiKey, baseUrl: stage.sandbox.url });
		await expect.poll(async () => await editor.credential(), WAIT).toMatch(/^Maxun Self-Hosted/);
		expect(await editor.optionalFields()).not.toContain('Team');
		await editor.createCredential('Maxun Cloud', { apiKey, baseUrl: stage.sandbox.baseUrl });
		await expect.poll(async () => await editor.credential(), WAIT).toMatch(/^Maxun Cloud/);
		expect(await editor.optionalFields()).toContain('Team');
		await editor.shoot(`12-new-credential-${node}`);
	});
});
