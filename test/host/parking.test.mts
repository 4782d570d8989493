import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO, type Settings } from '../sandbox/index.mts';
import { itemsOf, until, type ExecutionEntry } from './rest.mts';
import { openStage, type Stage } from './stage.mts';
import { parkingWorkflow } from './waiting.mts';

/** Every execution waits in the database from its second second on. */
const PARK_AFTER = 1;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { slots: 100 } });
});

afterAll(async () => await stage?.close());

const configure = async (settings: Partial<Settings>) =>
	await stage.maxun.control('PATCH', '/settings', settings);

interface Setting {
	robots: string[];
	workflowId: string;
	path: string;
}

/** Robots that read a page of the demo site, and a workflow that runs the one its call names. */
async function prepare(name: string, robotCount: number, waitFor?: number): Promise<Setting> {
	const { maxun, rest, sandbox } = stage;
	const robots: string[] = [];
	for (let index = 0; index < robotCount; index++) {
		const url = `${sandbox.siteUrl}/products`;
		const robot = { type: 'scrape', name: `${name} ${index}`, url, formats: ['markdown'] };
		robots.push(await maxun.dashboardRobot(robot));
	}
	const path = name.toLowerCase().replace(/\W+/g, '-');
	const { id } = await rest.createWorkflow(
		parkingWorkflow(name, path, { parkAfter: PARK_AFTER, waitFor }),
	);
	await rest.activate(id);
	return { robots, workflowId: id, path };
}

/** Starts one execution for each entry. */
async function call(path: string, robotIds: string[]): Promise<void> {
	for (const robotId of robotIds) {
		const response = await until('the start', 20_000, async () => {
			const answer = await fetch(`${stage.n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ robotId }),
			});
			return answer.ok ? answer : undefined;
		});
		await response.text();
	}
}

async function inState(workflowId: string, ...states: string[]): Promise<ExecutionEntry[]> {
	return (await stage.rest.executions(workflowId)).filter(({ status }) => states.includes(status));
}

async function waitForStates(
	workflowId: string,
	count: number,
	limit: number,
	...states: string[]
) {
	return await until(`${count} executions that are ${states.join(' or ')}`, limit, async () => {
		const found = await inState(workflowId, ...states);
		if (found.length < count) await sleep(300);
		return found.length >= count ? found : undefined;
	});
}

async function webhooksLeft(robots: string[]): Promise<number> {
	const lists = await Promise.all(
		robots.map(async (id) => (await stage.maxun.get(`/robots/${id}/webhooks`)).list),
	);
	return lists.flat().length;
}

const resultOf = async (executionId: string) => {
	const execution = await stage.rest.execution(executionId);
	const [item, ...others] = itemsOf(execution, 'After');
	return { item: item?.json ?? {}, others: others.length, execution };
};

describe('20 executions that wait for runs of five robots', () => {
	it('go on with the right data, each once, although n8n was killed and runs ended meanwhile', async () => {
		await configure({ runSeconds: 20 });
		const { robots, workflowId, path } = await prepare('Killed', 5);
		const wanted = robots.flatMap((id) => [id, id, id, id]);
		await call(path, wanted);
		await waitForStates(workflowId, 20, 30_000, 'waiting');
		await stage.n8n.kill();
		const killed = Date.now();
		await until('runs that end while n8n is down', 60_000, async () => {
			const { list } = await stage.maxun.get('/runs/active');
			return list.length <= 10 || undefined;
		});
		const missed = 20 - (await stage.maxun.get('/runs/active')).list.length;
		await stage.n8n.start();
		const back = Date.now();
		const ended = await waitForStates(workflowId, 20, 240_000, 'success', 'error');
		console.log(
			`${missed} runs ended while n8n was down for ${seconds(back - killed)}; ` +
				`all 20 had resumed ${seconds(Date.now() - back)} after it was back`,
		);
		expect(missed).toBeGreaterThanOrEqual(10);
		expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
		const results = await Promise.all(ended.map(async ({ id }) => await resultOf(id)));
		expect(results.map(({ item }) => String(item.robotId)).sort()).toEqual([...wanted].sort());
		expect(new Set(results.map(({ item }) => item.id)).size).toBe(20);
		for (const { item, others, execution } of results) {
			expect(others).toBe(0);
			expect(item).toMatchObject({ status: 'success', data: { markdown: expect.any(String) } });
			expect(execution.runs.After).toHaveLength(1);
			expect(execution.runs['Run and wait']).toHaveLength(1);
		}
		expect(await webhooksLeft(robots)).toBe(0);
		expect(await inState(workflowId, 'waiting', 'running', 'new')).toEqual([]);
	}, 400_000);
});

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

describe('12 executions that wait for runs of one robot', () => {
	it('all end well, though only ten have a webhook', async () => {
		await configure({ runSeconds: 15 });
		const { robots, workflowId, path } = await prepare('Crowded', 1);
		const [robot = ''] = robots;
		await call(path, Array<string>(12).fill(robot));
		await waitForStates(workflowId, 10, 20_000, 'waiting');
		expect(await inState(workflowId, 'running')).toHaveLength(2);
		expect(await webhooksLeft(robots)).toBe(10);
		const ended = await waitForStates(workflowId, 12, 120_000, 'success', 'error');
		const results = await Promise.all(ended.map(async ({ id }) => await resultOf(id)));
		expect(results.map(({ item }) => item.status)).toEqual(results.map(() => 'success'));
		expect(new Set(results.map(({ item }) => item.id)).size).toBe(12);
		expect(await webhooksLeft(robots)).toBe(0);
	}, 200_000);
});

describe('a run that fails while its execution waits', () => {
	it('ends the execution with the reason', async () => {
		await configure({ runSeconds: 4 });
		const { workflowId, path } = await prepare('Failing', 0);
		await call(path, [DEMO.failing]);
		await waitForStates(workflowId, 1, 20_000, 'waiting');
		const [entry] = await waitForStates(workflowId, 1, 60_000, 'success', 'error');
		const execution = await stage.rest.execution(entry?.id ?? '');
		expect(execution.error?.message).toMatch(/ended as failed/);
		expect(execution.runs.After).toBeUndefined();
		expect(await webhooksLeft([DEMO.failing])).toBe(0);
	}, 120_000);
});

describe('an execution that is stopped in n8n while it waits', () => {
	it('stays stopped; its webhook is removed by the next one that waits for the robot', async () => {
		await configure({ runSeconds: 12 });
		const { robots, workflowId, path } = await prepare('Stopped', 1);
		await call(path, robots);
		const [first] = await waitForStates(workflowId, 1, 20_000, 'waiting');
		await stage.rest.stop(first?.id ?? '');
		expect(await webhooksLeft(robots)).toBe(1);
		await call(path, robots);
		const [second] = await waitForStates(workflowId, 1, 20_000, 'waiting');
		expect(second?.id).not.toBe(first?.id);
		expect(await webhooksLeft(robots)).toBe(1);
		await waitForStates(workflowId, 1, 60_000, 'success');
		expect(await webhooksLeft(robots)).toBe(0);
		expect((await inState(workflowId, 'canceled')).map(({ id }) => id)).toEqual([first?.id]);
	}, 120_000);
});

describe('the time of a wait', () => {
	it('runs the node again, which notices a run that was cancelled in Maxun', async () => {
		await configure({ runSeconds: 600 });
		const { robots, workflowId, path } = await prepare('Aborted', 1, 1.5);
		await call(path, robots);
		await waitForStates(workflowId, 1, 20_000, 'waiting');
		const { list } = await stage.maxun.get('/runs/active');
		for (const { id } of list) await stage.maxun.control('POST', `/runs/${String(id)}/abort`);
		// Nothing tells n8n of it; after 90 seconds the time is up.
		const [entry] = await waitForStates(workflowId, 1, 170_000, 'success', 'error');
		const execution = await stage.rest.execution(entry?.id ?? '');
		expect(execution.error?.message).toMatch(/ended as aborted/);
		expect(await webhooksLeft(robots)).toBe(0);
	}, 240_000);
});
