import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newRobot } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import { TRIGGER } from './nodes.mts';
import { ENDED, type Execution, itemsOf, type N8nRest } from './rest.mts';
import type { Stage } from './stage.mts';

/** Other executions still contain the runs that the trigger proposed. */
const FINISHED = ['success', 'error'];

interface Told {
	status: string;
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
	async tally(runIds: string[]) {
		await this.read();
		const all = [...this.told.values()];
		const idle = all.filter(({ uuids }) => !runIds.some((id) => uuids.has(id)));
		const failures = idle.filter(({ status }) => status === 'error').length;
		const empty = idle.filter(({ isEmpty }) => isEmpty).length;
		const repeated = runIds.map((runId) => [runId, this.finishedWith(runId)] as const);
		return {
			executions: all.length,
			/** Executions that a killed n8n process did not finish. */
			crashed: all.filter(({ status }) => status === 'crashed').length,
			/** Failed executions that don't contain a run, such as a failed poll. */
			failures,
			/** Executions in which the trigger emitted nothing, because another execution had emitted the runs. */
			empty,
			/** Other successful executions without the runs. One that is still running may turn out to be empty. */
			strange: idle.filter(({ status }) => ENDED.has(status)).length - failures - empty,
			/** Runs that no execution contains. */
			missing: runIds.filter((id) => !all.some(({ uuids }) => uuids.has(id))),
			/** The IDs of each run's finished executions if there are several, in their order. */
			repeated: new Map(repeated.filter(([, executionIds]) => executionIds.length > 1)),
		};
	}

	async waitForAll(runIds: string[], limit: number): Promise<void> {
		await until('all runs', limit, async () => {
			const { missing } = await this.tally(runIds);
			if (missing.length > 0) await sleep(500);
			return missing.length === 0;
		});
	}

	private finishedWith(runId: string): string[] {
		return [...this.told].flatMap(([id, { status, uuids }]) =>
			FINISHED.includes(status) && uuids.has(runId) ? [id] : [],
		);
	}

	private async read(): Promise<void> {
		const entries = await this.rest.executions(this.workflowId);
		for (const { id, status, mode } of entries.reverse()) {
			if (mode === 'manual') continue; // This is a test in the editor.
			if (ENDED.has(this.told.get(id)?.status ?? '')) continue;
			const execution = await this.rest.execution(id);
			const isEmpty = status === 'success' && itemsOf(execution, TRIGGER).length === 0;
			this.told.set(id, { status, isEmpty, uuids: uuidsIn(execution) });
		}
	}
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The IDs in an execution's stored data, which include those of runs. */
export const uuidsIn = ({ raw }: Execution): Set<string> =>
	new Set([...raw.matchAll(UUID)].map(([uuid]) => uuid));

export const stateOf = async ({ sandbox }: Stage) => await sandbox.control.state();

/** A robot whose runs end at once. */
export const quickRobot = async ({ sandbox }: Stage) =>
	await newRobot(sandbox, {
		name: `Quick ${randomUUID()}`,
		url: `${sandbox.siteUrl}/articles`,
		formats: ['text'],
	});
