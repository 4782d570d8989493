import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { DEMO, type Settings } from '../sandbox/index.mts';
import { byId } from './nodes.mts';
import { ACTION, doing, execute, NEW_SECOND, TRIGGER, watching } from './own-server.mts';
import { until } from '../helpers/until.mts';
import { itemsOf, jsonOf, type WorkflowSource } from './rest.mts';
import { shownProducts } from './shop.mts';
import { FULL } from './size.mts';
import { openStage, type Stage } from './stage.mts';
import { webhooksOn } from './traffic.mts';
import { stateOf } from './watched.mts';

/** Whether the long run has its documented length, or a shorter one for builds. */
const LONG_RUN = FULL ? { seconds: 600, cutAfter: 60 } : { seconds: 20, cutAfter: 3 };

let stage: Stage;

beforeAll(async () => {
	stage = await openStage();
});

afterAll(async () => await stage?.close());

const configure = async (settings: Partial<Settings>) =>
	await stage.sandbox.control.settings(settings);

async function outputOf(workflow: WorkflowSource, limit?: number) {
	const execution = await execute(stage, workflow, limit);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return jsonOf(execution, ACTION);
}

/** Runs a robot as another user of the server. @returns the run's ID */
const runRobot = async (robotId: string) => String((await stage.sandbox.server.run(robotId)).runId);

/** The server's data about a robot, without an API request. */
async function dataOf(robotId: string) {
	const { robots, runs } = await stateOf(stage);
	const robot = robots.find(({ id }) => id === robotId);
	if (robot === undefined) throw new Error(`There is no robot ${robotId}`);
	return { ...robot, runs: runs.filter((run) => run.robotId === robotId) };
}

/** The number of API requests to start a run of a robot. */
async function startsOf(robotId: string): Promise<number> {
	const requests = await stage.sandbox.control.requests();
	return requests.filter(
		({ method, path }) => method === 'POST' && path === `/robots/${robotId}/runs`,
	).length;
}

/** The runs that started a workflow, latest first, once there are enough. */
async function runsTold(workflowId: string, count: number, limit: number): Promise<unknown[]> {
	const entries = await until(`${count} executions`, limit, async () => {
		const found = await stage.rest.executions(workflowId);
		return found.length >= count ? found : undefined;
	});
	const executions = entries.map(async ({ id }) => await stage.rest.finished(id));
	return (await Promise.all(executions)).flatMap((execution) =>
		itemsOf(execution, TRIGGER).map(({ json }) => z.object({ id: z.string() }).parse(json.run).id),
	);
}

describe.each(['documented', 'observed'] as const)('A self-hosted server as %s', (form) => {
	beforeAll(async () => await configure({ selfHostedForm: form }));

	it('a robot runs and returns its rows', async () => {
		const before = await startsOf(DEMO.products);
		const parameters = { robotId: byId(DEMO.products), output: 'rows' };
		const rows = await outputOf(doing('run', 'runAndWait', parameters));
		const shown = await shownProducts(stage.sandbox.siteUrl);
		const products = rows.flatMap(({ Product }) => (Product === undefined ? [] : [Product]));
		expect(products).toEqual(shown.map(({ name }) => name));
		expect((await startsOf(DEMO.products)) - before).toBe(1);
	});

	it("a workflow starts if its URL was added in the server's dashboard", async () => {
		const robotId = await newRobot(stage.sandbox, { name: 'With an address added by hand' });
		const workflow = watching([robotId], { options: { pollOnly: true } });
		const { id } = await stage.rest.createWorkflow(workflow);
		await stage.rest.publish(id);
		const address = `${stage.n8n.url}/webhook/${workflow.webhookId}/webhook`;
		const added = await stage.maxun.post(`/robots/${robotId}/webhooks`, { url: address });
		expect(added.status).toBe(201);
		await sleep(NEW_SECOND);
		const runs = [await runRobot(robotId)];
		expect(await runsTold(id, 1, 20_000)).toEqual(runs);
		await stage.rest.deactivate(id);
		expect((await dataOf(robotId)).webhooks).toMatchObject([{ url: address, active: true }]);
	});
});

describe('A self-hosted server with webhook routes', () => {
	it('a published workflow creates its webhook, and runs start it', async () => {
		await configure({ selfHostedForm: 'observed' });
		const robotId = await newRobot(stage.sandbox, { name: 'With a workflow' });
		const { id } = await stage.rest.createWorkflow(watching([robotId]));
		await stage.rest.publish(id);
		const { webhooks } = await dataOf(robotId);
		expect(webhooks).toMatchObject([{ url: expect.stringContaining('?robot=') }]);
		await sleep(NEW_SECOND);
		const runs = [await runRobot(robotId)];
		expect(await runsTold(id, 1, 20_000)).toEqual(runs);
		await stage.rest.deactivate(id);
		await webhooksOn(stage, [robotId], 0);
	});
});

describe('A self-hosted server without webhook routes', () => {
	it('a published workflow polls, and the log says why', async () => {
		await configure({ selfHostedForm: 'documented' });
		const robotId = await newRobot(stage.sandbox, { name: 'Without webhooks' });
		const { id } = await stage.rest.createWorkflow(watching([robotId]));
		await stage.rest.publish(id);
		expect(await stage.n8n.log()).toMatch(/The trigger polls, because .*webhook/);
		await sleep(NEW_SECOND);
		const runs = [await runRobot(robotId)];
		expect(await runsTold(id, 1, 90_000)).toEqual(runs);
		await stage.rest.deactivate(id);
	});
});

describe('A run that lasts longer than its connection', () => {
	it('a run whose connection is cut starts once and completes', async () => {
		const { seconds, cutAfter } = LONG_RUN;
		await configure({
			selfHostedForm: 'observed',
			runSeconds: seconds,
			selfHostedCutAfterSeconds: cutAfter,
		});
		const robotId = await newRobot(stage.sandbox, { name: 'Slow' });
		const began = Date.now();
		const workflow = doing('run', 'runAndWait', { output: 'simplified', robotId: byId(robotId) });
		const [run, ...others] = await outputOf(workflow, (seconds + 60) * 1000);
		await configure({ runSeconds: 0.3, selfHostedCutAfterSeconds: null });
		console.log(
			`A run of ${seconds} s, whose connection was cut after ${cutAfter} s, was over in n8n after ${Math.round((Date.now() - began) / 1000)} s`,
		);
		expect(others).toEqual([]);
		expect(run).toMatchObject({
			robotId,
			status: 'success',
			data: { markdown: expect.any(String) },
		});
		expect(Number(run?.durationMs)).toBeGreaterThan((seconds - 1) * 1000);
		expect(await startsOf(robotId)).toBe(1);
		expect((await dataOf(robotId)).runs).toHaveLength(1);
	}, 700_000);
});
