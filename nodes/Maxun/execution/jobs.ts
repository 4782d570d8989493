import type { INodeExecutionData } from 'n8n-workflow';
import { mapConcurrently } from '../http/concurrency';
import { forCleanup } from '../http/connectionOptions';
import { faultOf } from '../http/fault';
import { SECOND } from '../http/time';
import { pollRuns } from './poll';
import { pollInterval } from '../runs/timing';
import { resultOf } from '../runs/runResult';
import { deleteRobot, LimitReached } from '../runs/temporary';
import type { Outcome, StartedRun, TemporaryRobot } from '../runs/types';
import type { ItemState } from './state';
import type { Busy } from '../servers/busy';
import { begin, failIfImpossible, giveUp, isOverdue } from './begin';
import {
	deadline,
	isOpen,
	isWaiting,
	runsOf,
	statesOf,
	type Entry,
	type EntryRun,
	type WaitingEntry,
} from './entries';
import type { ItemOutput } from './itemOutput';
import { paceOf } from './pace';

/** What an execution does for its entries: it starts their runs, and waits for them together. */
export class Jobs {
	/** When to try again after the server could not start a run, in epoch milliseconds; 0 if a run has ended since. */
	private nextStart = 0;

	/**
	 * @param parallel whether items may be processed in parallel
	 * @param progress when a run last started or ended, in epoch milliseconds
	 */
	constructor(
		private readonly entries: Entry[],
		private readonly output: ItemOutput,
		private readonly parallel: boolean,
		public progress = Date.now(),
	) {}

	/** The states of each item's entries. */
	get states(): ItemState[][] {
		return statesOf(this.entries);
	}

	/** The items of all entries in the order of the input, with an error item for each that failed. */
	get items(): INodeExecutionData[] {
		return this.output.itemsOf(this.entries);
	}

	/** Number of all entries, and of those that still wait. */
	get counts(): { all: number; open: number } {
		return { all: this.entries.length, open: this.waiting.length };
	}

	get isDone(): boolean {
		return !this.entries.some(isOpen);
	}

	/** When the time of an entry is up next, in epoch milliseconds; Infinity if none has begun. */
	get nextDeadline(): number {
		return this.waiting.reduce((next, entry) => Math.min(next, deadline(entry)), Infinity);
	}

	/** Fails the entries that can't begin. */
	async failImpossible(): Promise<void> {
		await mapConcurrently(this.entries, CLEANUPS, async (entry) => {
			await failIfImpossible(entry, this.output);
		});
	}

	/** Looks at all runs once. */
	async poll(): Promise<void> {
		await pollRuns(runsOf(this.entries), async (run, outcome) => await this.finish(run, outcome));
	}

	/** Starts as many runs as the user and the server allow, and does all other work. */
	async startWhatFits(): Promise<void> {
		await mapConcurrently(this.waiting.filter(isOverdue), 1, async (entry) => {
			await giveUp(entry, this.output);
		});
		const todo = this.entries.filter(({ state }) => 'todo' in state);
		const [first] = todo;
		if (!first?.context || Date.now() < this.nextStart) return;
		const pace = paceOf(first.job, first.context, this.parallel);
		let free = pace.slots - this.runCount;
		const heldRobot = this.holdsRobot;
		const refused: Array<{ entry: Entry; busy: Busy }> = [];
		await mapConcurrently(todo, pace.atOnce, async (entry) => {
			if (free <= 0 || refused.some(({ busy }) => busy.stopsOthers)) return;
			free--;
			const busy = await this.begin(entry, pace.delay);
			if (!('run' in entry.state)) free++;
			if (busy) refused.push({ entry, busy });
		});
		// A start that fails deletes its robot, perhaps only after another one was refused because of this robot.
		const isOwnLimit = heldRobot || this.holdsRobot;
		for (const { entry, busy } of refused) this.postpone(entry, busy, isOwnLimit);
	}

	/** Waits until the next look. Rejects if the execution is canceled in the meantime. */
	async sleep(): Promise<void> {
		const [first] = this.waiting;
		if (!first) return;
		const next = this.runCount > 0 ? Date.now() + pollInterval(this.idle) : this.nextStart;
		await first.context.maxun.sleep(Math.min(next, this.nextDeadline) - Date.now());
	}

	/**
	 * Ends what is no longer needed: deletes temporary robots with their runs, and cancels runs that no other attempt waits
	 * for if the settings say so.
	 *
	 * @param isCanceled whether the execution was canceled
	 */
	async discard(isCanceled = false): Promise<void> {
		if (!isCanceled) await mapConcurrently(this.entries, CLEANUPS, cancelOverdue);
		// The time for cleanup begins now, for all of them together.
		const options = isCanceled ? forCleanup() : {};
		const held = this.entries.flatMap(({ state, context }) => {
			const robot = robotOf(state);
			if (!robot || !context) return [];
			const maxun = context.maxun.with(options);
			return [{ context: { ...context, maxun }, robot }];
		});
		await mapConcurrently(held, CLEANUPS, async ({ context, robot }) => {
			await deleteRobot(context, robot);
		});
	}

	/** The entries that wait for a run, or for its start. */
	private get waiting(): WaitingEntry[] {
		return this.entries.filter(isWaiting);
	}

	/** Milliseconds since a run last started or ended. */
	private get idle(): number {
		return Date.now() - this.progress;
	}

	private get runCount(): number {
		return this.entries.filter(({ state }) => 'run' in state).length;
	}

	private get holdsRobot(): boolean {
		return this.entries.some(({ state }) => robotOf(state) !== undefined);
	}

	private async finish(run: EntryRun, outcome: Outcome): Promise<void> {
		const { entry } = run;
		const { result, continues, empty } = await resultOf(run, outcome);
		this.progress = Date.now();
		this.nextStart = 0;
		if ('items' in result) return this.output.set(entry, result.items, empty);
		const continuing = continues && 'run' in entry.state ? entry.state.run : undefined;
		this.output.fail(entry, result.error, continuing);
	}

	/** Does the work of an entry, or starts its run. @returns why the run can't start yet */
	private async begin(entry: Entry, delay: number): Promise<Busy | undefined> {
		const busy = await begin(entry, this.output, delay);
		if ('run' in entry.state) this.progress = Date.now();
		return busy;
	}

	/** Tries an entry again later, unless a limit of the plan is reached without the robots of this execution. */
	private postpone(entry: Entry, busy: Busy, isOwnLimit: boolean): void {
		// A busy server can't start a run sooner.
		const soonest = busy.stopsOthers ? 3 * SECOND : 0;
		this.nextStart = Date.now() + Math.max(pollInterval(this.idle), soonest);
		if (busy instanceof LimitReached && !isOwnLimit) this.output.fail(entry, busy);
		else if ('todo' in entry.state) entry.state = { ...entry.state, busy: busy.text };
	}
}

/** Maximum number of simultaneous deletions. */
const CLEANUPS = 10;

/** The run of an entry that continues in Maxun. */
function runOf(state: ItemState): StartedRun | undefined {
	if ('run' in state) return state.run;
	return 'error' in state ? state.continuing : undefined;
}

/** Cancels the run of an entry whose time was up, if its settings say so. */
async function cancelOverdue({ state, job, context }: Entry): Promise<void> {
	const run = 'error' in state ? state.continuing : undefined;
	if (!run || run.temporary || !('settings' in job) || !job.settings.cancelOnTimeout) return;
	// It may have ended by now.
	await faultOf(Promise.resolve(context?.maxun.runs.cancel?.(run.runId, run.robotId)));
}

/** The temporary robot of an entry. */
function robotOf(state: ItemState): TemporaryRobot | undefined {
	if ('robot' in state) return state.robot;
	const run = runOf(state);
	return run?.temporary && { kind: run.temporary, robotId: run.robotId };
}
