import { randomUUID } from 'node:crypto';
import { until } from '../test/helpers/until.mts';
import { chain, noOp, watching, webhookNode } from '../test/host/nodes.mts';
import { ENDED } from '../test/host/rest.mts';
import { openStage, type Stage } from '../test/host/stage.mts';
import { quickRobot, stateOf } from '../test/host/watched.mts';
import type { Measurement } from './report.mts';
import { secondsOf, sideBySide, sleep } from './sandbox.mts';

const ROUNDS = 5;
const PER_ROUND = 40;
const SENDERS = 8;

/** Runs per second, and the duration in seconds. */
const RATES: Array<[perSecond: number, seconds: number]> = [
	[1, 20],
	[10, 10],
	[50, 4],
];

interface Receiver {
	workflowId: string;
	url: string;
}

/** P6: deliveries to the trigger compared with n8n's Webhook node, and the time from a run's end to its execution. */
export async function deliveries(): Promise<Measurement[]> {
	const settings = { slots: 200, runSeconds: 0.05, rateLimitPerMinute: 1_000_000 };
	const stage = await openStage({ settings });
	try {
		const robotId = await quickRobot(stage);
		return [await throughput(stage, robotId), ...(await delays(stage, robotId))];
	} finally {
		await stage.close();
	}
}

/** Both nodes receive the same deliveries in turn. */
async function throughput(stage: Stage, robotId: string): Promise<Measurement> {
	const { rest, sandbox } = stage;
	const ours = await publishTrigger(stage, robotId);
	const bare = await publishWebhook(stage);
	// Only the round with the least interference is used.
	const seconds = { ours: Infinity, theirs: Infinity };
	for (let round = 0; round <= ROUNDS; round++) {
		const now = new Date().toISOString();
		const run = { startedAt: now, finishedAt: now };
		const runIds = await sandbox.control.runs({ robotId, count: PER_ROUND, run });
		const send = async ({ workflowId, url }: Receiver) =>
			await secondsOf(async () => {
				await sideBySide([...runIds], SENDERS, async (runId) => await deliver(url, robotId, runId));
				await executed(stage, workflowId);
			});
		const [ourTime, theirTime] = [await send(ours), await send(bare)];
		if (round === 0) continue; // warm-up
		seconds.ours = Math.min(seconds.ours, ourTime);
		seconds.theirs = Math.min(seconds.theirs, theirTime);
	}
	for (const { workflowId } of [ours, bare]) await rest.deactivate(workflowId);
	return {
		id: 'P6',
		what: `${PER_ROUND} deliveries, ${SENDERS} at once`,
		unit: 'per second',
		ours: PER_ROUND / seconds.ours,
		other: 'Webhook node',
		theirs: PER_ROUND / seconds.theirs,
		ratio: seconds.theirs / seconds.ours,
		atLeast: 0.7,
	};
}

/** Sends a delivery as Maxun does, until the receiver accepts it. */
async function deliver(url: string, robotId: string, runId: string): Promise<void> {
	const body = JSON.stringify({
		event_type: 'run_completed',
		timestamp: new Date().toISOString(),
		data: { robot_id: robotId, run_id: runId, status: 'success' },
	});
	const headers = { 'content-type': 'application/json' };
	await until('a delivery', 60_000, async () => {
		const response = await fetch(url, { method: 'POST', headers, body });
		await response.text();
		return response.ok;
	});
}

/** Waits until n8n has stored the end of a workflow's executions. */
async function executed({ rest }: Stage, workflowId: string): Promise<void> {
	await until('the executions', 60_000, async () => {
		const latest = await rest.executions(workflowId);
		return latest.every(({ status }) => ENDED.has(status));
	});
}

/** Seconds from the end of a run to the start of the workflow. */
async function delays(stage: Stage, robotId: string): Promise<Measurement[]> {
	const measurements: Measurement[] = [];
	for (const [perSecond, seconds] of RATES) {
		const { workflowId } = await publishTrigger(stage, robotId);
		const starts: Array<Promise<string>> = [];
		for (let count = 0; count < perSecond * seconds; count++) {
			starts.push(stage.maxun.start(robotId));
			await sleep(1000 / perSecond);
		}
		const waited = await delaysOf(stage, workflowId, await Promise.all(starts));
		const at = (share: number) => waited[Math.ceil(waited.length * share) - 1] ?? NaN;
		measurements.push({
			id: 'P6',
			what: `from a run's end to the workflow, ${perSecond} runs per second, ${waited.length} runs`,
			unit: 's (median)',
			ours: at(0.5),
			other: '99th percentile',
			theirs: at(0.99),
			ratio: at(0.99),
		});
		await stage.rest.deactivate(workflowId);
	}
	return measurements;
}

/** The delay of each run in seconds, shortest first. Waits until all have started the workflow. */
async function delaysOf(stage: Stage, workflowId: string, runIds: string[]): Promise<number[]> {
	const { rest, maxun } = stage;
	const starts = new Map<string, number>();
	const read = new Set<string>();
	await until('all runs', 180_000, async () => {
		for (const { id, status, startedAt } of await rest.executions(workflowId)) {
			if (read.has(id) || !ENDED.has(status)) continue;
			read.add(id);
			const { raw } = await rest.execution(id);
			for (const runId of runIds) {
				if (raw.includes(runId)) starts.set(runId, Date.parse(startedAt ?? ''));
			}
		}
		if (starts.size < runIds.length) await sleep(2000);
		return starts.size === runIds.length;
	});
	const waited = await Promise.all(
		runIds.map(async (runId) => {
			const { data } = await maxun.get(`/runs/${runId}`);
			return ((starts.get(runId) ?? NaN) - Date.parse(String(data.finishedAt))) / 1000;
		}),
	);
	return waited.sort((a, b) => a - b);
}

async function publishTrigger(stage: Stage, robotId: string): Promise<Receiver> {
	const { id: workflowId } = await stage.rest.createWorkflow(watching('cloud', [robotId]));
	await stage.rest.publish(workflowId);
	const url = await until('the webhook', 20_000, async () => {
		const { robots } = await stateOf(stage);
		return robots.find(({ id }) => id === robotId)?.webhooks.at(-1)?.url;
	});
	return { workflowId, url };
}

async function publishWebhook({ rest, n8n }: Stage): Promise<Receiver> {
	const path = randomUUID();
	const nodes = [webhookNode('Receive', path), noOp('Done')];
	const { id: workflowId } = await rest.createWorkflow(chain('Webhook', nodes));
	await rest.publish(workflowId);
	return { workflowId, url: `${n8n.url}/webhook/${path}` };
}
