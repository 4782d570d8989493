import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { newRobot } from '../helpers/fixtures.mts';
import { CREDENTIAL_NAME } from './demo.mts';
import { until } from '../helpers/until.mts';
import { ENDED, type N8nRest, type WorkflowSource } from './rest.mts';
import type { Stage } from './stage.mts';

/** The name of the trigger in a watched workflow. */
export const TRIGGER = 'Watch';

/** The trigger that Maxun calls. */
export const trigger = (robotIds: string[], parameters: Record<string, unknown> = {}) => ({
	type: 'n8n-nodes-maxun-robots.maxunTrigger',
	webhookId: randomUUID(),
	parameters: { events: ['run_completed', 'run_failed'], robotIds, ...parameters },
});

/**
 * The trigger that asks Maxun once a minute, or more often.
 * @param times how often a minute; n8n's form takes several times, each of them once a minute
 */
export const pollingTrigger = (robotIds: string[], times = 1) => ({
	type: 'n8n-nodes-maxun-robots.maxunPollingTrigger',
	parameters: {
		pollTimes: {
			item: Array.from({ length: times }, (_, index) => ({
				mode: 'custom',
				cronExpression: `${Math.floor((index * 60) / times)} * * * * *`,
			})),
		},
		events: ['run_completed', 'run_failed'],
		robotIds,
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
				credentials: { maxunCloudApi: { id: null, name: CREDENTIAL_NAME } },
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

/** An execution that tells of a run. */
export interface Telling {
	executionId: string;
	status: string;
	/** When it began, in epoch milliseconds. */
	startedAt: number;
}

/** What became of runs in the executions of a workflow. */
export interface Tally {
	executions: number;
	/** Executions that a killed n8n left unfinished. */
	crashed: number;
	/** Failed executions that tell of no run at all, as of a poll that failed. */
	failures: number;
	/** Executions that tell of none of the runs, and are no failures. */
	strange: number;
	/** Runs that no execution tells of. */
	missing: string[];
	/** The executions of each run that several tell of, the first in front. */
	repeated: Map<string, Telling[]>;
}

/** Reads which runs the executions of a workflow tell of; each execution that is over just once. */
export class Witness {
	private readonly told = new Map<string, { telling: Telling; uuids: Set<string> }>();

	constructor(
		private readonly rest: N8nRest,
		private readonly workflowId: string,
	) {}

	/** Looks for runs in the stored data of all executions, finished or not. */
	async tally(runIds: string[]): Promise<Tally> {
		await this.read();
		const tellings = new Map<string, Telling[]>(runIds.map((id) => [id, []]));
		const idle: Telling[] = [];
		for (const { telling, uuids } of this.told.values()) {
			const runs = [...uuids].filter((uuid) => tellings.has(uuid));
			for (const runId of runs) tellings.get(runId)?.push(telling);
			if (runs.length === 0) idle.push(telling);
		}
		const all = [...this.told.values()].map(({ telling }) => telling);
		const failures = idle.filter(({ status }) => status === 'error').length;
		return {
			executions: all.length,
			crashed: all.filter(({ status }) => status === 'crashed').length,
			failures,
			strange: idle.length - failures,
			missing: runIds.filter((id) => tellings.get(id)?.length === 0),
			repeated: new Map([...tellings].filter(([, of]) => of.length > 1)),
		};
	}

	/** Waits until all runs are told of. */
	async waitForAll(runIds: string[], limit: number): Promise<void> {
		await until('all runs', limit, async () => {
			const { missing } = await this.tally(runIds);
			if (missing.length > 0) await sleep(500);
			return missing.length === 0 || undefined;
		});
	}

	private async read(): Promise<void> {
		const entries = await this.rest.allExecutions(this.workflowId);
		for (const { id, status, mode, startedAt } of entries.reverse()) {
			if (mode === 'manual') continue; // a test in the editor
			if (ENDED.has(this.told.get(id)?.telling.status ?? '')) continue;
			const { raw } = await this.rest.execution(id);
			this.told.set(id, {
				telling: { executionId: id, status, startedAt: Date.parse(startedAt ?? '') },
				uuids: new Set([...raw.matchAll(UUID)].map(([uuid]) => uuid)),
			});
		}
	}
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
export const stateOf = async ({ sandbox }: Stage) => State.parse(await sandbox.control.state());

/** A robot whose runs are over in no time. */
export const quickRobot = async ({ sandbox }: Stage) =>
	await newRobot(sandbox, {
		name: `Quick ${randomUUID()}`,
		url: `${sandbox.siteUrl}/articles`,
		formats: ['text'],
	});

/** A whole number from 0 up to, but without, a limit. */
export const random = (limit: number) => Math.floor(Math.random() * limit);
