import type { EngineRequest, EngineResponse, IExecuteFunctions } from 'n8n-workflow';
import { CONCURRENCY, mapConcurrently } from '../../http/concurrency';
import { recover } from '../../http/fault';
import { SHORTEST_PAUSE } from '../../n8n/internals';
import type { Refusal } from '../../webhooks/registrar';
import type { PendingRuns } from '../pendingRuns';
import { deleteTemporary, remainders } from '../temporary';
import type { PendingRun, RunContext } from '../types';
import type { Try } from '../tries';
import { notPaused } from '../wait';
import { requestPause } from './engineRequest';
import { executionStatus } from './executionStatus';
import { Leftovers, webhookRemains } from './leftovers';
import { pauseObstacle, resumeUrlOf } from './obstacle';
import { deleteOrphans } from './orphans';
import { attempted, earliestDeadline, pauseUntil, type NotStarted } from './pauseTime';
import { showProgress } from './progress';
import { ResumeWebhooks, type WatchedRobot } from './resumeWebhooks';
import {
	failedItems,
	savedOutput,
	savedRun,
	type ResumedState,
	type Results,
	type SavedState,
} from './savedState';

/** Default number of seconds to poll before pausing. */
export const PAUSE_AFTER = 20;

/** An item with a run, or whose run has not started. */
interface WaitingTask extends NotStarted {
	context: RunContext;
}

/** Waits for an execution's runs: first by polling, then by pausing until a webhook resumes the execution. */
export class Pausing {
	/** Robots that have or may have a webhook of this execution. */
	private watched: WatchedRobot[] = [];
	/** What the execution has in Maxun from before its pause. */
	private leftovers?: Leftovers;
	/** What resumed the execution; undefined if it wasn't paused. */
	private resumedBy?: 'webhook' | 'timer';
	/** Why the execution can't pause, if the node has tried. */
	private obstacle?: string;
	private earlierUrl?: string;
	/** Whether webhooks were registered for this pause. */
	private hasNewWebhooks = false;
	private concurrency = CONCURRENCY;

	/** @param current the node's try with Retry On Fail */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly response: EngineResponse | undefined,
		private readonly runs: PendingRuns,
		private readonly current: Pick<Try, 'number' | 'continuing' | 'remainders'>,
	) {}

	/** Takes over webhooks and temporary robots from before a pause, so that none remains whatever fails next. */
	async adopt(state: ResumedState): Promise<void> {
		this.resumedBy = state.isTimeUp ? 'timer' : 'webhook';
		this.earlierUrl = state.resumeUrl;
		this.leftovers = await Leftovers.of(this.context, state);
		this.watched = this.leftovers.watched;
		if (state.obstacle !== undefined) await this.keepRunning(state.obstacle);
	}

	/**
	 * Restores the runs of a resumed execution.
	 *
	 * @param tasks the items whose parameters can still be read
	 * @returns the indexes of the items whose runs were restored
	 */
	async resume(state: ResumedState, tasks: WaitingTask[]): Promise<Set<number>> {
		const resumed = new Set<number>();
		for (const { itemIndex, since, started } of state.runs) {
			const task = tasks.find((candidate) => candidate.itemIndex === itemIndex);
			if (!task?.settings) continue;
			const { context, settings } = task;
			this.leftovers?.claim(itemIndex);
			await this.runs.add({ ...started, itemIndex, since, context, settings });
			resumed.add(itemIndex);
		}
		return resumed;
	}

	/** How many milliseconds a run or its start may take before the execution should pause. */
	patience(pauseAfter: number): number {
		return pauseAfter > 0 && this.obstacle === undefined ? pauseAfter * 1000 : Infinity;
	}

	/**
	 * Waits until all runs have an outcome, or pauses the execution.
	 *
	 * @param results the output of the other items
	 * @param pauseAfter how many seconds to poll first; 0 to always poll
	 * @param notStarted items whose runs start later
	 * @param isPolled whether the runs were polled for that long when they started
	 * @returns the request that pauses the execution; undefined if all runs have an outcome
	 */
	async waitFor(
		results: Results,
		pauseAfter: number,
		notStarted: WaitingTask[],
		isPolled: boolean,
	): Promise<EngineRequest | undefined> {
		const { runs } = this;
		const hadRuns = runs.size > 0;
		if (this.patience(pauseAfter) < Infinity) {
			if (hadRuns) await this.poll(isPolled ? 0 : pauseAfter);
			if (hadRuns ? runs.size > 0 : isLongWait(notStarted)) {
				const request = await this.pause(results, notStarted);
				if (request) return request;
			}
		}
		// Without a pause, the next runs start while these continue, where the server can have several.
		const [next] = notStarted;
		if (!next || next.context.maxun.runs.oneAtATime) await runs.wait();
		if (this.resumedBy) {
			const left = notStarted.length + runs.size;
			showProgress(this.context, results.items.length, left);
		}
		return undefined;
	}

	/** Removes the webhooks and what no item claimed, with a hint for each that remains. */
	async clear(): Promise<void> {
		const { watched } = this;
		this.watched = [];
		const left = await this.removeWebhooks(watched);
		left.push(...((await this.leftovers?.remove()) ?? []));
		left.forEach(this.runs.notices.remains);
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

	private async pause(
		results: Results,
		notStarted: WaitingTask[],
	): Promise<EngineRequest | undefined> {
		const { runs } = this;
		const obstacle = await this.prepare(notStarted);
		if (obstacle !== undefined) {
			await this.keepRunning(obstacle);
			return undefined;
		}
		await this.deleteOrphans();
		// A run may have ended before its webhook was registered.
		const isWaiting = runs.size > 0;
		await runs.wait({ until: 0, atOnce: true });
		const isCancelled = this.context.getExecutionCancelSignal()?.aborted ?? false;
		const isOver = isWaiting && runs.size === 0;
		return isOver || isCancelled ? undefined : this.request(results, notStarted);
	}

	/** Polls from now on. Webhooks of an earlier pause must not call an execution that polls. */
	private async keepRunning(obstacle: string): Promise<void> {
		this.obstacle = obstacle;
		this.runs.notices.hint(notPaused(obstacle));
		const { watched } = this;
		this.watched = [];
		(await this.removeWebhooks(watched)).forEach(this.runs.notices.remains);
	}

	/** Registers the webhooks. @returns why the execution can't pause; undefined if it can */
	private async prepare(notStarted: WaitingTask[]): Promise<string | undefined> {
		const runs = this.runs.all;
		const [{ context }] = [...runs, ...notStarted];
		const obstacle = pauseObstacle(this.context, this.response, context.maxun);
		if (obstacle !== undefined) return obstacle;
		this.concurrency = context.concurrency;
		const before = this.watched;
		const byRobot = new Map(runs.map((run) => [keyOf({ ...run.context, ...run }), run]));
		const needed = [...byRobot.values()].map(({ context: { maxun }, robotId, temporary }) => ({
			maxun,
			robotId,
			temporary,
		}));
		const earlier = new Set(before.map(keyOf));
		this.hasNewWebhooks = needed.some((robot) => !earlier.has(keyOf(robot)));
		this.watched = [...before, ...needed];
		const left = await this.removeFrom(before.filter((robot) => !byRobot.has(keyOf(robot))));
		this.watched = [...needed, ...left.map(({ target }) => target)];
		const registered = await this.webhooks().registrar.register(needed);
		if (!('refused' in registered)) return undefined;
		const [{ target, fault }] = registered.refused;
		if (fault.missingRoute) {
			return 'this server version does not support registering webhooks through its API';
		}
		return `no webhook could be registered on robot ${target.robotId}: ${fault.text}`;
	}

	/** Removes the webhooks. @returns what remains and why */
	private async removeWebhooks(robots: WatchedRobot[]): Promise<string[]> {
		const left = await this.removeFrom(robots);
		return left.map(({ target, fault }) => webhookRemains(target.robotId, fault.text));
	}

	/** @returns the robots whose webhooks could not be removed, and why */
	private async removeFrom(robots: WatchedRobot[]): Promise<Array<Refusal<WatchedRobot>>> {
		if (robots.length === 0) return [];
		const lasting = robots.map((robot) => ({ ...robot, maxun: robot.maxun.afterCancel() }));
		return await this.webhooks().registrar.remove(lasting);
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

	private request(results: Results, notStarted: WaitingTask[]): EngineRequest {
		const { context, watched, current } = this;
		const until = pauseUntil(this.runs.all, notStarted, this.hasNewWebhooks);
		// The resumed execution takes over runs and webhooks.
		const runs = this.runs.release();
		this.watched = [];
		const remaining = [...current.remainders, ...results.remainders];
		// n8n reports a cancellation only until the pause is stored.
		context.onExecutionCancellation(() => {
			this.discard(watched, runs, remaining).catch((error: unknown) =>
				context.logger.warn(`A cancelled execution could not be cleaned up: ${String(error)}`),
			);
		});
		const state: SavedState = {
			...savedOutput(results),
			runs: runs.map(savedRun),
			notStarted: notStarted.map(({ itemIndex, since }) => ({ itemIndex, since })),
			resumeUrl: resumeUrlOf(context),
			robots: watched.map(({ maxun, robotId }) => ({ teamId: maxun.teamId ?? '', robotId })),
			failed: failedItems(results, [...runs, ...notStarted]),
			open: current.continuing,
			remainders: remaining,
			tries: current.number,
		};
		const left = runs.length + notStarted.length;
		showProgress(context, results.items.length, left);
		return requestPause(context, new Date(until), state);
	}

	/**
	 * Removes everything after a cancellation. n8n doesn't show it, so the log names what remains.
	 *
	 * @param remaining what remains from before
	 */
	private async discard(
		watched: WatchedRobot[],
		runs: PendingRun[],
		remaining: string[],
	): Promise<void> {
		const webhooks = await this.removeWebhooks(watched);
		const robots = await mapConcurrently(runs, this.concurrency, deleteTemporary);
		for (const left of [...remaining, ...webhooks, ...remainders(robots)]) {
			this.context.logger.warn(left);
		}
	}

	private webhooks(): ResumeWebhooks {
		const { context, concurrency, earlierUrl } = this;
		const statusOf = async (url: string) => await executionStatus(context, url);
		return new ResumeWebhooks(resumeUrlOf(context), earlierUrl, statusOf, concurrency);
	}
}

const keyOf = ({ maxun, robotId }: Pick<WatchedRobot, 'maxun' | 'robotId'>) =>
	`${maxun.teamId ?? ''} ${robotId}`;

/** Whether items wait for a slot, and none of them needs an outcome before the shortest pause ends. */
function isLongWait(notStarted: NotStarted[]): boolean {
	const waiting = attempted(notStarted);
	return waiting.length > 0 && earliestDeadline(waiting) - Date.now() > SHORTEST_PAUSE;
}
