import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newRobot } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import { chain, CREDENTIALS, node, noOp } from './nodes.mts';
import { ENDED, itemsOf, type N8nRest, type WorkflowSource } from './rest.mts';
import type { Stage } from './stage.mts';

export const TRIGGER = 'Watch';

/**
 * The trigger.
 * @param times polls per minute; n8n's form accepts several times, each once a minute
 */
export const trigger = (
	robotIds: string[],
	parameters: Record<string, unknown> = {},
	times = 1,
) => ({
	type: 'n8n-nodes-maxun-robots.maxunTrigger',
	webhookId: randomUUID(),
	parameters: {
		pollTimes: {
			item: Array.from({ length: times }, (_, index) => ({
				mode: 'custom',
				cronExpression: `${Math.floor((index * 60) / times)} * * * * *`,
			})),
		},
		events: ['run_completed', 'run_failed'],
		output: 'simplified',
		robotIds,
		...parameters,
	},
});

/** Without webhooks, the trigger only polls. */
export const ONLY_POLLS = { options: { pollOnly: true } };

/** A workflow with a trigger and a node that does nothing. @param seconds how long the node takes */
export function watching(
	watched: { type: string; parameters: Record<string, unknown>; typeVersion?: number },
	seconds = 0,
): WorkflowSource {
	const wait = { resume: 'timeInterval', amount: seconds, unit: 'seconds' };
	const done = seconds > 0 ? node('Done', 'n8n-nodes-base.wait', 1.1, wait) : noOp('Done');
	const credentials = CREDENTIALS.cloud;
	const { type, typeVersion = 2, parameters, ...more } = watched;
	const watch = node(TRIGGER, type, typeVersion, parameters, { ...more, credentials });
	return chain(`Watching ${randomUUID()}`, [watch, done]);
}

/** Other executions still contain the runs that the trigger proposed. */
const FINISHED = ['success', 'error'];

export interface Telling {
	executionId: string;
	status: string;
	startedAt: number;
}

export interface Tally {
	executions: number;
	/** Executions that a killed n8n process did not finish. */
	crashed: number;
	/** Failed executions that contain no run, such as a failed poll. */
	failures: number;
	/** Executions in which the trigger emitted nothing, because another execution had emitted the runs. */
	empty: number;
	/** Other successful executions that contain none of the runs. */
	strange: number;
	/** Runs that no execution contains. */
	missing: string[];
	/** The finished executions of each run with several of them, the first one first. */
	repeated: Map<string, Telling[]>;
}

interface Told {
	telling: Telling;
	isEmpty: boolean;
	uuids: Set<string>;
}

/** Finds the runs in a workflow's executions. Reads each finished execution once. */
export class Witness {
	private readonly told = new Map<string, Told>();

	constructor(
		private readonly rest: N8nRest,
		private readonly workflowId: string,
	) {}

	/** Searches the stored data of all executions for runs, finished or not. */
	async tally(runIds: string[]): Promise<Tally> {
		await this.read();
		const tellings = new Map<string, Telling[]>(runIds.map((id) => [id, []]));
		const idle: Told[] = [];
		for (const told of this.told.values()) {
			const { telling, uuids } = told;
			const runs = [...uuids].filter((uuid) => tellings.has(uuid));
			for (const runId of runs) tellings.get(runId)?.push(telling);
			if (runs.length === 0) idle.push(told);
		}
		const all = [...this.told.values()].map(({ telling }) => telling);
		const failures = idle.filter(({ telling }) => telling.status === 'error').length;
		const empty = idle.filter(({ isEmpty }) => isEmpty).length;
		return {
			executions: all.length,
			crashed: all.filter(({ status }) => status === 'crashed').length,
			failures,
			empty,
			// An execution that is still running may turn out to be empty.
			strange: idle.filter(({ telling }) => ENDED.has(telling.status)).length - failures - empty,
			missing: runIds.filter((id) => tellings.get(id)?.length === 0),
			repeated: new Map(
				[...tellings]
					.map(([id, of]) => [id, of.filter(({ status }) => FINISHED.includes(status))] as const)
					.filter(([, of]) => of.length > 1),
			),
		};
	}

	async waitForAll(runIds: string[], limit: number): Promise<void> {
		await until('all runs', limit, async () => {
			const { missing } = await this.tally(runIds);
			if (missing.length > 0) await sleep(500);
			return missing.length === 0;
		});
	}

	private async read(): Promise<void> {
		const entries = await this.rest.executions(this.workflowId);
		for (const { id, status, mode, startedAt } of entries.reverse()) {
			if (mode === 'manual') continue; // This is a test in the editor.
			if (ENDED.has(this.told.get(id)?.telling.status ?? '')) continue;
			const execution = await this.rest.execution(id);
			const { raw } = execution;
			this.told.set(id, {
				telling: { executionId: id, status, startedAt: Date.parse(startedAt ?? '') },
				isEmpty: status === 'success' && itemsOf(execution, TRIGGER).length === 0,
				uuids: new Set([...raw.matchAll(UUID)].map(([uuid]) => uuid)),
			});
		}
	}
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export const stateOf = async ({ sandbox }: Stage) => await sandbox.control.state();

/** A robot whose runs end at once. */
export const quickRobot = async ({ sandbox }: Stage) =>
	await newRobot(sandbox, {
		name: `Quick ${randomUUID()}`,
		url: `${sandbox.siteUrl}/articles`,
		formats: ['text'],
	});

export const random = (limit: number) => Math.floor(Math.random() * limit);
