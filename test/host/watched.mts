import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CREDENTIAL_NAME } from './demo.mts';
import type { N8nRest, WorkflowSource } from './rest.mts';
import type { Stage } from './stage.mts';

/** Whether the suites run at the size that their figures are given for; else at one that a build has time for. */
export const FULL = process.env.EVENTS_SUITE === 'full';

/** The name of the trigger in a watched workflow. */
export const TRIGGER = 'Watch';

/** The trigger that Maxun calls. */
export const trigger = (robotIds: string[], parameters: Record<string, unknown> = {}) => ({
	type: 'n8n-nodes-maxun-robots.maxunTrigger',
	webhookId: randomUUID(),
	parameters: { events: ['run_completed', 'run_failed'], robotIds, ...parameters },
});

/** The trigger that asks Maxun, every minute. */
export const pollingTrigger = (robotIds: string[], parameters: Record<string, unknown> = {}) => ({
	type: 'n8n-nodes-maxun-robots.maxunPollingTrigger',
	parameters: {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		events: ['run_completed', 'run_failed'],
		robotIds,
		...parameters,
	},
});

/** A workflow of a trigger and a step that does nothing. */
export function watching(node: {
	type: string;
	parameters: Record<string, unknown>;
}): WorkflowSource {
	return {
		name: `Watching ${randomUUID()}`,
		nodes: [
			{
				...node,
				id: randomUUID(),
				name: TRIGGER,
				typeVersion: 1,
				position: [0, 0],
				credentials: { maxunApi: { id: null, name: CREDENTIAL_NAME } },
			},
			{
				id: randomUUID(),
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** What became of runs in the executions of a workflow. */
export interface Tally {
	executions: number;
	/** Executions that a killed n8n left unfinished. */
	crashed: number;
	/** Executions that tell of none of the runs. */
	strange: number;
	/** Runs that no execution tells of. */
	missing: string[];
	/** Runs that several executions tell of. */
	repeated: string[];
}

/** Looks for runs in the stored data of all executions of a workflow, finished or not. */
export async function tally(rest: N8nRest, workflowId: string, runIds: string[]): Promise<Tally> {
	const counts = new Map(runIds.map((id) => [id, 0]));
	const entries = await rest.allExecutions(workflowId);
	let strange = 0;
	for (const { id, status } of entries) {
		const { raw } = await rest.execution(id);
		const uuids = [...raw.matchAll(UUID)].map(([uuid]) => uuid);
		const told = new Set(uuids.filter((uuid) => counts.has(uuid)));
		if (told.size === 0 && status !== 'error') strange++;
		for (const runId of told) counts.set(runId, (counts.get(runId) ?? 0) + 1);
	}
	return {
		executions: entries.length,
		crashed: entries.filter(({ status }) => status === 'crashed').length,
		strange,
		missing: runIds.filter((id) => counts.get(id) === 0),
		repeated: runIds.filter((id) => (counts.get(id) ?? 0) > 1),
	};
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const State = z.object({
	deliveries: z.array(z.unknown()),
	runs: z.array(z.object({ id: z.string(), robotId: z.string(), status: z.string() })),
	robots: z.array(
		z.object({
			id: z.string(),
			webhooks: z.array(z.object({ id: z.string(), url: z.string(), active: z.boolean() })),
		}),
	),
});

/** What the sandbox knows, without a request to its API. */
export const stateOf = async ({ maxun }: Stage) =>
	State.parse(await maxun.control('GET', '/state'));

/** A robot whose runs are over in no time. */
export const quickRobot = async ({ maxun, sandbox }: Stage) =>
	await maxun.dashboardRobot({
		type: 'scrape',
		name: `Quick ${randomUUID()}`,
		url: `${sandbox.siteUrl}/articles`,
		formats: ['text'],
	});

/** A whole number from 0 up to, but without, a limit. */
export const random = (limit: number) => Math.floor(Math.random() * limit);
