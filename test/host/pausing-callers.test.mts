import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import { byId, call, chain, maxunNode, node, noOp, webhookNode } from './nodes.mts';
import { itemsOf } from './rest.mts';
import { openStage, type Stage } from './stage.mts';

/** Seconds to poll before pausing. */
const PAUSE_AFTER = 1;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { slots: 100 } });
});
afterAll(async () => await stage?.close());
beforeEach(
	async () =>
		await stage.sandbox.control.settings({
			runSeconds: 20,
			selfHostedForm: 'observed',
			selfHostedSlots: 200,
		}),
);

type Parameters = Record<string, unknown>;

/** A workflow's node, in the first version of its type. */
const step = (name: string, type: string, parameters: Parameters = {}, more: object = {}) =>
	node(name, type.includes('.') ? type : `n8n-nodes-base.${type}`, 1, parameters, more);

/** The node under test. It runs a robot and waits. */
const running = (robotId: string, server: 'cloud' | 'selfHosted' = 'cloud') =>
	maxunNode('Maxun', server, 'run', 'runAndWait', {
		output: 'simplified',
		robotId: byId(robotId),
		options: { pauseAfter: PAUSE_AFTER, delayBeforeStart: 0 },
	});

/** A published workflow with nodes in a line. */
async function publish(name: string, nodes: Array<ReturnType<typeof step>>): Promise<string> {
	const { id } = await stage.rest.createWorkflow(chain(`${name} ${randomUUID()}`, nodes));
	await stage.rest.activate(id);
	return id;
}

/** A Webhook node, and its production URL's path. */
function webhook(parameters: Parameters = {}) {
	const path = randomUUID();
	return { path, start: webhookNode('Start', path, parameters) };
}

const post = async (path: string, body: object = {}) =>
	await call(`${stage.n8n.url}/webhook/${path}`, body);

const reach = async (workflowId: string, limit: number, ...statuses: string[]) =>
	await until(`an execution that is ${statuses.join()}`, limit, async () =>
		(await stage.rest.executions(workflowId)).find(({ status }) => statuses.includes(status)),
	);

it('a sub-workflow for each of 4 items with 45-second runs returns 4 of 4 results', async () => {
	await stage.sandbox.control.settings({ runSeconds: 45 });
	const robotId = await newRobot(stage.sandbox);
	const child = await publish('Child', [
		step(
			'When called',
			'executeWorkflowTrigger',
			{ inputSource: 'passthrough' },
			{ typeVersion: 1.1 },
		),
		running(robotId),
	]);
	const { path, start } = webhook();
	const parent = await publish('Parent', [
		start,
		step('Split', 'splitOut', { fieldToSplitOut: 'body.items', options: {} }),
		step(
			'Call',
			'executeWorkflow',
			{
				workflowId: byId(child),
				mode: 'each',
				options: { waitForSubWorkflow: true },
			},
			{ typeVersion: 1.2 },
		),
		noOp('After'),
	]);
	await post(path, { items: [1, 2, 3, 4] });
	const { id, status } = await reach(parent, 300_000, 'success', 'error');
	expect(status).toBe('success');
	const items = itemsOf(await stage.rest.execution(id), 'After');
	console.log(`${items.length} of 4 results of a sub-workflow per item`);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(4);
	expect(items.every(({ json }) => json.status === 'success')).toBe(true);
}, 360_000);

describe("callers get the run's result", () => {
	it.each(['lastNode', 'streaming'])(
		'a webhook in the mode %s',
		async (responseMode) => {
			const robotId = await newRobot(stage.sandbox);
			const { path, start } = webhook({ responseMode });
			const workflow = await publish('Called', [start, running(robotId)]);
			const text = await (await post(path)).text();
			const { id } = await reach(workflow, 5_000, 'success');
			const [item] = itemsOf(await stage.rest.execution(id), 'Maxun');
			expect(item?.json).toMatchObject({ status: 'success' });
			if (responseMode === 'lastNode')
				expect(JSON.parse(text)).toMatchObject({ id: item?.json.id });
		},
		90_000,
	);

	it('a chat', async () => {
		const robotId = await newRobot(stage.sandbox);
		const webhookId = randomUUID();
		const chat = { public: true, mode: 'webhook', options: {} };
		const type = '@n8n/n8n-nodes-langchain.chatTrigger';
		await publish('Chat', [
			step('Chat', type, chat, { typeVersion: 1.1, webhookId }),
			running(robotId),
		]);
		const body = { action: 'sendMessage', sessionId: '1', chatInput: 'Hello' };
		const response = await post(`${webhookId}/chat`, body);
		expect(await response.json()).toMatchObject({ robotId, status: 'success' });
	}, 90_000);
});

it('100 executions that wait for runs on a self-hosted server keep none running', async () => {
	await stage.sandbox.control.settings({ runSeconds: 900 });
	const robotIds = await Promise.all(
		Array.from({ length: 10 }, async () => await newRobot(stage.sandbox)),
	);
	const { path, start } = webhook();
	const workflow = await publish('Many', [
		start,
		running('={{ $json.body.robotId }}', 'selfHosted'),
		noOp('After'),
	]);
	for (let index = 0; index < 100; index++) await post(path, { robotId: robotIds[index % 10] });
	const count = async (status: string) =>
		(await stage.rest.executions(workflow)).filter((entry) => entry.status === status).length;
	const began = Date.now();
	const waiting = await until('100 paused executions', 600_000, async () => {
		const running = (await count('running')) + (await count('new'));
		return running === 0 ? await count('waiting') : undefined;
	});
	console.log(`${waiting} waiting, 0 running after ${Math.round((Date.now() - began) / 1000)} s`);
	expect(waiting).toBe(100);
	for (const id of await stage.sandbox.owner.activeRuns())
		await stage.sandbox.control.finishRun(id);
}, 700_000);
