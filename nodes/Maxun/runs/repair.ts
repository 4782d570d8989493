import { lacking, repairOf } from '../byExample/repair';
import { restRegularly } from '../http/concurrency';
import { firstOf } from '../http/text';
import { isEmpty } from '../http/values';
import type { Captured } from '../results/captured';
import { lastGoodRun } from '../results/goodRun';
import { verdictOf } from '../results/verdict';
import type { ReadList } from '../servers/definition';
import type { RobotLists } from '../servers/types';
import { htmlOf, pageHtml } from './pageLesson';
import { whenVisible } from './start';
import { startTemporary } from './temporary';
import type { Learnt, Lesson, PendingRun, Repaired, RunContext, StartContext } from './types';

/** How many of the last runs to try as the last good run. */
const MOST_RUNS = 6;

/** Repairs the selectors of a robot whose last run lacks values that an earlier run has. */
export const repairLesson = (robotId: string): Lesson<RunContext> => ({
	key: `repair ${robotId}`,
	start: async (context, timeoutMinutes) => {
		const { maxun } = context;
		const { url = '' } = await listsOf(context, robotId);
		return await startTemporary(context, {
			operation: 'repair',
			timeoutMinutes,
			// A copy also contains the texts that the robot types.
			create: async (name) => await maxun.robots.duplicate(robotId, url, name),
			checkReady: async (copy) =>
				await whenVisible(
					maxun,
					async () => await maxun.extractRobots.addField(copy, pageHtml('body')),
				),
		});
	},
	learn: async (page, context) => {
		const { url = '', lists } = await context.maxun.extractRobots.readLists(robotId);
		const good = await lastGood(context, robotId, lists, page);
		return await repairLists(context, { id: robotId, url, lists }, good, page);
	},
});

/** Whether a completed run lacks values that an earlier run has, at least in this share of its rows. */
export async function canRepair(
	context: RunContext,
	robotId: string,
	captured: Captured,
	share = 0,
): Promise<boolean> {
	const { url, lists } = await listsOf(context, robotId);
	if (url === undefined || lostIn(lists, captured).length === 0) return false;
	return (await lastGood(context, robotId, lists, captured, share)) !== undefined;
}

/**
 * Gives the robot its earlier selectors if the first run after the repair still lacks the values. Pages other than the
 * robot's own may not have them.
 */
export async function undoUseless(
	{ context: { maxun, hint }, temporary, robotId }: PendingRun,
	repaired: Repaired,
	captured: Captured,
): Promise<void> {
	const useless = repaired.lists.filter(({ after, empty }) =>
		empty.every((name) => lostIn([after], captured).includes(titleIn(after, name))),
	);
	if (temporary || useless.length === 0 || repaired.isUndone) return;
	repaired.isUndone = true; // Other items may have the same robot.
	hint(`${UNDONE}. ${repaired.changes}`);
	for (const { before, after } of useless)
		await maxun.extractRobots.changeList(robotId, after, before);
}

/** Each robot is read once per execution. A repair doesn't change the names of its columns. */
async function listsOf({ maxun, lists }: RunContext, robotId: string): Promise<RobotLists> {
	const reading = lists.get(robotId) ?? maxun.extractRobots.readLists(robotId);
	lists.set(robotId, reading);
	reading.catch(() => lists.delete(robotId));
	return await reading;
}

const lastGood = async (
	{ maxun }: StartContext,
	robotId: string,
	lists: ReadList[],
	captured: Captured,
	share?: number,
) => {
	const isGood = (run: Captured) => lists.some((list) => lostBetween(list, run, captured, share));
	return await lastGoodRun(maxun, robotId, isGood, { most: MOST_RUNS });
};

function lostBetween(list: ReadList, before: Captured, after: Captured, share = 0): boolean {
	const rows = listRows(list, before);
	return emptyIn(list, after).some((name) => {
		const filled = rows.filter((row) => !isEmpty(row[name])).length;
		return filled > 0 && filled >= rows.length * share;
	});
}

/** The columns that have no value in a completed run. None if the run could not read everything. */
export function lostIn(lists: ReadList[], captured: Captured): string[] {
	if (!['good', 'empty'].includes(verdictOf(captured))) return [];
	return lists.flatMap((list) => emptyIn(list, captured).map((name) => titleIn(list, name)));
}

const titleIn = (list: ReadList, column: string) => `${list.name} ${column}`;

async function repairLists(
	{ maxun }: StartContext,
	{ id, url, lists }: { id: string; url: string; lists: ReadList[] },
	good: Captured | undefined,
	page: Captured,
): Promise<Pick<Learnt, 'hints' | 'repaired'>> {
	const html = htmlOf(page, url);
	const lost = good ? lists.filter((list) => lostBetween(list, good, page)) : [];
	if (!good || lost.length === 0)
		return { hints: [[NOT_REPAIRED, 1, 'another run on its own page has the values']] };
	const hints: Learnt['hints'] = [];
	const repaired: RepairedList[] = [];
	for (const list of lost) {
		const outcome = await repairList(maxun, { id, url, list }, good, { html, page }, hints);
		if (typeof outcome === 'string') hints.push([NOT_REPAIRED, 1, outcome]);
		else repaired.push(outcome);
	}
	if (repaired.length === 0) return { hints };
	const changes = repaired.flatMap(({ changed }) => changed);
	return {
		hints,
		repaired: {
			changes: `The page has changed. ${firstOf(changes, 20)}`,
			lists: repaired.map(({ before, after, empty }) => ({ before, after, empty })),
		},
	};
}

type RepairedList = Repaired['lists'][number] & { changed: string[] };

/** @returns why the list is kept unchanged, if it is */
async function repairList(
	maxun: StartContext['maxun'],
	{ id, url, list: before }: { id: string; url: string; list: ReadList },
	good: Captured,
	{ html, page }: { html: string; page: Captured },
	hints: Learnt['hints'],
): Promise<RepairedList | string> {
	const rest = restRegularly(maxun.sleep);
	const found = await repairOf(before, listRows(before, good), html, url, rest);
	if (typeof found === 'string') return found;
	const { list, unknown } = found;
	const empty = emptyIn(before, page).filter((name) => !unknown.includes(name));
	const after = onlyLost(before, list, empty);
	const changed = edits(before, after);
	if (empty.length === 0) return lacking(unknown);
	if (changed.length === 0) return 'it has the right selectors already';
	if (unknown.length > 0) hints.push([PARTLY, 1, lacking(unknown)]);
	const stored = await maxun.extractRobots.changeList(id, before, after);
	return { before, after: stored, empty, changed };
}

export const NOT_REPAIRED = 'Values of an earlier run are missing, and the robot was not repaired';
const PARTLY = 'Some columns of the robot were not repaired';
const UNDONE =
	'The robot was repaired, but its next run also lacks the values, so its earlier selectors were restored';

/** A list's rows in a run. Maxun may omit the name of a list, or join all lists. */
const listRows = ({ name, columns }: ReadList, { parts }: Captured) =>
	parts
		.filter(({ kind, list }) => kind === 'rows' && (list === '' || list === name))
		.flatMap(({ rows }) => rows)
		.filter((row) => columns.some((column) => column.name in row));

function emptyIn(list: ReadList, captured: Captured): string[] {
	const rows = listRows(list, captured);
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

function edits(before: ReadList, after: ReadList): string[] {
	const shown = (selector: string) => (selector ? `\`${selector}\`` : 'the row');
	const edit = (name: string, from: string, to: string) =>
		from === to ? [] : [`'${name}' is now read with ${shown(to)} (before: ${shown(from)})`];
	return [
		...edit(before.name, before.rowSelector, after.rowSelector),
		...after.columns.flatMap(({ name, selector }, at) =>
			edit(name, before.columns[at].selector, selector),
		),
	];
}
