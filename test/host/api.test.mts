import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from '../sandbox/index.mts';
import { until } from '../helpers/until.mts';
import { byId } from './nodes.mts';
import { type Execution, itemsOf } from './rest.mts';
import { shownProducts } from './shop.mts';
import { openStage, type Stage } from './stage.mts';
import { webhooksOn } from './traffic.mts';

const COPIES = 3;

let stage: Stage;

beforeAll(async () => {
	// A run lasts longer than the rest of an activation, which continues after the webhook exists.
	const settings = { deliveryCopies: COPIES, runSeconds: 2 };
	stage = await openStage({ settings, env: { N8N_LOG_LEVEL: 'debug' } });
});

afterAll(async () => await stage?.close());

describe('When a run completes', () => {
	let id: string;

	/** The executions with a run, newest first. An event that is sent twice leaves an execution without items. */
	const executions = async (): Promise<Execution[]> => {
		const listed = await stage.rest.executions(id);
		const all = await Promise.all(listed.map(async (entry) => await stage.rest.finished(entry.id)));
		return all.filter((execution) => itemsOf(execution, 'When a run completes').length > 0);
	};

	async function runRobot(): Promise<{ id: string; finishedAt: number }> {
		const { id: runId, finishedAt } = await stage.maxun.run(DEMO.products);
		await until('the deliveries', 30_000, async () => {
			const log = await stage.sandbox.control.deliveries();
			return log.filter((entry) => entry.runId === runId).length >= COPIES;
		});
		return { id: String(runId), finishedAt: Date.parse(String(finishedAt)) };
	}

	beforeAll(async () => {
		id = stage.example('When a run completes');
		// Maxun's times are whole seconds, so a run that ended in this second would count as new.
		await sleep(1100);
		await stage.rest.activate(id);
		await webhooksOn(stage, [DEMO.products], 1);
	});

	it('the workflow starts once within two seconds, despite three deliveries', async () => {
		const run = await runRobot();
		const [execution] = await until('an execution', 10_000, async () => {
			const found = await executions();
			return found.length > 0 ? found : undefined;
		});
		if (execution === undefined) throw new Error('No execution');
		expect(Date.parse(execution.startedAt ?? '') - run.finishedAt).toBeLessThan(2000);
		expect(execution.status).toBe('success');
		const items = itemsOf(execution, 'When a run completes');
		expect(items.map(({ json }) => json)).toMatchObject([
			{ event: 'run_completed', robot: { name: 'Shop products' }, run: { id: run.id } },
		]);
		expect(itemsOf(execution, 'Report the run')[0]?.json.message).toContain('Shop products');
		// A postponed copy is sent again after five seconds.
		await sleep(6000);
		expect(await executions()).toHaveLength(1);
	});
});

it("Scheduled scrape without code: the workflow writes the page's data to a spreadsheet", async () => {
	const id = stage.example('Scheduled scrape without code');
	const { nodes } = await stage.rest.workflow(id);
	const rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
	const changed = nodes.map((node) =>
		node.name === 'Every morning' ? { ...node, parameters: { rule } } : node,
	);
	await stage.rest.updateWorkflow(id, { nodes: changed });
	await stage.rest.activate(id);
	const entry = await until('a scheduled execution', 30_000, async () =>
		(await stage.rest.executions(id)).at(-1),
	);
	await stage.rest.deactivate(id);
	const execution = await stage.rest.finished(entry.id);
	expect(execution).toMatchObject({ status: 'success', mode: 'trigger' });
	const file = join(stage.n8n.filesFolder, 'shop-products.xlsx');
	const [titles = [], ...rows] = await readSheet(await readFile(file));
	expect(titles).toEqual(expect.arrayContaining(['Product', 'Price', 'Stock', 'Link']));
	const shown = await shownProducts(stage.sandbox.siteUrl);
	expect(rows.map((row) => row[titles.indexOf('Product')])).toEqual(shown.map(({ name }) => name));
});

it('The API key does not appear in any execution or log, even if requests fail', async () => {
	const id = stage.example('Scrape a page into rows');
	const { nodes } = await stage.rest.workflow(id);
	const changed = nodes.map((node) =>
		node.name === 'Run the robot'
			? { ...node, parameters: { ...node.parameters, robotId: byId('unknown-robot') } }
			: node,
	);
	await stage.rest.updateWorkflow(id, { nodes: changed });
	const run = await stage.rest.run(id, 'When clicking ‘Execute workflow’');
	expect((await stage.rest.finished(run)).status).toBe('error');
	const ids = (await stage.rest.workflows()).map((workflow) => workflow.id);
	const entries = (
		await Promise.all(ids.map(async (one) => await stage.rest.executions(one)))
	).flat();
	expect(entries.length).toBeGreaterThan(3);
	for (const entry of entries) {
		expect((await stage.rest.execution(entry.id)).raw).not.toContain(KEYS.owner);
	}
	expect(await stage.n8n.log()).not.toContain(KEYS.owner);
});
