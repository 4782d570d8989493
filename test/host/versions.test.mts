import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import { FIRST_PAGE } from '../sandbox/site/catalogue.mts';
import { CREDENTIAL_NAME, LOGIN } from './demo.mts';
import { Editor } from './editor.mts';
import { readByAgent, runExample, startedByItself } from './example-runs.mts';
import { call, ONLY_POLLS, TRIGGER, watching } from './nodes.mts';
import { selectedRelease } from './releases.mts';
import { itemsOf, jsonOf } from './rest.mts';
import { webhooksOn } from './traffic.mts';
import { useStage } from './useStage.mts';
import { pausingWorkflow, WAITING } from './waiting.mts';

const PACKAGE = 'n8n-nodes-maxun-robots';
const WAIT = { timeout: 30_000 };

const stage = useStage();

// What must work in every supported version. The other suites test the details in the newest version.
describe(`The nodes in n8n ${selectedRelease().n8n}`, () => {
	it('n8n offers the nodes, the action node also as a tool', async () => {
		const own = (await stage.rest.nodeTypes()).filter((name) => name.startsWith(PACKAGE));
		const names = ['maxun', 'maxunTool', 'maxunTrigger'];
		expect(own.sort()).toEqual(names.map((name) => `${PACKAGE}.${name}`));
	});

	it('the action node returns the rows of a page', async () => {
		const execution = await runExample(stage, 'Scrape a page into rows');
		const rows = jsonOf(execution, 'Run the robot');
		expect(rows.map(({ Product }) => Product)).toEqual(FIRST_PAGE);
	});

	it('the trigger starts the workflow once when a run ends, and turns its webhook off', async () => {
		const id = stage.example('When a run completes');
		await stage.rest.activate(id);
		await webhooksOn(stage, [DEMO.products], 1);
		const run = await stage.maxun.run(DEMO.products);
		const execution = await startedByItself(stage, id);
		expect(jsonOf(execution, 'When a run completes')).toMatchObject([
			{ event: 'run_completed', run: { id: run.id } },
		]);
		await stage.rest.deactivate(id);
		await webhooksOn(stage, [DEMO.products], 0);
		expect(await stage.rest.executions(id)).toHaveLength(1);
	});

	it('without webhooks, the trigger starts the workflow within a minute', async () => {
		const { id } = await stage.rest.createWorkflow(
			watching('selfHosted', [DEMO.products], ONLY_POLLS),
		);
		await stage.rest.publish(id);
		const run = await stage.maxun.run(DEMO.products);
		const execution = await startedByItself(stage, id, 75_000);
		await stage.rest.deactivate(id);
		expect(jsonOf(execution, TRIGGER)).toMatchObject([{ run: { id: run.id } }]);
	});

	it('an agent uses the node as a tool', async () => {
		const { output } = await readByAgent(stage);
		expect(output).toMatch(/^The page says: .*oil/is);
	});

	it('a production execution pauses and returns the result', async () => {
		await stage.sandbox.control.settings({ runSeconds: 12 });
		const path = 'pausing';
		const { id } = await stage.rest.createWorkflow(
			pausingWorkflow('Pausing', path, { pauseAfter: 2 }),
		);
		await stage.rest.activate(id);
		const robotId = await newRobot(stage.sandbox);
		await call(`${stage.n8n.url}/webhook/${path}`, { robotId });
		await until('the pause', 20_000, async () => {
			return (await stage.rest.executions(id))[0]?.status === 'waiting';
		});
		const execution = await startedByItself(stage, id);
		await stage.rest.deactivate(id);
		await stage.sandbox.control.settings({ runSeconds: 0 });
		expect(itemsOf(execution, 'After')).toHaveLength(1);
		expect(itemsOf(execution, WAITING)).toMatchObject([{ json: { robotId, status: 'success' } }]);
		expect(await stage.maxun.webhooks(robotId)).toEqual([]);
	});
});

describe(`The editor of n8n ${selectedRelease().n8n}`, () => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await Editor.open(stage.n8n.url, LOGIN);
	});

	afterAll(async () => await editor?.close());

	it('the node is added, configured and executed', async () => {
		await editor.openMaxun();
		await editor.shoot('v1-node-panel');
		await editor.addAction('Run robot and wait');
		expect((await editor.credentials()).sort()).toEqual(['Maxun account', 'Maxun server']);
		expect(await editor.field('server').count()).toBe(0);
		await editor.chooseCredential(CREDENTIAL_NAME);
		const robots = await editor.searchList('robotId', 'shop p');
		await expect
			.poll(async () => await robots.allInnerTexts(), WAIT)
			.toEqual([expect.stringContaining('Shop products')]);
		await editor.shoot('v2-robots');
		await robots.click();
		await editor.choose('output', /^Rows/);
		const output = await editor.execute();
		const items = await output.getByTestId('ndv-items-count').innerText();
		expect(items).toContain(`${FIRST_PAGE.length} items`);
		await editor.shoot('v3-output');
		await editor.closeNode();
		await editor.shoot('v4-canvas');
	});

	it('the trigger shows its robots and its URL', async () => {
		await editor.openWorkflow(stage.example('When a run completes'));
		await editor.openNode('When a run completes');
		await editor.field('robotIds').getByText('Shop products').first().waitFor();
		expect(await editor.page.getByText('Webhook URLs').count()).toBe(1);
		await editor.shoot('v5-trigger');
		await editor.closeNode();
	});

	it('the tool is connected to the agent', async () => {
		await editor.openWorkflow(stage.example('An AI agent that reads pages'));
		await editor.shoot('v6-tool');
	});
});
