import type { IDataObject } from 'n8n-workflow';
import { recover } from '../http/fault';
import { addressOf } from '../http/links';
import type { ListedRun, Run } from '../servers/entities';
import { startOf } from '../servers/dates';
import { capturedInTurns, isOfPages, type Captured, type Part } from './captured';
import { contentOf, groupedBy, rowId, type ChangeSettings } from './changes';
import { goodRun, type Runs } from './goodRun';

const MAX_RUNS = 20;

/** The last completed runs of a robot, newest first. @param until a time in UTC */
export const lastRuns = async (runs: Pick<Runs, 'list'>, robotId: string, until?: string) =>
	await runs.list(robotId, { status: ['success'], until }, MAX_RUNS + 1);

interface Baseline extends Captured {
	/** Whether it is the last completed run before the other run. */
	isPrevious: boolean;
}

/**
 * The run before a run: the last completed run with data. It also gets what it lacks from earlier runs: pages that it
 * could not read, lists without rows, and rows that it didn't reach. So neither a blocked page nor its return counts as a change.
 * @param known the last run with data. Read if none of the listed runs has data
 */
export async function runBefore(
	runs: Runs,
	robotId: string,
	later: Captured,
	settings: ChangeSettings,
	{
		listed,
		known = () => undefined,
	}: { listed?: ListedRun[]; known?: () => string | undefined } = {},
): Promise<Baseline | undefined> {
	let baseline: Baseline | undefined;
	for await (const captured of goodRunsBefore(runs, robotId, later.run, listed)) {
		baseline = baseline ? completed(baseline, captured, settings) : captured;
		if (baseline.run.isPartial) continue;
		if (!hasGaps(baseline, later)) return baseline;
	}
	const lastId = baseline ? undefined : known();
	const last = lastId && (await goodRunBefore(runs, robotId, later.run, lastId));
	return last ? { ...last, isPrevious: false } : baseline;
}

/**
 * A run to compare a later run with, if it still exists; otherwise, the last good run before the later run. What it
 * lacks comes from good runs before it.
 */
export async function knownRun(
	runs: Runs,
	robotId: string,
	runId: string,
	later: Captured,
	{ mayBeEmpty, ...settings }: ChangeSettings & { mayBeEmpty: boolean },
): Promise<Captured | undefined> {
	const found = await recover(runs.get(runId, [robotId]), { notFound: () => undefined });
	if (!found) return await runBefore(runs, robotId, later, settings);
	const known = await capturedInTurns(found);
	if (!found.isPartial && (mayBeEmpty || !hasGaps(known, later))) return known;
	const former = await runBefore(runs, robotId, known, settings);
	return former ? completed(known, former, settings) : known;
}

/** A run whose missing parts and rows come from an earlier run. */
function completed<C extends Captured>(run: C, former: Captured, settings: ChangeSettings): C {
	const own = filled(run, former);
	if (!run.run.isPartial) return own;
	const parts = own.parts.map((part) => {
		const same = partIn(former, part);
		return same && same !== part ? { ...part, rows: withUnreached(part, same, settings) } : part;
	});
	return { ...own, parts, run: { ...run.run, isPartial: former.run.isPartial } };
}

/** A run's rows, then earlier rows that it didn't reach. Without a key, only equal rows are the same. */
function withUnreached({ kind, rows }: Part, former: Part, settings: ChangeSettings) {
	const idOf = (row: IDataObject) => rowId(row, kind, settings) ?? contentOf(row, kind, settings);
	const own = groupedBy(rows, idOf);
	return [...rows, ...former.rows.filter((row) => own.get(idOf(row))?.pop() === undefined)];
}

export const partIn = (
	{ parts }: Pick<Captured, 'parts'>,
	{ kind, list }: Part,
): Part | undefined => parts.find((part) => part.kind === kind && part.list === list);

/** The last completed runs before a run that have all their data, newest first. Each is read when it is needed. */
export async function* goodRunsBefore(
	runs: Runs,
	robotId: string,
	run: Run,
	listed?: ListedRun[],
): AsyncGenerator<Baseline> {
	const all = listed ?? (await runsUntil(runs, robotId, run));
	const earlier = all.filter((other) => startedBefore(other, run)).slice(0, MAX_RUNS);
	for (const { id } of earlier) {
		const captured = await goodRunBefore(runs, robotId, run, id);
		if (captured) yield { ...captured, isPrevious: id === earlier[0].id };
	}
}

async function goodRunBefore(runs: Runs, robotId: string, run: Run, id: string) {
	const good = await goodRun(runs, robotId, id);
	return good && startedBefore(good.run, run) ? good : undefined;
}

const startedBefore = (other: ListedRun, run: Run): boolean =>
	other.id !== run.id && (startOf(other) ?? Infinity) <= (startOf(run) ?? 0);

/** A run in which pages that could not be read, and lists without rows, come from another run. */
function filled<C extends Captured>(captured: C, other: Captured): C {
	const isUnread = unreadIn(captured);
	const has = (part: Part) => partIn(captured, part) !== undefined;
	const missing = other.parts.flatMap((part) => {
		if (part.kind === 'rows') return captured.lists.includes(part.list) && !has(part) ? part : [];
		const rows = isOfPages(part) ? part.rows.filter(isUnread) : [];
		return rows.length > 0 ? { ...part, rows } : [];
	});
	const found = new Set(missing.filter(isOfPages).flatMap(({ rows }) => rows.map(urlIn)));
	const unread = captured.unread.filter((page) => !found.has(urlIn(page)));
	return { ...captured, parts: [...captured.parts, ...missing], unread };
}

const hasGaps = (run: Captured, other: Captured) =>
	filled(run, other).parts.length > run.parts.length;

const urlIn = (page: { url?: unknown }): string => addressOf(String(page.url ?? ''));

export function unreadIn({ unread }: Captured): (row: IDataObject) => boolean {
	const pages = new Set(unread.map(urlIn));
	return (row) => pages.size > 0 && pages.has(urlIn(row));
}

/** If a server's dates have no time zone, all runs are listed. */
async function runsUntil(runs: Runs, robotId: string, { startedAt }: Run): Promise<ListedRun[]> {
	const until = String(startedAt);
	return /^\d{4}-\d\d-\d\dT.*Z$/.test(until)
		? await lastRuns(runs, robotId, until)
		: await runs.list(robotId, { status: ['success'] }, Infinity);
}
