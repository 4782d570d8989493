import { mapConcurrently } from '../http/concurrency';
import { type MaxunFault, recover } from '../http/fault';
import { hasEnded, type Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { WaitEnd, PendingRun } from '../runs/types';
import { mayAppear } from '../runs/start';

/** Only Maxun's own response ends the wait for a run. A run that can't be read is polled even after its timeout. */
export async function pollRuns<R extends PendingRun>(
	runs: R[],
	onOutcome: (run: R, outcome: WaitEnd) => Promise<void>,
	noteStatus: (run: R, status: string) => number,
): Promise<void> {
	// Each team has its own list of active runs.
	const teams = [...new Set(runs.map(teamOf))];
	await mapConcurrently(teams, teams.length, async (team) => {
		const ofTeam = runs.filter((run) => teamOf(run) === team);
		const [{ context }] = ofTeam;
		const maxun = context.maxun.with({ maxWait: nextDeadline(ofTeam) - Date.now() });
		const active = activeStatuses(maxun);
		await mapConcurrently(ofTeam, context.concurrency, async (run) => {
			const outcome = waitEnd(run, await lookAt(maxun, run, active), noteStatus);
			if (outcome) await onOutcome(run, outcome);
		});
	});
}

const teamOf = ({ context }: PendingRun) => context.maxun.teamId;

/** Runs that are late already don't count. */
const nextDeadline = (runs: PendingRun[]) =>
	Math.min(
		...runs
			.flatMap(({ timeoutAt, context: { returnAt = Infinity } }) => [timeoutAt, returnAt])
			.filter((time) => time > Date.now()),
	);

type Seen = { ended: Run } | { status: string } | { fault: MaxunFault };

/** A run that isn't active has ended, or isn't listed yet. Only reading the run shows which. */
async function lookAt(
	maxun: MaxunServer,
	{ runId, robotId, startedAt }: PendingRun,
	active: Promise<Statuses>,
): Promise<Seen> {
	const looking = async () => {
		const status = (await active).get(runId);
		if (status !== undefined) return { status };
		const run = await maxun.runs.get(runId, [robotId]);
		return hasEnded(run) ? { ended: run } : { status: run.status };
	};
	return await recover(looking(), {
		notFound: (fault) => ({ fault: fault.with({ temporary: mayAppear(startedAt) }) }),
		any: (fault) => ({ fault }),
	});
}

/** Undefined if the execution continues to wait. `noteStatus` returns when the run times out. */
function waitEnd<R extends PendingRun>(
	run: R,
	look: Seen,
	noteStatus: (run: R, status: string) => number,
): WaitEnd | undefined {
	if ('ended' in look) return look;
	if ('fault' in look && !look.fault.temporary) return look;
	const now = Date.now();
	const isLate = 'status' in look && now >= noteStatus(run, look.status);
	const status = 'status' in look ? look.status : 'unknown';
	if (isLate) return { timedOut: status };
	return now >= (run.context.returnAt ?? Infinity) ? { early: status } : undefined;
}

type Statuses = Map<string, string>;

/** Empty if the server can't list them or no entry is readable, so that each run is read. */
async function activeStatuses({ runs }: MaxunServer): Promise<Statuses> {
	const active = await recover(Promise.resolve(runs.listActive?.() ?? []), {
		missingRoute: () => [],
		notFound: () => [],
		any: (fault) => {
			if (fault.status === 200) return [];
			throw fault;
		},
	});
	return new Map(active.map(({ id, status }) => [id, status]));
}
