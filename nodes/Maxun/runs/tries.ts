import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { liveEntry } from '../n8n/internals';
import { isToolExecution } from '../n8n/olderVersions';
import {
	failedItems,
	savedOutput,
	savedRun,
	type ResumedState,
	type SavedState,
	type Results,
} from './pause/savedState';
import type { PendingRuns } from './pendingRuns';
import type { Outcome, PendingRun } from './types';

/*
 * With Retry On Fail, n8n runs the node again for all items if one of them fails. Starting runs again that finished or
 * still continue would charge them twice. So each try leaves its state to the next one, as for a pause.
 *
 * n8n passes the same entry to all tries, and another one to each execution and each loop iteration. If it doesn't, a
 * try finds no state and starts all items.
 */

/** The latest try of each entry. */
const latest = new WeakMap<IExecuteData, Try>();

/** How often n8n runs a node with Retry On Fail. */
const maxTriesOf = (maxTries: number | undefined) => Math.min(5, Math.max(2, maxTries || 3));

/** One of the times that n8n runs the node for the same items. */
export class Try {
	/** Whether the output and the runs of the try before are restored. */
	isRestored = false;
	/** Runs whose result could not be returned, but which don't have to start again. */
	private readonly open = new Map<number, PendingRun>();
	private error?: unknown;
	/** Whether an item that must not start again has stopped the node. */
	private isOver = false;

	private constructor(
		/** Starts at 1. A pause doesn't reset it, unlike n8n's own count. */
		readonly number: number,
		private readonly allowed: number,
		/** What a pause or the try before left; undefined if all items start. */
		public state: ResumedState | undefined,
		/** What all tries have left in Maxun, before and after a pause. */
		readonly remainders: string[] = [],
	) {}

	/**
	 * The current try.
	 *
	 * @param paused the state of a resumed execution
	 * @throws the error of the last allowed try if n8n continues after it, because n8n counts anew after a pause
	 */
	static of(context: IExecuteFunctions, paused: ResumedState | undefined): Try {
		const { retryOnFail, maxTries } = context.getNode();
		const isRetried = retryOnFail && !isToolExecution(context);
		const entry = isRetried ? liveEntry(context) : undefined;
		if (!entry) return new Try(1, 1, paused, paused?.remainders);
		const before = latest.get(entry);
		if (before?.isLast && before.error !== undefined) throw before.error;
		const number = before ? before.number + 1 : (paused?.tries ?? 1);
		const allowed = maxTriesOf(maxTries);
		const remainders = before?.remainders ?? paused?.remainders;
		const current = new Try(number, allowed, paused ?? before?.state, remainders);
		latest.set(entry, current);
		return current;
	}

	/** Notes the outcome of a run. Call this when its result was returned, or could not be returned. */
	note(run: PendingRun, outcome: Outcome): void {
		if (run.temporary && !run.remainder) this.forgetRemainders(run.robotId);
		const open = continuation(run, outcome);
		if (open) this.open.set(run.itemIndex, open);
	}

	/** The runs of failed items that continue in Maxun, from before and after a pause. The next try waits for them. */
	get continuing(): SavedState['runs'] {
		if (this.isLast) return [];
		const earlier = (this.state?.open ?? []).filter(({ itemIndex }) => !this.open.has(itemIndex));
		const open = [...this.open.values()].map(savedRun);
		return [...earlier.map((run) => ({ ...run, since: Date.now() })), ...open];
	}

	/** Leaves everything to the next try, unless this is the last one. Then only the output stays. */
	leave(results: Results, runs: PendingRuns, error?: unknown): void {
		this.error = error;
		const { unrepeatable } = results;
		this.isOver = [...unrepeatable].some((itemIndex) => results.items[itemIndex].length === 0);
		if (!this.isRestored) return;
		const { isLast } = this;
		const open = this.continuing.filter(({ itemIndex }) => !results.done.has(itemIndex));
		const kept = isLast ? [] : [...runs.release().map(savedRun), ...open];
		const failed = failedItems(results, kept);
		const isFinal = (itemIndex: number) => isLast || unrepeatable.has(itemIndex);
		this.state = {
			...savedOutput(results),
			runs: kept,
			open: [],
			notStarted: failed
				.filter((itemIndex) => !isFinal(itemIndex))
				.map((itemIndex) => ({ itemIndex })),
			robots: [],
			remainders: [], // all tries share them
			failed: failed.filter(isFinal),
			tries: this.number,
			isTimeUp: false,
			obstacle: this.state?.obstacle,
		};
	}

	/** Leaves nothing to the next try, after a cancellation. */
	forget(): void {
		this.state = undefined;
	}

	/** A later try may delete a robot that an earlier one could not delete. */
	private forgetRemainders(robotId: string): void {
		const { remainders } = this;
		const others = remainders.filter((message) => !message.includes(robotId));
		remainders.splice(0, remainders.length, ...others);
	}

	/** Whether no other try may start anything. */
	private get isLast(): boolean {
		return this.isOver || this.number >= this.allowed;
	}
}

/** How to continue with a run whose result can't be returned; undefined if it must start again. */
function continuation(run: PendingRun, outcome: Outcome): PendingRun | undefined {
	if (run.temporary && (run.remainder?.isRunCancelled ?? true)) return undefined;
	if ('ended' in outcome) return outcome.ended.status === 'success' ? run : undefined;
	if ('fault' in outcome) return run; // also after a 404, which may be temporary
	return run.isCancelled ? undefined : { ...run, since: Date.now() };
}
