import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { mapConcurrently } from '../../http/concurrency';
import { MaxunFault, recover } from '../../http/fault';
import type { PendingRuns } from '../pendingRuns';
import { deleteTemporary, remainders } from '../temporary';
import type { PendingRun, RunContext, WaitSettings } from '../types';
import { deadlineOf, notPaused } from '../wait';
import { SHORTEST_PAUSE } from '../../n8n/internals';
import { pastPause, requestPause } from './engineRequest';
import { executionStatus } from './executionStatus';
import { pauseObstacle, resumeUrlOf } from './obstacle';
import { deleteOrphans } from './orphans';
import { ResumeWebhooks, type WatchedRobot } from './resumeWebhooks';
import { SavedState } from './savedState';

/** Default number of seconds to poll before pausing. */
export const PAUSE_AFTER = 20;

/** An item of a resumed execution. */
interface ResumedTask {
	itemIndex: number;
	context: RunContext;
	/** Undefined if the item no longer waits for a run. */
	settings?: WaitSettings;
}

/**
 * A paused execution also checks its runs itself. Webhooks don't report cancelled runs or deleted robots, and a
 * delivery may be lost if n8n is down for long. Each pause is as long as the wait so far, within these limits. A day of
 * waiting takes about fifty checks.
 */
const LOOK = { soonest: 5 * 60_000, latest: 30 * 60_000 };

/** Waits for an execution's runs: first by polling, then by pausing until a webhook resumes the execution. */
export class Pausing {
	/** Robots that have or may have a webhook of this execution. */
	private watched: WatchedRobot[] = [];
	/** What resumed the execution; undefined if it wasn't paused. */
	private resumedBy?: 'webhook' | 'timer';
	/** Why n8n could not pause the execution before. */
	private obstacle?: string;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly response: EngineResponse | undefined,
		private readonly runs: PendingRuns,
		private readonly concurrency: number,
	) {}

	/**
	 * Restores the runs of a resumed execution.
	 *
	 * @param tasks the items whose parameters can still be read
	 * @returns the indexes of the items whose runs were restored
	 */
	async resume(state: ResumedState, tasks: ResumedTask[]): Promise<Set<number>> {
		this.resumedBy = state.isTimeUp ? 'timer' : 'webhook';
		this.obstacle = state.obstacle;
		this.watched = state.robots.flatMap(({ teamId, robotId }) => {
			const task = tasks.find(({ context }) => (context.maxun.teamId ?? '') === teamId);
			return task ? [{ maxun: task.context.maxun, robotId }] : [];
		});
		const resumed = new Set<number>();
		for (const { itemIndex, since, started } of state.runs) {
			const task = tasks.find((candidate) => candidate.itemIndex === itemIndex);
			if (!task?.settings) continue;
			const { context, settings } = task;
			await this.runs.add({ ...started, itemIndex, since, context, settings });
			resumed.add(itemIndex);
		}
		return resumed;
	}

	/**
	 * Waits until all runs have an outcome, or pauses the execution.
	 *
	 * @param outputs the output of the other items, by input item
	 * @param pauseAfter how many seconds to poll first; 0 to always poll
	 * @returns the request that pauses the execution; undefined if nothing is left to wait for
	 */
	async waitFor(
		outputs: INodeExecutionData[][],
		pauseAfter: number,
	): Promise<EngineRequest | undefined> {
		const { runs, obstacle } = this;
		if (obstacle !== undefined) await this.keepRunning(obstacle);
		else if (pauseAfter > 0 && runs.size > 0) {
			await this.poll(pauseAfter);
			if (runs.size > 0) {
				const request = await this.pause(outputs);
				if (request) return request;
			}
		}
		await runs.wait();
		return undefined;
	}

	/** Removes the webhooks, with a hint for each that remains. */
	async clear(): Promise<void> {
		const { watched } = this;
		this.watched = [];
		const left = await this.removeWebhooks(watched);
		for (const text of left) {
			this.runs.notices.remains(remainingWebhook(text));
		}
	}

	private async poll(seconds: number): Promise<void> {
		const { runs, resumedBy } = this;
		const polling = resumedBy === 'timer' ? 0 : seconds * 1000;
		await runs.wait({ until: Date.now() + polling, atOnce: resumedBy !== undefined });
		// A run with little time left only delays the pause by that time.
		while (runs.size > 0 && earliestDeadline(runs.all) - Date.now() <= SHORTEST_PAUSE) {
			await runs.wait({ until: earliestDeadline(runs.all) });
		}
	}

	private async pause(outputs: INodeExecutionData[][]): Promise<EngineRequest | undefined> {
		const { runs } = this;
		const obstacle = await this.prepare();
		if (obstacle !== undefined) {
			await this.keepRunning(obstacle);
			return undefined;
		}
		await this.deleteOrphans();
		// A run may have ended before its webhook was registered.
		await runs.wait({ until: 0, atOnce: true });
		const isCancelled = this.context.getExecutionCancelSignal()?.aborted ?? false;
		return runs.size > 0 && !isCancelled ? this.request(outputs) : undefined;
	}

	/** What an earlier pause left must not call an execution that polls. */
	private async keepRunning(obstacle: string): Promise<void> {
		this.runs.notices.hint(notPaused(obstacle));
		await this.clear();
	}

	/** Registers the webhooks. @returns why the execution can't pause; undefined if it can */
	private async prepare(): Promise<string | undefined> {
		const runs = this.runs.all;
		const { maxun } = runs[0].context;
		const obstacle = pauseObstacle(this.context, this.response, maxun);
		if (obstacle !== undefined) return obstacle;
		const before = this.watched;
		const byRobot = new Map(runs.map((run) => [keyOf({ ...run.context, ...run }), run]));
		this.watched = [...byRobot.values()].map(({ context: { maxun }, robotId, temporary }) => ({
			maxun,
			robotId,
			temporary,
		}));
		await this.removeWebhooks(before.filter((robot) => !byRobot.has(keyOf(robot))));
		const registered = await this.webhooks().registrar.register(this.watched);
		if (!('refused' in registered)) return undefined;
		const [{ target, fault }] = registered.refused;
		return `no webhook could be registered on robot ${target.robotId}: ${fault.text}`;
	}

	/** @returns what could not be removed and why */
	private async removeWebhooks(robots: WatchedRobot[]): Promise<string[]> {
		if (robots.length === 0) return [];
		const lasting = robots.map((robot) => ({ ...robot, maxun: robot.maxun.afterCancel() }));
		const left = await this.webhooks().registrar.remove(lasting);
		return left.map(({ target, fault }) => `robot ${target.robotId}: ${fault.text}`);
	}

	/** Cleans up after cancelled executions. If that fails, the next execution tries again. */
	private async deleteOrphans(): Promise<void> {
		const { context } = this;
		const { origin } = new URL(resumeUrlOf(context));
		const { credentials } = context.getNode();
		const made = this.runs.all.filter(({ temporary }) => temporary !== undefined);
		const byTeam = new Map(made.map((run) => [run.context.maxun.teamId ?? '', run.context]));
		for (const [teamId, team] of byTeam) {
			const account = JSON.stringify([origin, credentials, teamId]);
			await recover(deleteOrphans(team, account, this.webhooks()), {
				any: ({ message }) =>
					context.logger.warn(`Robots of cancelled executions could not be listed: ${message}`),
			});
		}
	}

	private request(outputs: INodeExecutionData[][]): EngineRequest {
		const { context, watched } = this;
		const until = Math.min(earliestDeadline(this.runs.all), nextLook(this.runs.all));
		// The resumed execution takes over runs and webhooks.
		const runs = this.runs.release();
		this.watched = [];
		// n8n reports a cancellation only until the pause is stored.
		context.onExecutionCancellation(() => {
			this.discard(watched, runs).catch((error: unknown) =>
				context.logger.warn(`A cancelled execution could not be cleaned up: ${String(error)}`),
			);
		});
		const state: SavedState = {
			outputs,
			runs: runs.map(({ itemIndex, context: { maxun }, since, ...run }) => ({
				itemIndex,
				teamId: maxun.teamId ?? '',
				since,
				started: startedRun(run),
			})),
			robots: watched.map(({ maxun, robotId }) => ({ teamId: maxun.teamId ?? '', robotId })),
		};
		return requestPause(context, new Date(until), state);
	}

	/** Removes everything after a cancellation. n8n shows nothing of that, so the log names what remains. */
	private async discard(watched: WatchedRobot[], runs: PendingRun[]): Promise<void> {
		const webhooks = await this.removeWebhooks(watched);
		const robots = await mapConcurrently(runs, this.concurrency, deleteTemporary);
		for (const left of [...webhooks.map(remainingWebhook), ...remainders(robots)]) {
			this.context.logger.warn(left);
		}
	}

	private webhooks(): ResumeWebhooks {
		const { context, concurrency } = this;
		const statusOf = async (url: string) => await executionStatus(context, url);
		return new ResumeWebhooks(resumeUrlOf(context), statusOf, concurrency);
	}
}

const remainingWebhook = (text: string) =>
	`A webhook of this execution remains in Maxun on ${text}`;

/** The stored part of a run. Everything else is read again from the node's parameters. */
const startedRun = ({
	runId,
	robotId,
	temporary,
	fields,
	response,
}: Omit<PendingRun, 'itemIndex' | 'context' | 'since'>) => ({
	runId,
	robotId,
	temporary,
	fields,
	response,
});

const keyOf = ({ maxun, robotId }: Pick<WatchedRobot, 'maxun' | 'robotId'>) =>
	`${maxun.teamId ?? ''} ${robotId}`;

const earliestDeadline = (runs: PendingRun[]) => Math.min(...runs.map(deadlineOf));

function nextLook(runs: PendingRun[]): number {
	const waited = Date.now() - Math.min(...runs.map(({ since }) => since));
	return Date.now() + Math.min(Math.max(waited, LOOK.soonest), LOOK.latest);
}

/** The stored state, whether the timer resumed the execution, and why n8n could not pause it, if so. */
export type ResumedState = SavedState & { isTimeUp: boolean; obstacle?: string };

/**
 * What was stored before the pause; undefined if the execution wasn't paused.
 *
 * @throws MaxunFault if it can't be read, for example after an upgrade: starting the runs again would charge them twice
 */
export function resumedState(context: IExecuteFunctions): ResumedState | undefined {
	const pause = pastPause(context);
	if (!pause) return undefined;
	const state = SavedState.safeParse(pause.state).data;
	const { until, obstacle } = pause;
	if (state) return { ...state, isTimeUp: Date.now() >= until, obstacle };
	throw new MaxunFault(
		'The stored state of this execution is not readable',
		'Its runs may continue in Maxun. Use Run: Get Many to find them, then start the workflow again',
	);
}
