import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../helpers/until.mts';
import { CREDENTIALS } from './nodes.mts';
import type { WorkflowSource } from './rest.mts';
import { openStage, type Stage } from './stage.mts';
import { webhooksOn } from './traffic.mts';
import {
	pollingTrigger,
	quickRobot,
	stateOf,
	trigger,
	TRIGGER,
	watching,
	Witness,
} from './watched.mts';

/** Polls a minute. */
const POLLS = 12;

/** Runs that end together. */
const BURST = 50;

let stage: Stage;

beforeAll(async () => {
	const settings = { slots: 60, runSeconds: 0.05, rateLimitPerMinute: 1_000_000 };
	stage = await openStage({ settings, env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' } });
});

afterAll(async () => await stage?.close());

/** A published workflow, and what it emits. @param seconds how long its executions take */
async function published(node: Parameters<typeof watching>[0], seconds?: number) {
	return await publish(stage, watching(node, seconds));
}

async function publish({ rest }: Stage, source: WorkflowSource) {
	const { id } = await rest.createWorkflow(source);
	await rest.publish(id);
	const witness = new Witness(rest, id);
	const expectEachOnce = async (runIds: string[]) => {
		await witness.waitForAll(runIds, 240_000);
		await until('the end of the deliveries', 120_000, async () => {
			return (await stateOf(stage)).deliveries.length === 0 || undefined;
		});
		const { missing, repeated, strange, failures } = await witness.tally(runIds);
		const found = { missing, repeated: [...repeated], strange, failures };
		expect(found).toEqual({ missing: [], repeated: [], strange: 0, failures: 0 });
	};
	return { id, expectEachOnce };
}

it('many runs that end together start the workflow once each, with two executions at a time', async () => {
	const robotId = await quickRobot(stage);
	const { id, expectEachOnce } = await published(trigger([robotId]), 2);
	const starts = Array.from({ length: BURST }, async () => await stage.maxun.start(robotId));
	await expectEachOnce(await Promise.all(starts));
	await stage.rest.deactivate(id);
}, 400_000);

it('both triggers continue with their other robot after one was deleted', async () => {
	const [gone = '', robotId = ''] = [await quickRobot(stage), await quickRobot(stage)];
	const workflows = [
		await published(trigger([gone, robotId])),
		await published(pollingTrigger([gone, robotId], POLLS)),
	];
	const first = [await stage.maxun.start(robotId), await stage.maxun.start(gone)];
	for (const { expectEachOnce } of workflows) await expectEachOnce(first);
	await stage.maxun.delete(`/robots/${gone}`);
	const runIds = [...first, await stage.maxun.start(robotId)];
	for (const { expectEachOnce } of workflows) await expectEachOnce(runIds);
	for (const { id } of workflows) await stage.rest.deactivate(id);
}, 400_000);

it('a renamed polling trigger picks up where it left off', async () => {
	const { rest, maxun } = stage;
	const robotId = await quickRobot(stage);
	const { id, expectEachOnce } = await published(pollingTrigger([robotId], POLLS));
	const runIds = [await maxun.start(robotId)];
	await expectEachOnce(runIds);
	await rest.deactivate(id);
	runIds.push(await maxun.start(robotId));
	const { nodes } = await rest.workflow(id);
	const name = 'Renamed';
	await rest.updateWorkflow(id, {
		nodes: nodes.map((node) => (node.name === TRIGGER ? { ...node, name } : node)),
		connections: { [name]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
	});
	await rest.publish(id);
	runIds.push(await maxun.start(robotId));
	await expectEachOnce(runIds);
	await rest.deactivate(id);
}, 400_000);

it('a workflow that is copied with its data to another n8n instance emits each run once in both', async () => {
	const robotId = await quickRobot(stage);
	const original = await published(trigger([robotId]));
	const earlier = [await stage.maxun.start(robotId)];
	await original.expectEachOnce(earlier);
	const webhooks = async () => {
		const { robots } = await stateOf(stage);
		return robots.find(({ id }) => id === robotId)?.webhooks.map(({ url }) => url) ?? [];
	};
	const [own = ''] = await webhooks();

	const other = await openStage({ sandbox: stage.sandbox });
	try {
		const { name, nodes, connections, settings, staticData } = await stage.rest.workflow(
			original.id,
		);
		expect(staticData).toBeTruthy();
		const cloud = { credentials: CREDENTIALS.cloud };
		const copies = nodes.map((node) => (node.name === TRIGGER ? { ...node, ...cloud } : node));
		const copy = await publish(other, { name, nodes: copies, connections, settings, staticData });
		expect(await webhooks()).toEqual([own, expect.not.stringContaining(new URL(own).origin)]);
		const later = [await stage.maxun.start(robotId), await stage.maxun.start(robotId)];
		await original.expectEachOnce([...earlier, ...later]);
		await copy.expectEachOnce(later);
		await other.rest.deactivate(copy.id);
		await webhooksOn(stage, [robotId], 1);
		expect(await webhooks()).toEqual([own]);
	} finally {
		await other.close();
	}
	await stage.rest.deactivate(original.id);
	await webhooksOn(stage, [robotId], 0);
}, 400_000);
