import type { Rest } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import { quoted } from '../http/text';
import type { ListedRun, Run } from '../servers/entities';
import { startOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { changesOf, columnsIn, missingIn, type Change, type ChangeSettings } from './changes';
import type { Hint } from './hint';
import { capturedNothing } from './noData';
import { partsOf, type Part } from './rows';

type Runs = Pick<MaxunServer['runs'], 'get' | 'list'>;

/** Maximum number of runs to read until one has data. */
const MAX_RUNS = 20;

/** The last completed runs of a robot, newest first. @param until a time in UTC */
export const lastRuns = async (runs: Pick<Runs, 'list'>, robotId: string, until?: string) =>
	await runs.list(robotId, { status: ['success'], until }, MAX_RUNS + 1);

/**
 * The previous run of a run: the last completed one with all its data. So if a page was blocked for a few days, neither
 * the block nor its end counts as a change.
 *
 * @param listed the last runs, if they are known
 * @param startedAfter runs that started by then don't count, in milliseconds of the server's clock
 */
export async function runBefore(
	runs: Runs,
	robotId: string,
	run: Run,
	listed?: ListedRun[],
	startedAfter = 0,
): Promise<Run | undefined> {
	const start = startOf(run) ?? 0;
	const isBefore = (other: ListedRun) =>
		other.id !== run.id &&
		(startOf(other) ?? Infinity) <= start &&
		(startedAfter === 0 || (startOf(other) ?? 0) > startedAfter);
	const candidates = (listed ?? (await runsUntil(runs, robotId, run))).filter(isBefore);
	for (const { id } of candidates.slice(0, MAX_RUNS)) {
		const read = await recover(runs.get(id, [robotId]), { notFound: () => undefined });
		if (read?.status === 'success' && !read.isPartial && !capturedNothing(read)) return read;
	}
	return undefined;
}

/** The last runs up to the start of a run. If a server's dates have no time zone, all of them are listed. */
async function runsUntil(runs: Runs, robotId: string, { startedAt }: Run): Promise<ListedRun[]> {
	const until = String(startedAt);
	return /^\d{4}-\d\d-\d\dT.*Z$/.test(until)
		? await lastRuns(runs, robotId, until)
		: await runs.list(robotId, { status: ['success'] }, Infinity);
}

/**
 * The changes between two runs. Rows that a partial run didn't reach don't count as removed.
 *
 * @throws MaxunFault if a run lacks a key column
 */
export async function changesBetween(
	earlier: Run,
	later: Run,
	settings: ChangeSettings,
	rest: Rest,
	hint: Hint,
): Promise<Change[]> {
	const [before, after] = [partsOf(earlier), partsOf(later)];
	checkColumns(earlier, before, later, after, settings, hint);
	const found = await changesOf(before, after, settings, rest);
	const changes = later.isPartial ? found.filter(({ change }) => change !== 'removed') : found;
	if (changes.length < found.length) {
		hint(`Run ${later.id} stopped early, so rows that it did not reach do not count as removed`);
	}
	const has = (change: Change['change']) =>
		changes.some((entry) => entry.kind === 'rows' && entry.change === change);
	if (!settings.key?.length && has('added') && has('removed')) hint(NO_KEY);
	return changes;
}

const NO_KEY =
	"Without 'Key Column Names or IDs', a row that changed counts as one that was removed and one that was added. Select a column that identifies a row, such as an SKU";

function checkColumns(
	earlier: Run,
	before: Part[],
	later: Run,
	after: Part[],
	{ key = [], ignore = [] }: ChangeSettings,
	hint: Hint,
) {
	const all = [...before, ...after];
	const unknown = missingIn(all, key);
	if (unknown.length > 0) {
		throw new MaxunFault(
			`No row has the key column ${quoted(unknown)}`,
			`Change 'Key Column Names or IDs'. The columns are ${quoted(columnsIn(all))}`,
			{ forModel: `Call the tool again with other key columns: ${quoted(columnsIn(all))}` },
		);
	}
	for (const [run, parts] of [
		[earlier, before],
		[later, after],
	] as const) {
		const missing = missingIn(parts, key);
		if (missing.length === 0 || parts.length === 0) continue;
		throw new MaxunFault(
			`Run ${run.id} has no key column ${quoted(missing)}`,
			`The robot's columns were probably renamed between the runs. This run has the columns ${quoted(columnsIn(parts))}. Compare runs with the same columns`,
		);
	}
	const ignored = missingIn(all, ignore);
	if (ignored.length > 0) {
		hint(
			`No row has the ignored column ${quoted(ignored)}. The columns are ${quoted(columnsIn(all))}`,
		);
	}
}
