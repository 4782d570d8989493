import { lacking, repairOf } from '../byExample/repair';
import { restRegularly } from '../http/concurrency';
import { recover } from '../http/fault';
import { firstOf } from '../http/text';
import { SECOND } from '../http/time';
import { isEmpty } from '../http/values';
import { capturedOf, type Captured } from '../results/captured';
import { lastGoodRun } from '../results/lastRun';
import type { ReadList } from '../servers/definition';
import type { Run } from '../servers/entities';
import { PAGE_HTML, readPage } from './pageHtml';
import { whenVisible } from './start';
import type { PageContext, PendingRun, Repair, Repaired } from './types';

/** How many of the last runs may be the last good one. */
const MOST_RUNS = 6;
/** How long Maxun may take to read the page. */
const MINUTES = 10;

/**
 * Repairs the selectors of a run's robot if the run lacks values that an earlier run has. At most once per execution.
 * If the next run lacks them, too, the robot gets its selectors back.
 * @returns what has changed, if the run should be started again
 */
export async function repairAfter(
	pending: PendingRun,
	ended: Run | undefined,
): Promise<Repaired | undefined> {
	const { context, settings, repaired } = pending;
	const { robotId, repairSelectors } = settings;
	if (!repairSelectors || !robotId || context.returnAt !== undefined) return undefined;
	const captured = ended && capturedOf(ended);
	const work = async () =>
		repaired
			? await confirm(pending, robotId, repaired, captured)
			: captured && (await sharedRepair(pending, robotId, captured));
	return await recover(work(), {
		any: ({ message }) => {
			context.hint(repaired?.changes ?? NOT_REPAIRED, 1, message);
			return undefined;
		},
	});
}

/** Undoes a repair that didn't help. Pages other than the robot's own may have no values. */
async function confirm(
	{ context, temporary }: PendingRun,
	robotId: string,
	{ changes, lists }: Repaired,
	captured: Captured | undefined,
): Promise<undefined> {
	const isUseless = ({ after, empty }: Repaired['lists'][number]) =>
		captured && empty.every((name) => lostIn([after], captured).includes(nameIn(after, name)));
	const useless = temporary ? [] : lists.filter(isUseless);
	const undo = async () => {
		for (const { before, after } of useless)
			await context.maxun.extractRobots.changeList(robotId, after, before);
	};
	// Other items may have the same robot.
	const shared: Pick<Repair, 'undone'> = context.repairs.get(robotId) ?? {};
	if (useless.length > 0) shared.undone ??= undo();
	await shared.undone;
	context.hint(shared.undone ? `${UNDONE}. ${changes}` : changes);
}

async function sharedRepair(
	{ context, settings }: PendingRun,
	robotId: string,
	captured: Captured,
): Promise<Repaired | undefined> {
	if (!isComplete(captured)) return undefined;
	const { maxun, repairs } = context;
	const repair: Repair = repairs.get(robotId) ?? { robot: maxun.extractRobots.readLists(robotId) };
	repairs.set(robotId, repair);
	const robot = await repair.robot;
	if (lostIn(robot.lists, captured).length === 0) return undefined;
	const limits = { delay: settings.delayBeforeStart, minutes: settings.timeoutMinutes };
	repair.result ??= repairRobot(context, { ...robot, id: robotId }, captured, limits);
	return await repair.result;
}

const isComplete = ({ run, unread }: Captured) =>
	run.status === 'success' && !run.isPartial && unread.length === 0;

/** The columns that have no value in a completed run. None if the run could not read everything. */
export function lostIn(lists: ReadList[], captured: Captured): string[] {
	if (!isComplete(captured)) return [];
	return lists.flatMap((list) => emptyIn(list, captured).map((name) => nameIn(list, name)));
}

const nameIn = (list: ReadList, column: string) => `${list.name} ${column}`;

/**
 * Changes the selectors of a robot with which a run has lost values. `delay` is in seconds before the page is read.
 * @throws Busy if no browser is free, MaxunFault if the page can't be read
 */
export async function repairRobot(
	context: PageContext,
	{ id, url, lists }: { id: string; url?: string; lists: ReadList[] },
	captured: Captured,
	{ delay, minutes = MINUTES }: { delay: number; minutes?: number },
): Promise<Repaired | undefined> {
	const { maxun, hint } = context;
	const lostBetween = (list: ReadList, before: Captured, after: Captured) =>
		emptyIn(list, after).length > emptyIn(list, before).length;
	const isGood = (run: Captured) => lists.some((list) => lostBetween(list, run, captured));
	const good = url === undefined ? undefined : await lastGoodRun(maxun, id, isGood, MOST_RUNS);
	if (!good || url === undefined) return undefined;
	await maxun.sleep(delay * SECOND);
	// A copy also knows the texts that the robot types.
	const page = await readPage(context, {
		...{ url, operation: 'repair', minutes: Math.min(minutes, MINUTES) },
		create: async (name) => await maxun.robots.duplicate(id, url, name),
		checkReady: async (copy) =>
			await whenVisible(maxun, async () => await maxun.extractRobots.addField(copy, PAGE_HTML)),
	});
	const lost = lists.filter((list) => lostBetween(list, good, page.captured));
	if (lost.length === 0) hint(NOT_REPAIRED, 1, 'another run on its own page has the values');
	const repaired: RepairedList[] = [];
	for (const list of lost) {
		const outcome = await repairList(context, { id, url, list }, good, page);
		if (typeof outcome === 'string') hint(NOT_REPAIRED, 1, outcome);
		else repaired.push(outcome);
	}
	if (repaired.length === 0) return undefined;
	const changes = repaired.flatMap(({ changed }) => changed);
	return {
		changes: `The page has changed. ${firstOf(changes, 20)}`,
		goodRunId: good.run.id,
		lists: repaired.map(({ before, after, empty }) => ({ before, after, empty })),
	};
}

type RepairedList = Repaired['lists'][number] & { changed: string[] };

/** @returns why the list stays as it is, if it does */
async function repairList(
	{ maxun, hint }: PageContext,
	{ id, url, list: before }: { id: string; url: string; list: ReadList },
	good: Captured,
	page: { html: string; captured: Captured },
): Promise<RepairedList | string> {
	const rest = restRegularly(maxun.sleep);
	const found = await repairOf(before, rowsOf(before, good), page.html, url, rest);
	if (typeof found === 'string') return found;
	const { list, unknown } = found;
	const empty = emptyIn(before, page.captured).filter((name) => !unknown.includes(name));
	const after = onlyLost(before, list, empty);
	const changed = changesOf(before, after);
	if (empty.length === 0) return lacking(unknown);
	if (changed.length === 0) return 'it has the right selectors already';
	if (unknown.length > 0) hint(PARTLY, 1, lacking(unknown));
	const stored = await maxun.extractRobots.changeList(id, before, after);
	return { before, after: stored, empty, changed };
}

export const NOT_REPAIRED = 'The robot lacks values that an earlier run has, and was not repaired';
const PARTLY = 'Some columns of the robot were not repaired';
const UNDONE =
	'The robot was repaired, but its next run lacks the values, too, so its earlier selectors are back';

/** A list's rows in a run. Maxun may omit the name of a list, or join all lists. */
const rowsOf = ({ name, columns }: ReadList, { parts }: Captured) =>
	parts
		.filter(({ kind, list }) => kind === 'rows' && (list === '' || list === name))
		.flatMap(({ rows }) => rows)
		.filter((row) => columns.some((column) => column.name in row));

function emptyIn(list: ReadList, captured: Captured): string[] {
	const rows = rowsOf(list, captured);
	const names = list.columns.map(({ name }) => name);
	return names.filter((name) => rows.every((row) => isEmpty(row[name])));
}

/** In rows that are read as before, columns with values keep their selectors. */
const onlyLost = (before: ReadList, after: ReadList, lost: string[]): ReadList =>
	before.rowSelector === after.rowSelector
		? {
				...after,
				columns: after.columns.map((column, at) =>
					lost.includes(column.name) ? column : before.columns[at],
				),
			}
		: after;

function changesOf(before: ReadList, after: ReadList): string[] {
	const pairs = [
		{ name: before.name, from: before.rowSelector, to: after.rowSelector },
		...after.columns.map(({ name, selector }, at) => ({
			...{ name, from: before.columns[at].selector, to: selector },
		})),
	];
	const shown = (selector: string) => (selector ? `\`${selector}\`` : 'the row');
	return pairs
		.filter(({ from, to }) => from !== to)
		.map(
			({ name, from, to }) => `'${name}' is now read with ${shown(to)} (before: ${shown(from)})`,
		);
}
