import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, conflict } from './errors.mts';
import { UnreachableError } from './engine/fetcher.mts';
import { type Harvest, work } from './engine/work.mts';
import { newRun } from './factory.mts';
import {
	type Account,
	emptyData,
	type Format,
	isFinished,
	type Params,
	type Robot,
	type Run,
	type RunSource,
} from './model.mts';
import { watch } from './monitor.mts';
import type { World } from './world.mts';

interface StartOptions {
	source: RunSource;
	payer: Account;
	formats?: Format[];
	params?: Params;
}

interface ActiveRun {
	controller: AbortController;
	/** Ends the run as soon as its work is done. */
	hurry: AbortController;
	harvest: Harvest;
	done: Promise<void>;
}

/** Starts runs on browser slots, queues those for which there is none, and ends them. */
export class Runner {
	private readonly active = new Map<string, ActiveRun>();
	private closing = false;

	constructor(private readonly world: World) {}

	/**
	 * Starts a run, or queues it when all browser slots of its scope are busy. A run costs one credit.
	 * @throws ApiError 402 without a credit, 409 while the robot is not ready
	 */
	start(robot: Robot, { source, payer, formats, params }: StartOptions): Run {
		if (robot.status !== 'ready') {
			throw conflict(`The robot is ${robot.status}: ${robot.error ?? 'wait until it is ready'}`);
		}
		if (payer.credits < 1) throw new ApiError(402, 'Not enough credits: a run needs at least 1');
		payer.credits -= 1;
		const run = newRun(robot, { source, formats: formats ?? null, params: params ?? {} });
		const { state, store } = this.world;
		state.runs.push(run);
		state.runTotals[robot.scope] = (state.runTotals[robot.scope] ?? 0) + 1;
		this.pump();
		store.touch();
		return run;
	}

	/** Gives free browser slots to the runs that wait longest. */
	pump(): void {
		if (this.closing) return;
		for (const run of this.world.state.runs) {
			if (run.status !== 'queued') continue;
			const busy = this.world.state.runs.filter(
				(other) => other.scope === run.scope && other.status === 'running',
			).length;
			if (busy < this.world.slots) this.begin(run);
		}
	}

	/** Takes up the runs that a former life left running or queued. */
	resume(): void {
		for (const run of this.world.state.runs) {
			if (run.status === 'running') this.begin(run);
		}
		this.pump();
	}

	/** Stops a queued or running run; it keeps what it has captured. @throws ApiError 409 after its end */
	cancel(run: Run): void {
		if (isFinished(run)) throw conflict(`The run has already finished (${run.status})`);
		const harvest = this.forget(run);
		if (harvest !== undefined) keep(run, harvest);
		run.isPartial = harvest !== undefined && hasContent(harvest);
		this.end(run, 'aborted', null);
	}

	/** Has a run end as soon as its work is done, however long runs take at least. */
	hurry(run: Run): void {
		this.active.get(run.id)?.hurry.abort();
	}

	/** Ends the work on a run without changing the run itself. */
	forget(run: Run): Harvest | undefined {
		const active = this.active.get(run.id);
		this.active.delete(run.id);
		active?.controller.abort();
		return active?.harvest;
	}

	/** Stops working; running and queued runs stay so, to be taken up again. */
	async close(): Promise<void> {
		this.closing = true;
		const all = [...this.active.values()];
		this.active.clear();
		for (const { controller } of all) controller.abort();
		await Promise.all(all.map(async ({ done }) => await done));
	}

	private begin(run: Run): void {
		run.status = 'running';
		run.startedAt ??= new Date().toISOString();
		const controller = new AbortController();
		const hurry = new AbortController();
		const harvest: Harvest = { data: emptyData(), screenshots: [] };
		const done = this.carryOut(run, harvest, controller.signal, hurry.signal);
		this.active.set(run.id, { controller, hurry, harvest, done });
	}

	private async carryOut(
		run: Run,
		harvest: Harvest,
		signal: AbortSignal,
		hurry: AbortSignal,
	): Promise<void> {
		const least = sleep(this.world.settings.runSeconds * 1000, undefined, {
			signal: AbortSignal.any([signal, hurry]),
		});
		// Without this, a failure of the work would leave an aborted timer without anyone to hear it.
		least.catch(() => undefined);
		let error: string | null = null;
		try {
			const robot = this.world.state.robots.find(({ id }) => id === run.robotId);
			if (robot === undefined) throw new Error('The robot no longer exists');
			await work({ world: this.world, robot, run, harvest, signal });
		} catch (reason) {
			error = this.isForgiven(reason) ? null : messageOf(reason);
		}
		await least.catch(() => undefined);
		// A run that was cancelled, deleted or interrupted by a shutdown is no longer ours to end.
		if (!this.active.delete(run.id)) return;
		keep(run, harvest);
		this.end(run, error === null ? 'success' : 'failed', error);
		watch(run, this.world.state);
		this.world.deliveries.announce(run);
	}

	/** A real self-hosted server ends a run on an unreachable page as a success without data. */
	private isForgiven(reason: unknown): boolean {
		const { selfHostedForm } = this.world.settings;
		return selfHostedForm === 'observed' && reason instanceof UnreachableError;
	}

	private end(run: Run, status: 'success' | 'failed' | 'aborted', error: string | null): void {
		run.status = status;
		run.error = error;
		run.finishedAt = new Date().toISOString();
		this.world.store.touch();
		this.pump();
	}
}

function keep(run: Run, harvest: Harvest): void {
	run.data = harvest.data;
	run.screenshots = harvest.screenshots;
}

function messageOf(reason: unknown): string {
	return reason instanceof Error ? reason.message : String(reason);
}

function hasContent(harvest: Harvest): boolean {
	return JSON.stringify(harvest.data) !== JSON.stringify(emptyData());
}
