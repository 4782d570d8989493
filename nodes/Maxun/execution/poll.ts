import { mapConcurrently } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import { hasEnded, type ListedRun } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { deadlineOf } from '../runs/timing';
import type { Outcome, PendingRun } from '../runs/types';
import { mayAppear } from '../runs/visible';

/**
 * Polls all runs: one request for all of them, then one for each that has ended.
 *
 * @param onOutcome receives the outcome of each run that has ended, can't be read, or times out
 * @param onActive receives the status of each run that the execution is waiting for
 */
export async function pollRuns<R extends PendingRun>(
	runs: R[],
	onOutcome: (run: R, outcome: Outcome) => Promise<void>,
	onActive: (run: R, status: string) => void = () => undefined,
): Promise<void> {
	// Each team has its own list of active runs.
	const teams = [...new Set(runs.map(teamOf))];
	await mapConcurrently(teams, teams.length, async (team) => {
		await pollTeam(
			runs.filter((run) => teamOf(run) === team),
			onOutcome,
			onActive,
		);
	});
}

const teamOf = ({ context }: PendingRun) => context.maxun.teamId;

async function pollTeam<R extends PendingRun>(
	runs: R[],
	onOutcome: (run: R, outcome: Outcome) => Promise<void>,
	onActive: (run: R, status: string) => void,
): Promise<void> {
	const [{ context }] = runs;
	const maxWait = Math.max(Math.min(...runs.map(deadlineOf)) - Date.now(), 0);
	const maxun = context.maxun.with({ maxWait });
	const active = await activeStatuses(maxun);
	await mapConcurrently(runs, context.concurrency, async (run) => {
		const outcome = await outcomeOf(maxun, run, active);
		const isActive = 'lastStatus' in outcome && Date.now() < deadlineOf(run);
		if (isActive) onActive(run, outcome.lastStatus);
		else await onOutcome(run, outcome);
	});
}

/** A run that isn't active has ended, or isn't listed yet. Only reading the run shows which. */
async function outcomeOf(
	maxun: MaxunServer,
	{ runId, robotId, startedAt }: PendingRun,
	active: Statuses | MaxunFault,
): Promise<Outcome> {
	if (active instanceof MaxunFault) return afterFault(active);
	const lastStatus = active.get(runId);
	if (lastStatus !== undefined) return { lastStatus };
	const reading = maxun.runs.get(runId, [robotId]);
	return await recover(
		reading.then((run) => (hasEnded(run) ? { ended: run } : { lastStatus: run.status })),
		{
			notFound: (fault) => (mayAppear(startedAt) ? { lastStatus: UNKNOWN } : { fault }),
			any: afterFault,
		},
	);
}

const UNKNOWN = 'unknown';

/** Only Maxun's own rejection ends the wait. A network or proxy error doesn't. */
const afterFault = (fault: MaxunFault): Outcome =>
	fault.temporary ? { lastStatus: UNKNOWN, unreachable: fault } : { fault };

type Statuses = Map<string, string>;

/**
 * The statuses of the active runs. Empty if the server can't list them or no entry is readable, so that each run is
 * read.
 */
async function activeStatuses({ runs }: MaxunServer): Promise<Statuses | MaxunFault> {
	const listing = Promise.resolve(runs.listActive?.() ?? []);
	const active = await recover<ListedRun[], ListedRun[] | MaxunFault>(listing, {
		missingRoute: () => [],
		notFound: () => [],
		any: (fault) => (fault.status === 200 ? [] : fault),
	});
	if (active instanceof MaxunFault) return active;
	return new Map(active.map(({ id, status }) => [id, status]));
}
