import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LOGIN } from './demo.mts';
import { Editor } from './editor.mts';
import { editExample, EVERY_FEW_SECONDS, startedByItself } from './example-runs.mts';
import { PROJECT } from './files.mts';
import { chooseModel, startModel } from './model.mts';
import { until } from '../helpers/until.mts';
import { DEMO } from '../sandbox/index.mts';
import { jsonOf } from './rest.mts';
import { openStage } from './stage.mts';

const FOLDER = join(PROJECT, 'docs', 'pictures');
const README = await readFile(join(PROJECT, 'README.md'), 'utf8');
const EXECUTION_MS = 60_000;
/** How long to wait until animations have ended, in milliseconds. */
const SETTLE_MS = 1_500;
/** n8n shows toasts and tips shortly after the output. */
const WITHOUT_TOASTS =
	'.el-notification, [data-reka-popper-content-wrapper]:has([role="tooltip"]) { display: none !important; }';

/**
 * Replaces the demo shop's address with the address in the documents. Readers would take a local address for an
 * error.
 * @returns whether the page contained it; n8n may render it again
 */
const hideAddress = async ({ page }: Editor, address: string): Promise<boolean> =>
	await page.evaluate((host) => {
		const local = new RegExp(`http://${host}(/site)?`, 'g');
		const shown = 'https://shop.example';
		// Hints contain the host without a scheme.
		const bare = new RegExp(`${host}(/site)?`, 'g');
		let isThere = false;
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const { currentNode: text } = texts;
			if (!text.nodeValue?.includes(host)) continue;
			text.nodeValue = text.nodeValue.replace(local, shown).replace(bare, 'shop.example');
			isThere = true;
		}
		for (const field of document.querySelectorAll('input, textarea')) {
			const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
			if (!isText || !field.value.includes(host)) continue;
			field.value = field.value.replace(local, shown).replace(bare, 'shop.example');
			isThere = true;
		}
		return isThere;
	}, new URL(address).host);

/** Takes a picture, and the pictures of the README also in n8n's dark theme. */
async function take(editor: Editor, name: string): Promise<void> {
	await shoot(editor, name);
	if (!README.includes(`/${name}-dark.png`)) return;
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	await shoot(editor, `${name}-dark`);
	await editor.page.emulateMedia({ colorScheme: 'light' });
}

async function shoot(editor: Editor, name: string): Promise<void> {
	const { page } = editor;
	// Moves the pointer away, so that nothing is highlighted.
	await page.mouse.move(300, 895);
	for (let tries = 0; tries < 10; tries++) {
		await page.waitForTimeout(SETTLE_MS);
		if (!(await hideAddress(editor, stage.sandbox.url))) break;
	}
	const path = join(FOLDER, `${name}.png`);
	await page.screenshot({ path, style: WITHOUT_TOASTS });
	console.log(`${name}.png: ${Math.round((await stat(path)).size / 1024)} KB`);
}

/** An executed workflow, and its open node with the output. */
async function ofRunAndWait(editor: Editor): Promise<void> {
	await editor.openWorkflow(stage.example('Scrape a page into rows'));
	await editor.page.getByTestId('execute-workflow-button').click();
	const done = editor.page.getByTestId('canvas-node-status-success');
	await done.nth(2).waitFor({ timeout: EXECUTION_MS });
	await editor.page.getByTestId('logs-overview-header').click();
	await take(editor, 'workflow');
	await editor.openNode('Run the robot');
	// The form has added the robot's inputs, so n8n marks the earlier output as outdated.
	await editor.execute();
	await editor.page.getByRole('button', { name: 'Execute step' }).first().waitFor();
	await editor.page.getByTestId('output-panel').getByRole('row').nth(2).waitFor();
	await take(editor, 'run-and-wait');
	await editor.closeNode();
}

async function takeOutput(
	editor: Editor,
	form: Parameters<Editor['showOutputAs']>[0],
	name: string,
): Promise<void> {
	await editor.execute();
	await editor.showOutputAs(form);
	await take(editor, name);
	await editor.closeNode();
}

/** A node of an example with its form, and its output as a table. */
const ofTable = (example: string, node: string) => async (editor: Editor, name: string) => {
	await editor.openWorkflow(stage.example(example));
	await editor.openNode(node);
	await takeOutput(editor, 'Table', name);
};

/** A robot's columns before its node has run, with sample values. */
async function ofColumns(editor: Editor): Promise<void> {
	await stage.maxun.run(DEMO.products);
	await editor.openWorkflow(stage.example('Scrape a page into rows'));
	await editor.openNode('Run the robot');
	await editor.choose('output', /^Selected Fields/);
	await editor.options('fields');
	await editor.field('fields').click();
	await editor.page.getByText('e.g. Walnut desk').first().waitFor();
	await take(editor, 'columns');
	await editor.page.keyboard.press('Escape');
	await editor.closeNode();
}

async function ofCompare(editor: Editor): Promise<void> {
	await stage.maxun.run(DEMO.products);
	await stage.sandbox.control.price(1, 199);
	await editor.openWorkflow(stage.example('Email site changes'));
	await editor.openNode('Compare with the previous run');
	await editor.choose('output', /^Changes/);
	await takeOutput(editor, 'JSON', 'compare');
	await stage.sandbox.control.resetPrices();
}

async function ofDocuments(editor: Editor): Promise<void> {
	await editor.openWorkflow(stage.example('Crawl a site to Markdown files'));
	await editor.openNode('Crawl the site');
	await editor.choose('output', /^Documents/);
	await takeOutput(editor, 'Schema', 'documents');
}

async function ofTrigger(editor: Editor): Promise<void> {
	await editor.openWorkflow(stage.example('When a run completes'));
	await editor.openNode('When a run completes');
	await editor.field('robotIds').getByText('Shop products').first().waitFor();
	await editor.choose('output', /^Rows/);
	// A test of the trigger returns the latest run.
	await stage.maxun.run(DEMO.products);
	await takeOutput(editor, 'Table', 'trigger');
}

/** A workflow that checks often, without Slack. */
function forPicture({ credentials, ...node }: Parameters<Parameters<typeof editExample>[2]>[0]) {
	if (node.type === 'n8n-nodes-base.slack')
		return { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const often = 'rule' in node.parameters && { parameters: EVERY_FEW_SECONDS };
	return { ...node, credentials, ...often };
}

/** The rows of a watched page that changed since its first check. */
async function ofWatchedPage(editor: Editor): Promise<void> {
	const id = await editExample(stage, 'Tell Slack what changed', forPicture);
	await stage.rest.publish(id);
	await startedByItself(stage, id, 60_000);
	await stage.sandbox.control.price(1, 199);
	await stage.sandbox.control.price(4, 99);
	const execution = await until('an execution with changes', EXECUTION_MS, async () => {
		const [latest] = await stage.rest.executions(id);
		const ended = latest && (await stage.rest.finished(latest.id));
		return ended && jsonOf(ended, 'Get the changes').length === 2 ? ended : undefined;
	});
	await stage.rest.deactivate(id);
	await editor.openExecution(id, execution.id);
	await editor.openNode('Get the changes');
	await editor.showOutputAs('JSON');
	await take(editor, 'watched-page');
	await editor.closeNode();
	await stage.sandbox.control.resetPrices();
}

async function ofTool(editor: Editor): Promise<void> {
	const url = `${stage.sandbox.siteUrl}/articles/oiling-a-desk`;
	const model = await startModel(
		() => ({ tool: 'Read_a_page', input: { URL: url } }),
		() =>
			'Oil the desk twice a year: wipe it clean, apply a thin coat, and let it dry for a night.',
	);
	const id = stage.example('An AI agent that reads pages');
	await chooseModel(stage, id, model.url);
	await editor.openWorkflow(id);
	// n8n opens the chat automatically only on the first visit.
	const open = editor.page.getByTestId('workflow-chat-button').filter({ hasText: 'Open chat' });
	if (await open.isVisible()) await open.click();
	const input = editor.page
		.getByTestId('chat-input')
		.or(editor.page.locator('.chat-inputs textarea'));
	await input.first().fill(`How often should I oil a desk? See ${url}`);
	await editor.page.keyboard.press('Enter');
	await editor.page
		.getByText('Oil the desk twice a year')
		.first()
		.waitFor({ timeout: EXECUTION_MS });
	await take(editor, 'tool');
	await model.close();
}

/** The pictures by name. Takes the pictures in the arguments, or all pictures. */
const PICTURES: Record<string, (editor: Editor, name: string) => Promise<void>> = {
	'run-and-wait': ofRunAndWait,
	'run-on-many-urls': ofTable('Run a robot on many pages', 'Run the robot on each page'),
	'by-example': ofTable('Extract a product list', 'Read the products'),
	automatic: ofTable('Rows into Google Sheets', 'Read the rows'),
	selectors: ofTable('Rows into a data table', 'Read the products'),
	columns: ofColumns,
	compare: ofCompare,
	documents: ofDocuments,
	trigger: ofTrigger,
	'watched-page': ofWatchedPage,
	tool: ofTool,
};

const wanted = process.argv.slice(2);
const stage = await openStage();
let editor: Editor | undefined;
try {
	await mkdir(FOLDER, { recursive: true });
	editor = await Editor.open(stage.n8n.url, LOGIN);
	for (const [name, picture] of Object.entries(PICTURES)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		await picture(editor, name).catch(async (error: unknown) => {
			await editor?.shoot(`no-picture-of-${name}`);
			throw error;
		});
	}
} finally {
	await editor?.close();
	await stage.close();
}
