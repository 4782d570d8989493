import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../helpers/until.mts';
import { watching } from './nodes.mts';
import { ENDED, type ExecutionEntry } from './rest.mts';
import type { Stage } from './stage.mts';
import { stateOf } from './watched.mts';

export async function watchRobots(stage: Stage, robots: string[]): Promise<string> {
	const { id } = await stage.rest.createWorkflow(watching('cloud', robots));
	await stage.rest.activate(id);
	await webhooksOn(stage, robots, 1);
	return id;
}

export async function webhooksOn(stage: Stage, robots: string[], count: number): Promise<void> {
	await until(`${count} webhooks on each robot`, 30_000, async () => {
		const all = (await stateOf(stage)).robots.filter(({ id }) => robots.includes(id));
		return all.every(({ webhooks }) => webhooks.filter(({ active }) => active).length === count);
	});
}

export async function startRuns(stage: Stage, robots: string[], count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		await sleep(250);
		ids.push(await stage.maxun.start(robots[index % robots.length] ?? ''));
	}
	return ids;
}

export async function delivered(stage: Stage, limit: number): Promise<void> {
	await until('the end of all deliveries', limit, async () => {
		const { deliveries, runs } = await stateOf(stage);
		const active = runs.some(({ status }) => status === 'queued' || status === 'running');
		if (deliveries.length > 0 || active) await sleep(500);
		return deliveries.length === 0 && !active;
	});
}

export async function settled(
	{ rest }: Stage,
	workflowId: string,
	count: number,
): Promise<ExecutionEntry[]> {
	return await until(`the end of ${count} executions`, 300_000, async () => {
		const all = await rest.executions(workflowId);
		const areOver = all.length >= count && all.every(({ status }) => ENDED.has(status));
		if (!areOver) await sleep(1000);
		return areOver ? all : undefined;
	});
}
