import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CREDENTIAL_NAME, LOGIN } from './demo.mts';
import { Editor } from './editor.mts';
import { PROJECT } from './files.mts';
import { chooseModel } from './model.mts';
import { openStage, type Stage } from './stage.mts';

const FOLDER = join(PROJECT, 'docs', 'pictures');
const EXECUTION_MS = 60_000;
/** Waits until animations have ended. */
const SETTLE_MS = 1_500;

/** Saves a screenshot for the README. */
async function take({ page }: Editor, name: string): Promise<void> {
	// Moves the pointer away, so that nothing is highlighted.
	await page.mouse.move(300, 895);
	await page.locator('.el-notification').waitFor({ state: 'hidden' });
	await page.waitForTimeout(SETTLE_MS);
	const path = join(FOLDER, `${name}.png`);
	await page.screenshot({ path });
	console.log(`${name}.png: ${Math.round((await stat(path)).size / 1024)} KB`);
}

/** An executed workflow, and its open node with the output. */
async function ofRunAndWait(editor: Editor, stage: Stage): Promise<void> {
	await editor.openWorkflow(stage.example('Scrape a page into rows'));
	await editor.page.getByTestId('execute-workflow-button').click();
	const done = editor.page.getByTestId('canvas-node-status-success');
	await done.nth(2).waitFor({ timeout: EXECUTION_MS });
	await editor.page.getByTestId('logs-overview-header').click();
	await take(editor, 'workflow');
	await editor.openNode('Run the robot');
	await editor.page.getByTestId('output-panel').getByRole('row').nth(2).waitFor();
	await take(editor, 'run-and-wait');
	await editor.closeNode();
}

async function ofTrigger(editor: Editor, stage: Stage): Promise<void> {
	await editor.openWorkflow(stage.example('When a run completes'));
	await editor.openNode('When a run completes');
	await editor.field('robotIds').getByText('Shop products').first().waitFor();
	// A test of the trigger returns the latest run, which was created earlier.
	await editor.execute();
	await take(editor, 'trigger');
	await editor.closeNode();
}

async function ofTool(editor: Editor, stage: Stage): Promise<void> {
	const id = stage.example('An AI agent that reads pages');
	await chooseModel(stage, id, 'http://127.0.0.1:1/v1');
	await editor.openWorkflow(id);
	// n8n opens the chat automatically only on the first visit.
	const hide = editor.page.getByTestId('workflow-chat-button').filter({ hasText: 'Hide chat' });
	if (await hide.isVisible()) await hide.click();
	await take(editor, 'tool');
}

/** The saved credential, which n8n tests when it opens. */
async function ofCredential(editor: Editor, stage: Stage): Promise<void> {
	await editor.page.goto(`${stage.n8n.url}/home/credentials`);
	await editor.page.getByText(CREDENTIAL_NAME).first().click();
	const dialog = editor.page.getByRole('dialog');
	await dialog.getByTestId('credentials-config-container-test-success').waitFor();
	await take(editor, 'credential');
}

const stage = await openStage();
let editor: Editor | undefined;
try {
	await mkdir(FOLDER, { recursive: true });
	editor = await Editor.open(stage.n8n.url, LOGIN);
	await ofRunAndWait(editor, stage);
	await ofTrigger(editor, stage);
	await ofTool(editor, stage);
	await ofCredential(editor, stage);
} finally {
	await editor?.close();
	await stage.close();
}
