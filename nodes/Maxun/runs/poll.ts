import { mapConcurrently } from '../http/concurrency';
import { recover, type MaxunFault } from '../http/fault';
import { hasEnded, type ListedRun } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { Outcome, PendingRun } from './types';
import { mayAppear } from './visible';

const MINUTE = 60_000;
const SHORTEST = 500;
const LONGEST = 30_000;

/**
 * Milliseconds until the next poll: a tenth of the time since a run last started or ended. The delay is at most 10%, and
 * hours of waiting cost few requests.
 */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, SHORTEST), LONGEST);

type Waiting = Pick<PendingRun, 'since' | 'settings'> & {
	context: Pick<PendingRun['context'], 'returnAt'>;
};

/** When the time of a run is up, or when its tool returns without it, in epoch milliseconds. */
export const deadlineOf = ({ since, settings, context }: Waiting) =>
	Math.min(since + settings.waitFor * MINUTE, context.returnAt ?? Infinity);

/** Whether a tool returns without a result now, although there is time left. */
export const returnsEarly = ({ since, settings, context: { returnAt = Infinity } }: Waiting) =>
	Date.now() >= returnAt && Date.now() < since + settings.waitFor * MINUTE;

/**
 * Looks at all runs once: one request for all of them, then one for each that has ended.
 *
 * @param onOutcome receives the outcome of each run that has ended, can't be read, or times out
 */
export async function pollRuns<R extends PendingRun>(
	runs: R[],
	onOutcome: (run: R, outcome: Outcome) => Promise<void>,
): Promise<void> {
	const teams = byTeam(runs);
	await mapConcurrently(teams, teams.length, async (team) => await pollTeam(team, onOutcome));
}

/** Each team has its own list of active runs. */
function byTeam<R extends PendingRun>(runs: R[]): R[][] {
	const teams = new Map<string | undefined, R[]>();
	for (const run of runs) {
		const { teamId } = run.context.maxun;
		const team = teams.get(teamId);
		if (team) team.push(run);
		else teams.set(teamId, [run]);
	}
	return [...teams.values()];
}

async function pollTeam<R extends PendingRun>(
	runs: R[],
	onOutcome: (run: R, outcome: Outcome) => Promise<void>,
): Promise<void> {
	const [{ context }] = runs;
	const timeLeft = Math.max(Math.min(...runs.map(deadlineOf)) - Date.now(), 0);
	const maxun = context.maxun.within(timeLeft);
	let unreachable: MaxunFault | undefined;
	/** Only Maxun's own refusal ends the wait, never the network or a proxy. */
	const outcomeOf = (fault: MaxunFault) => {
		if (!fault.temporary) return { fault };
		unreachable = fault;
		return undefined;
	};
	const statuses = new Map<string, string>();
	const read = async ({ runId, robotId, since, startedAt = since }: R) => {
		const reading = maxun.runs.get(runId, [robotId]).then((found): Outcome | undefined => {
			if (hasEnded(found)) return { ended: found };
			statuses.set(runId, found.status);
			return undefined;
		});
		return await recover(reading, {
			notFound: (fault) => (mayAppear(startedAt) ? undefined : { fault }),
			any: outcomeOf,
		});
	};
	const listed = await listActive(maxun);
	if ('active' in listed) for (const { id, status } of listed.active) statuses.set(id, status);
	const refusal = 'fault' in listed ? outcomeOf(listed.fault) : undefined;
	await mapConcurrently(runs, context.concurrency, async (run) => {
		// A run that isn't active has ended, or isn't listed yet. Only the run itself shows which.
		const isUnknown = 'active' in listed && !statuses.has(run.runId);
		const outcome = refusal ?? (isUnknown ? await read(run) : undefined);
		if (outcome) return await onOutcome(run, outcome);
		if (Date.now() < deadlineOf(run)) return;
		const lastStatus = statuses.get(run.runId) ?? 'started';
		await onOutcome(run, { lastStatus, unreachable });
	});
}

type Listed = { active: ListedRun[] } | { fault: MaxunFault };

/** The active runs; none if the server can't list them, so that each run is read. */
async function listActive({ runs }: MaxunServer): Promise<Listed> {
	const listing = runs.listActive?.() ?? Promise.resolve([]);
	const none = (): Listed => ({ active: [] });
	return await recover(
		listing.then((active): Listed => ({ active })),
		{ missingRoute: none, notFound: none, any: (fault): Listed => ({ fault }) },
	);
}
