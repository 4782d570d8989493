import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { DEMO, KEYS } from '../sandbox/index.mts';
import { until } from '../helpers/until.mts';
import { FIRST_PAGE } from '../sandbox/site/catalogue.mts';
import { BUTTON, startedByItself } from './example-runs.mts';
import { byId } from './nodes.mts';
import { itemsOf, jsonOf } from './rest.mts';
import { webhooksOn } from './traffic.mts';
import { useStage } from './useStage.mts';

const COPIES = 3;

// n8n continues to activate the workflow after the webhook exists. A run takes longer than this.
const settings = { deliveryCopies: COPIES, runSeconds: 2 };
const stage = useStage({ settings, env: { N8N_LOG_LEVEL: 'debug' } });

it('When a run completes: the workflow starts once within two seconds, despite three deliveries', async () => {
	const name = 'When a run completes';
	const id = stage.example(name);
	// Maxun's times are whole seconds, so a run that ended in this second would count as new.
	await sleep(1100);
	await stage.rest.activate(id);
	await webhooksOn(stage, [DEMO.products], 1);
	const run = await stage.maxun.run(DEMO.products);
	await until('the deliveries', 30_000, async () => {
		const log = await stage.sandbox.control.deliveries();
		return log.filter(({ runId }) => runId === run.id).length >= COPIES;
	});
	// A postponed copy is sent again after five seconds.
	await sleep(6000);
	const entries = await stage.rest.executions(id);
	const executions = await Promise.all(
		entries.map(async (one) => await stage.rest.finished(one.id)),
	);
	// An event that is sent twice leaves an execution without items.
	const [execution, ...others] = executions.filter((one) => itemsOf(one, name).length > 0);
	if (execution === undefined) throw new Error('No execution');
	expect(others).toEqual([]);
	const delay = Date.parse(execution.startedAt ?? '') - Date.parse(String(run.finishedAt));
	expect(delay).toBeLessThan(2000);
	expect(execution.status).toBe('success');
	expect(jsonOf(execution, name)).toMatchObject([
		{ event: 'run_completed', robot: { name: 'Shop products' }, run: { id: run.id } },
	]);
	expect(jsonOf(execution, 'Report the run')[0]?.message).toContain('Shop products');
});

it("Scheduled scrape without code: the workflow writes the page's data to a spreadsheet", async () => {
	const id = stage.example('Scheduled scrape without code');
	const rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
	await stage.rest.changeNode(id, 'Every morning', { parameters: { rule } });
	await stage.rest.activate(id);
	const execution = await startedByItself(stage, id);
	await stage.rest.deactivate(id);
	expect(execution.mode).toBe('trigger');
	const file = join(stage.n8n.filesFolder, 'shop-products.xlsx');
	const [titles = [], ...rows] = await readSheet(await readFile(file));
	expect(titles).toEqual(expect.arrayContaining(['Product', 'Price', 'Stock', 'Link']));
	expect(rows.map((row) => row[titles.indexOf('Product')])).toEqual(FIRST_PAGE);
});

it('The API key does not appear in any execution or log, even if requests fail', async () => {
	const id = stage.example('Scrape a page into rows');
	const parameters = { robotId: byId('unknown-robot') };
	await stage.rest.changeNode(id, 'Run the robot', { parameters });
	const run = await stage.rest.run(id, BUTTON);
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
