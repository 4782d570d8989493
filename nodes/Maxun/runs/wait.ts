import { mapConcurrently } from '../http/concurrency';
import { recover, type MaxunFault } from '../http/fault';
import { hasEnded } from '../servers/entities';
import type { Outcome, PendingRun } from './types';
import { mayAppear } from './visible';

const MINUTE = 60_000;
const SHORTEST = 500;
const LONGEST = 30_000;

/**
 * Milliseconds until the next poll: a tenth of the time since a run last ended. The delay is at most 10%, and hours of
 * waiting cost few requests.
 */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, SHORTEST), LONGEST);

/** How long to wait. */
export interface WaitLimits {
	/** When to stop, in epoch milliseconds; never if undefined. A run whose time is up gets its outcome first. */
	until?: number;
	/** Whether to poll immediately. */
	atOnce?: boolean;
}

/** The deadline of a run, in epoch milliseconds. */
export const deadlineOf = ({ since, settings }: Pick<PendingRun, 'since' | 'settings'>) =>
	since + settings.waitFor * MINUTE;

const isOverdue = (run: PendingRun) => Date.now() >= deadlineOf(run);

/** The hint that says why the execution was not paused. @param reason ends the sentence */
export const notPaused = (reason: string) =>
	`n8n kept this execution running while it waited, because ${reason}`;

/**
 * Waits for all runs together: each poll sends one request for all of them, then one per ended run.
 *
 * @param runs may grow meanwhile: the next poll includes new runs
 * @param onOutcome receives each outcome as soon as it is known. If it rejects, waiting stops with that error
 */
export async function waitForRuns(
	runs: Iterable<PendingRun>,
	onOutcome: (run: PendingRun, outcome: Outcome) => Promise<void>,
	{ until = Infinity, atOnce = false }: WaitLimits = {},
): Promise<void> {
	const statuses = new Map<PendingRun, string>();
	const finished = new Set<PendingRun>();
	const pending = () => [...runs].filter((run) => !finished.has(run));
	let progress = Date.now();
	const finish = async (run: PendingRun, outcome: Outcome) => {
		finished.add(run);
		await onOutcome(run, outcome);
	};
	const end = async (run: PendingRun, outcome: Outcome) => {
		progress = Date.now();
		await finish(run, outcome);
	};
	// A run whose time passed after its last poll gets one more. Otherwise, callers that wait for its deadline would loop
	// forever.
	const continues = () => Date.now() < until || pending().some(isOverdue);
	for (let first = atOnce; pending().length > 0 && (first || continues()); first = false) {
		if (!first) await pause(pending(), Date.now() - progress, until);
		const teams = byTeam(pending());
		await mapConcurrently(teams, teams.length, async (group) => {
			const unreachable = await lookAt(group, statuses, end);
			const overdue = group.filter((run) => !finished.has(run) && isOverdue(run));
			await mapConcurrently(overdue, group[0].context.concurrency, async (run) => {
				await finish(run, { lastStatus: statuses.get(run) ?? 'started', unreachable });
			});
		});
	}
}

async function pause(runs: PendingRun[], idle: number, until: number): Promise<void> {
	const [{ context }] = runs;
	await context.maxun.sleep(Math.min(pollInterval(idle), timeLeft(runs, until)));
}

/** Milliseconds until the earliest deadline, or until `until`. */
const timeLeft = (runs: PendingRun[], until = Infinity) =>
	Math.max(Math.min(until, ...runs.map(deadlineOf)) - Date.now(), 0);

/** Each team has its own list of active runs. */
function byTeam(runs: Iterable<PendingRun>): PendingRun[][] {
	const groups = new Map<string | undefined, PendingRun[]>();
	for (const run of runs) {
		const { teamId } = run.context.maxun;
		groups.set(teamId, [...(groups.get(teamId) ?? []), run]);
	}
	return [...groups.values()];
}

/**
 * Polls the runs of a team once.
 *
 * @returns why the server could not be reached; waiting continues anyway
 */
async function lookAt(
	group: PendingRun[],
	statuses: Map<PendingRun, string>,
	finish: (run: PendingRun, outcome: Outcome) => Promise<void>,
): Promise<MaxunFault | undefined> {
	const [{ context }] = group;
	const maxun = context.maxun.within(timeLeft(group));
	let unreachable: MaxunFault | undefined;
	/** Undefined if the server is unreachable now. Any other fault is the outcome of the runs concerned. */
	const tolerant = async <T>(reading: Promise<T>, concerned: PendingRun[]) =>
		await recover(reading, {
			transient: (fault) => {
				unreachable = fault;
				return undefined;
			},
			any: async (fault) => {
				await mapConcurrently(concerned, context.concurrency, async (run) => {
					await finish(run, { fault });
				});
				return undefined;
			},
		});

	// Without a list, each run is read.
	const listing = recover(maxun.runs.listActive?.() ?? Promise.resolve([]), { notFound: () => [] });
	const active = await tolerant(listing, group);
	if (!active) return unreachable;
	const statusOf = new Map(active.map(({ id, status }) => [id, status]));
	for (const run of group) {
		const status = statusOf.get(run.runId);
		if (status) statuses.set(run, status);
	}
	// A run that isn't active has ended, or isn't listed yet. Only the run itself shows which.
	const candidates = group.filter(({ runId }) => !statusOf.has(runId));
	await mapConcurrently(candidates, context.concurrency, async (candidate) => {
		const { runId, robotId, since, confirmedAt = since } = candidate;
		const reading = maxun.runs.get(runId, [robotId]);
		const run = await tolerant(
			mayAppear(confirmedAt) ? recover(reading, { notFound: () => undefined }) : reading,
			[candidate],
		);
		if (!run) return;
		if (hasEnded(run)) await finish(candidate, { ended: run });
		else statuses.set(candidate, run.status);
	});
	return unreachable;
}
