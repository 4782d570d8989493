import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, conflict, messageOf } from './errors.mts';
import { UnreachableError } from './engine/fetcher.mts';
import { type Harvest, work } from './engine/work.mts';
import { newRun } from './factory.mts';
import { type Account, emptyData, isFinished, type Robot, type Run } from './model.mts';
import { watch } from './monitor.mts';
import type { World } from './world.mts';

export type StartOptions = Partial<Pick<Run, 'formats' | 'params' | 'prompt'>> &
	Pick<Run, 'source'> & { payer: Account };

interface ActiveRun {
	controller: AbortController;
	hurry: AbortController;
	harvest: Harvest;
	done: Promise<void>;
}

export class Runner {
	private readonly active = new Map<string, ActiveRun>();
	/** Runs that were canceled before their browser started. Their browsers are blocked until the server restarts. */
	private readonly lostSlots: Run[] = [];
	private closing = false;

	constructor(private readonly world: World) {}

	start(robot: Robot, { payer, ...fields }: StartOptions): Run {
		if (robot.status !== 'ready') {
			throw conflict(`The robot is ${robot.status}: ${robot.error ?? 'wait until it is ready'}`);
		}
		if (payer.credits < 1) throw new ApiError(402, 'Not enough credits: a run needs at least 1');
		payer.credits -= 1;
		const run = newRun(robot, fields);
		const { state, store } = this.world;
		state.runs.push(run);
		state.runTotals[robot.scope] = (state.runTotals[robot.scope] ?? 0) + 1;
		this.pump();
		store.touch();
		return run;
	}

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

	resume(): void {
		for (const run of this.world.state.runs) {
			if (run.status === 'running') this.begin(run);
		}
		this.pump();
	}

	cancel(run: Run): void {
		if (isFinished(run)) throw conflict(`The run has already finished (${run.status})`);
		const harvest = this.forget(run);
		if (harvest !== undefined) keep(run, harvest);
		run.isPartial = harvest !== undefined && hasContent(harvest);
		this.end(run, 'aborted', null);
	}

	/** Cancels a run as a self-hosted server does: its browser keeps running, and the run may be completed later. */
	abandon(run: Run): void {
		if (!this.active.has(run.id)) {
			this.cancel(run);
			return;
		}
		const keepsSlot = this.hasBrowser(run);
		run.status = 'aborted';
		this.world.store.touch();
		if (keepsSlot) return;
		this.forget(run);
		this.lostSlots.push(run);
	}

	/** Whether the run's browser has started. On a self-hosted server, this takes a few seconds. */
	hasBrowser({ id, startedAt }: Run): boolean {
		const age = Date.now() - Date.parse(startedAt ?? '');
		const seconds = this.world.settings.selfHostedAbortLosesSlotSeconds;
		return !this.lostSlots.some((lost) => lost.id === id) && age >= seconds * 1000;
	}

	slotsTaken(scope: string): number {
		const { runs } = this.world.state;
		const busy = runs.filter((run) => !isFinished(run) || this.active.has(run.id));
		return [...busy, ...this.lostSlots].filter((run) => run.scope === scope).length;
	}

	/** Ends a run as soon as its work is done, despite the minimum duration. */
	hurry(run: Run): void {
		this.active.get(run.id)?.hurry.abort();
	}

	forget(run: Run): Harvest | undefined {
		const active = this.active.get(run.id);
		this.active.delete(run.id);
		active?.controller.abort();
		return active?.harvest;
	}

	/** Stops all work. Unfinished runs keep their status for `resume`. */
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
		// Prevents an unhandled rejection if the timer aborts before anything awaits it.
		least.catch(() => undefined);
		let error: string | null = null;
		try {
			const robot = this.world.robotOf(run);
			if (robot === undefined) throw new Error('The robot no longer exists');
			await work({ world: this.world, robot, run, harvest, signal });
		} catch (reason) {
			error = this.isForgiven(reason) ? null : messageOf(reason);
		}
		await least.catch(() => undefined);
		// A cancellation, a deletion or a shutdown has already removed this run.
		if (!this.active.delete(run.id)) return;
		keep(run, harvest);
		this.stopEarly(run, harvest);
		this.end(run, error === null ? 'success' : 'failed', error);
		watch(run, this.world.state);
		this.world.deliveries.announce(run);
	}

	/** Keeps only the first rows, if the settings say so. */
	private stopEarly(run: Run, { data }: Harvest): void {
		const most = this.world.settings.runsStopAfterRows;
		if (most === null || Math.max(data.listData.length, data.crawlData.length) <= most) return;
		data.listData.splice(most);
		data.crawlData.splice(most);
		for (const rows of Object.values(data.lists ?? {})) rows.splice(most);
		run.isPartial = true;
	}

	/** For an unreachable page, a real self-hosted server reports success without data. */
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

function hasContent(harvest: Harvest): boolean {
	return JSON.stringify(harvest.data) !== JSON.stringify(emptyData());
}
