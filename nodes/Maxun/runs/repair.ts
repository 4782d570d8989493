import { repairOf } from '../byExample/repair';
import { restRegularly } from '../http/concurrency';
import { recover } from '../http/fault';
import { firstOf } from '../http/text';
import { SECOND } from '../http/time';
import { isEmpty } from '../http/values';
import { capturedOf, type Captured } from '../results/captured';
import type { Hint } from '../results/hint';
import { lastGoodRun } from '../results/lastRun';
import type { ReadList } from '../servers/definition';
import type { Run } from '../servers/entities';
import { PAGE_HTML, readPage, type PageContext } from './pageHtml';
import { whenVisible } from './start';
import type { PendingRun, Repair, Repaired } from './types';

/** How many of the last runs may be the last good one. */
const MOST_RUNS = 6;
/** How long Maxun may take to read the page. */
const MINUTES = 10;

/**
 * Repairs the selectors of a run's robot if the run lacks values that an earlier run has. At most once per execution.
 *
 * @returns what has changed, if the run should be started again
 */
export async function repairAfter(pending: PendingRun, ended: Run): Promise<string | undefined> {
	const { context, settings, repaired } = pending;
	const { robotId, repairSelectors, delayBeforeStart, timeoutMinutes } = settings;
	const { maxun, repairs, returnAt } = context;
	const isFirst = repaired === undefined && returnAt === undefined;
	if (!repairSelectors || !robotId || !isFirst) return undefined;
	const captured = capturedOf(ended);
	const repair: Repair = repairs.get(robotId) ?? {
		robot: Promise.resolve(maxun.extractRobots?.readLists(robotId)),
	};
	repairs.set(robotId, repair);
	const repairing = repair.robot.then(async (robot) => {
		if (!robot || lostIn(robot.lists, captured).length === 0) return undefined;
		const limits = { delay: delayBeforeStart, minutes: timeoutMinutes };
		repair.result ??= repairRobot(context, { ...robot, id: robotId }, captured, limits);
		return (await repair.result)?.changes;
	});
	return await recover(repairing, {
		any: ({ message }) => {
			context.hint(NOT_REPAIRED, 1, message);
			return undefined;
		},
	});
}

/** The columns that have no value in a completed run. None if the run could not read everything. */
export function lostIn(lists: ReadList[], captured: Captured): string[] {
	const { run, unread } = captured;
	if (run.status !== 'success' || run.isPartial || unread.length > 0) return [];
	return lists.flatMap((list) => emptyIn(list, captured).map((name) => `${list.name} ${name}`));
}

/**
 * Changes the selectors of a robot with which a run has lost values.
 *
 * @param delay seconds before the page is read
 * @param minutes how long reading the page may take, at most
 * @returns what has changed, if anything has
 * @throws Busy if no browser is free, MaxunFault if the page can't be read
 */
export async function repairRobot(
	context: PageContext & { hint: Hint },
	{ id, url, lists }: { id: string; url?: string; lists: ReadList[] },
	captured: Captured,
	{ delay, minutes }: { delay: number; minutes: number },
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
			await whenVisible(maxun, async () => await maxun.extractRobots?.addField(copy, PAGE_HTML)),
	});
	const lost = lists.filter((list) => lostBetween(list, good, page.captured));
	if (lost.length === 0) hint(NOT_REPAIRED, 1, 'another run on its own page has the values');
	const changes: string[] = [];
	for (const list of lost) {
		const rest = restRegularly(maxun.sleep);
		const found = await repairOf(list, rowsOf(list, good), page.html, url, rest);
		if (typeof found === 'string') {
			hint(NOT_REPAIRED, 1, found);
			continue;
		}
		const repaired = onlyLost(list, found, emptyIn(list, page.captured));
		const changed = changesOf(list, repaired);
		if (changed.length === 0) hint(NOT_REPAIRED, 1, 'it has the right selectors already');
		else await maxun.extractRobots?.changeList(id, list, repaired);
		changes.push(...changed);
	}
	if (changes.length === 0) return undefined;
	return { changes: `The page has changed. ${firstOf(changes, 20)}`, goodRunId: good.run.id };
}

export const NOT_REPAIRED = 'The robot lacks values that an earlier run has, and was not repaired';

/** A list's rows in a run. Maxun may omit the name of a list, or join all lists. */
const rowsOf = ({ name, columns }: ReadList, { parts }: Captured) =>
	parts
		.filter(({ kind, list }) => kind === 'rows' && (list === '' || list === name))
		.flatMap(({ rows }) => rows)
		.filter((row) => columns.some((column) => column.name in row));

/** A list's columns that have no value in a run. */
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
