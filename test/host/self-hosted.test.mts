import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import type { Settings } from '../sandbox/index.mts';
import { byId } from './nodes.mts';
import { ACTION, doing, execute, NEW_SECOND, TRIGGER, watching } from './own-server.mts';
import { until } from '../helpers/until.mts';
import { itemsOf, jsonOf, type WorkflowSource } from './rest.mts';
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

const runRobot = async (robotId: string) => String((await stage.sandbox.server.run(robotId)).runId);

async function dataOf(robotId: string) {
	const { robots, runs } = await stateOf(stage);
	const robot = robots.find(({ id }) => id === robotId);
	if (robot === undefined) throw new Error(`There is no robot ${robotId}`);
	return { ...robot, runs: runs.filter((run) => run.robotId === robotId) };
}

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

it('on a self-hosted server with webhook routes, a published workflow creates its webhook, and runs start it', async () => {
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
