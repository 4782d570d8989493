import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Settings } from '../sandbox/index.mts';
import { until } from '../helpers/until.mts';
import { LOGIN } from './demo.mts';
import { Editor } from './editor.mts';
import { openStage, type Stage } from './stage.mts';
import { WaitingWorkflow } from './waiting.mts';

/** Every execution pauses after one second. */
const PARK_AFTER = 1;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { slots: 100 } });
});

afterAll(async () => await stage?.close());

const configure = async (settings: Partial<Settings>) =>
	await stage.sandbox.control.settings(settings);

const prepare = async (name: string, robots: number, timeoutMinutes?: number) =>
	await WaitingWorkflow.publish(stage, name, { robots, pauseAfter: PARK_AFTER, timeoutMinutes });

it('20 executions that wait for runs of five robots resume once with the correct data, although n8n was killed', async () => {
	await configure({ runSeconds: 60 });
	const workflow = await prepare('Killed', 5);
	const wanted = workflow.robots.flatMap((id) => [id, id, id, id]);
	await workflow.call(wanted);
	await workflow.reach(20, 60_000, 'waiting');
	await stage.n8n.kill();
	const killed = Date.now();
	await until('runs that end while n8n is down', 90_000, async () => {
		const { list } = await stage.maxun.get('/runs/active');
		return list.length <= 10;
	});
	const missed = 20 - (await stage.maxun.get('/runs/active')).list.length;
	await stage.n8n.start();
	const back = Date.now();
	const all = await workflow.reach(20, 240_000, 'success', 'error', 'crashed');
	// While n8n starts, it looks for executions that were interrupted, and may find an execution that it has just resumed.
	const ended = all.filter(({ status }) => status !== 'crashed');
	console.log(
		`${missed} runs ended while n8n was down for ${seconds(back - killed)}; ` +
			`${ended.length} had resumed ${seconds(Date.now() - back)} after it was back`,
	);
	expect(missed).toBeGreaterThanOrEqual(10);
	expect(ended.length).toBeGreaterThanOrEqual(19);
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
	const results = await workflow.resultsOf(ended);
	const robots = results.map(({ robotId }) => String(robotId));
	for (const id of workflow.robots)
		expect(robots.filter((other) => other === id).length).toBeGreaterThanOrEqual(3);
	expect(new Set(results.map(({ id }) => id)).size).toBe(ended.length);
	expect(await workflow.inState('waiting', 'running', 'new')).toEqual([]);
}, 400_000);

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

it("an execution that is stopped while paused does not continue, and the robot's next execution succeeds", async () => {
	await configure({ runSeconds: 20 });
	const workflow = await prepare('Stopped', 1);
	await workflow.call(workflow.robots);
	const [first] = await workflow.reach(1, 20_000, 'waiting');
	await stage.rest.stop(first?.id ?? '');
	await workflow.call(workflow.robots);
	const [second] = await workflow.reach(1, 20_000, 'waiting');
	expect(second?.id).not.toBe(first?.id);
	await workflow.reach(1, 180_000, 'success');
	expect((await workflow.inState('canceled')).map(({ id }) => id)).toEqual([first?.id]);
}, 240_000);

it("the list of executions in the editor shows the data as the next node's input after a pause", async () => {
	await configure({ runSeconds: 5 });
	const workflow = await prepare('Looked at', 1);
	await workflow.call(workflow.robots);
	await workflow.reach(1, 20_000, 'waiting');
	const [entry] = await workflow.reach(1, 180_000, 'success', 'error');
	const editor = await Editor.open(stage.n8n.url, LOGIN);
	try {
		await editor.openExecution(workflow.id, entry?.id ?? '');
		await editor.openNode('After');
		await editor.input
			.getByText(workflow.robots[0] ?? '')
			.first()
			.waitFor();
		await editor.shoot('input-after-a-pause');
	} finally {
		await editor.close();
	}
}, 240_000);

it('at the end of a pause, the node polls again, and finds a run that was canceled in Maxun', async () => {
	await configure({ runSeconds: 600 });
	const workflow = await prepare('Aborted', 1, 1.5);
	await workflow.call(workflow.robots);
	await workflow.reach(1, 20_000, 'waiting');
	const { list } = await stage.maxun.get('/runs/active');
	for (const { id } of list) await stage.sandbox.control.abortRun(String(id));
	const [entry] = await workflow.reach(1, 170_000, 'success', 'error');
	const execution = await stage.rest.execution(entry?.id ?? '');
	expect(execution.error?.message).toMatch(/ended with status aborted/);
}, 240_000);
