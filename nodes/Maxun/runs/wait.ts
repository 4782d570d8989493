import { hasEnded, Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { Runs } from '../api/runs';
import { mapConcurrently } from '../core/concurrency';
import type { Api, Started, WaitSettings } from '../core/operation';

/** A started run whose end is awaited. */
export interface Awaited extends Started {
	api: Api;
	settings: WaitSettings;
	/** When it was started, in epoch milliseconds. */
	since: number;
}

/** What came of a run: its end, or what was known of it when the time was up. */
export type Outcome =
	| { ended: Run }
	| { lastStatus: string; unreachable?: MaxunFault }
	| { fault: MaxunFault };

const MINUTE = 60_000;
const SHORTEST = 500;
const LONGEST = 30_000;

/**
 * Milliseconds until the service is asked again: a tenth of the time in which nothing has ended, so that nothing is
 * noticed later than that, and hours of waiting cost few requests.
 */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, SHORTEST), LONGEST);

/** How far a wait goes. */
export interface WaitLimits {
	/** When to leave off, in epoch milliseconds, unless a run is out of time, which is settled first; never when left out. */
	until?: number;
	/** Whether to begin with a look instead of a pause. */
	atOnce?: boolean;
}

/**
 * Waits for all runs together: one question a tick for all of them, then each that has ended is read once.
 *
 * @param settle takes each outcome as soon as it is known; when it rejects, the waiting ends with that
 */
export async function waitForRuns<W extends Awaited>(
	runs: W[],
	settle: (run: W, outcome: Outcome) => Promise<void>,
	{ until = Infinity, atOnce = false }: WaitLimits = {},
): Promise<void> {
	const pending = new Map(runs.map((run) => [run, 'started']));
	let progress = Date.now();
	// A run whose time passed after its last look is looked at once more: left over, it would make a caller that waits
	// for its end come back at once, for ever, and nothing else in n8n would happen.
	const goesOn = () => Date.now() < until || [...pending.keys()].some(isOverdue);
	for (let first = atOnce; pending.size > 0 && (first || goesOn()); first = false) {
		if (!first) await pause([...pending.keys()], Date.now() - progress, until);
		await Promise.all(
			[...byScope(pending.keys()).values()].map(async (group) => {
				const unreachable = await lookAt(group, pending, async (run, outcome) => {
					pending.delete(run);
					progress = Date.now();
					await settle(run, outcome);
				});
				for (const run of group) {
					const lastStatus = pending.get(run);
					if (lastStatus === undefined || !isOverdue(run)) continue;
					pending.delete(run);
					await settle(run, { lastStatus, unreachable });
				}
			}),
		);
	}
}

/** When the time of a run is up, in epoch milliseconds. */
export const deadlineOf = ({ since, settings }: Pick<Awaited, 'since' | 'settings'>) =>
	since + settings.waitFor * MINUTE;

const isOverdue = (run: Awaited) => Date.now() >= deadlineOf(run);

/** Tells the user why the execution has not been paused. @param obstacle ends the sentence */
export const keptRunning = (obstacle: string) =>
	`n8n kept this execution running while it waited, as ${obstacle}`;

async function pause(runs: Awaited[], idle: number, until: number): Promise<void> {
	await runs[0].api.sleep(Math.min(pollInterval(idle), timeLeft(runs, until)));
}

/** Milliseconds until the first of the runs is out of time. */
const timeLeft = (runs: Awaited[], until = Infinity) =>
	Math.max(Math.min(until, ...runs.map(deadlineOf)) - Date.now(), 0);

/** Runs of different teams are in different lists of active runs. */
function byScope<W extends Awaited>(runs: Iterable<W>): Map<string, W[]> {
	const groups = new Map<string, W[]>();
	for (const run of runs) {
		groups.set(run.api.scope, [...(groups.get(run.api.scope) ?? []), run]);
	}
	return groups;
}

/**
 * One look at the runs of a scope.
 *
 * @returns why the service could not be asked just now; the runs go on and so does the waiting
 */
async function lookAt<W extends Awaited>(
	group: W[],
	statuses: Map<W, string>,
	ended: (run: W, outcome: Outcome) => Promise<void>,
): Promise<MaxunFault | undefined> {
	const [{ api }] = group;
	const within = timeLeft(group);
	let unreachable: MaxunFault | undefined;
	/** What was read, or undefined where only time is needed; any other fault is the run's outcome. */
	const tolerant = async <T>(reading: Promise<T>, concerned: W[]): Promise<T | undefined> =>
		await reading.catch(async (fault: unknown) => {
			if (!(fault instanceof MaxunFault)) throw fault;
			if (fault.transient) unreachable = fault;
			else for (const run of concerned) await ended(run, { fault });
			return undefined;
		});

	const active = api.runs.active
		? await tolerant(api.call(api.runs.active, Runs, within), group)
		: [];
	if (!active) return unreachable;
	const statusOf = new Map(active.map(({ id, status }) => [id, status]));
	for (const run of group) {
		const status = statusOf.get(run.runId);
		if (status) statuses.set(run, status);
	}
	// What is not active has ended, or stands on no list yet: only the run itself tells.
	const candidates = group.filter(({ runId }) => !statusOf.has(runId));
	await mapConcurrently(candidates, api.concurrency, async (candidate) => {
		const run = await tolerant(api.call(api.runs.read(candidate), Run, within), [candidate]);
		if (!run) return;
		if (hasEnded(run)) await ended(candidate, { ended: run });
		else statuses.set(candidate, run.status);
	});
	return unreachable;
}
