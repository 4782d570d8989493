import { recover } from '../http/fault';
import { messageOf } from '../http/response';
import { counted, firstLine, firstOf } from '../http/text';
import { isText } from '../http/values';
import { ACTIVE, type Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { isOfPages, type Captured, type Part } from './captured';
import { isFilled, problemsOf, usualRows } from './dataChecks';
import type { Hint } from './hint';
import { formOf } from './outputForms';
import { rowsOf } from './rows';
import { RunFault } from './runFault';
import { screenshotsOf, withScreenshots } from './screenshots';
import { checkedParts, needsPage, type TableSettings } from './table';
import type { Item, OutcomeSettings, RunOutput, RunReader } from './types';

/** Items, or a fault, which may have items. `notes` become hints. */
export interface Outcome {
	items: Item[];
	notes: Array<Parameters<Hint>>;
	fault?: RunFault;
	isLeftOut?: boolean;
}

export async function itemsOf(
	reader: RunReader,
	captured: Captured,
	settings: OutcomeSettings,
): Promise<Item[]> {
	const { items, notes, fault, isLeftOut } = await outcomeOf(reader, captured, settings);
	if (fault) throw fault;
	for (const note of notes) reader.hint(...note);
	if (!settings.downloadScreenshots || isLeftOut) return items;
	return await withScreenshots(reader, captured, items, settings.address);
}

export async function outcomeOf(
	reader: Pick<RunReader, 'maxun' | 'hint' | 'usual'>,
	captured: Captured,
	settings: OutcomeSettings,
): Promise<Outcome> {
	const { run } = captured;
	const { output, dataChecks } = settings;
	const { hasColumns } = formOf(output);
	const isCompared = run.status === 'success' && dataChecks?.mostFewer !== undefined;
	const [base, usual] = await Promise.all([
		hasColumns ? pageOfLinks(reader.maxun, captured, settings) : undefined,
		isCompared ? usualRows(reader, run, hasColumns ? settings : {}) : undefined,
	]);
	return outcome(captured, { ...settings, base, usual });
}

/** The page that a run's relative links belong to: its only page, or its robot's. Reads the robot only if needed. */
export async function pageOfLinks(
	{ robots }: Pick<MaxunServer, 'robots'>,
	captured: Captured,
	settings: TableSettings & { address?: string },
): Promise<string | undefined> {
	const { address } = settings;
	const { robotId } = captured.run;
	if (address !== undefined || !robotId || !needsPage(captured, settings)) return address;
	// Without the robot, the links are null, and a hint says so.
	const robot = await recover(robots.get(robotId), { any: () => undefined });
	return isText(robot?.url) ? robot.url : undefined;
}

/** What a run returns, according to its status, its data and the checks. Nothing else decides this. */
export function outcome(captured: Captured, settings: OutcomeSettings): Outcome {
	const { run } = captured;
	const { subject = nameOf(run) } = settings;
	const notes: Outcome['notes'] = [];
	const note = (message: string) => notes.push([message, 1, subject]);
	fullLists(captured, settings.lists).forEach(note);
	const isEmpty = capturedNothing(captured, settings.lists);
	const unread = unreadPages(captured);
	if (unread !== undefined) note(unread);
	if (run.isPartial === true) note(STOPPED_EARLY);
	const isReturned = settings.returnsPartial && !isEmpty;
	if (run.status !== 'success' && isReturned)
		note(`${isNoSuccess(run)}, so its data is incomplete: ${reasonOf(run)}`);
	else if (run.status !== 'success') {
		if ((settings.onFailure ?? 'return') !== 'return') {
			return { items: [], notes, fault: failureOf(captured, settings) };
		}
		const rows = counted(rowsOf(captured).length, 'row');
		const where = isEmpty ? '' : `, with ${rows} in 'data'`;
		const output = settings.output === 'raw' ? 'raw' : 'simplified';
		if (output !== 'raw') note(`${isNoSuccess(run)}, so the output describes the run${where}`);
		return { items: itemsIn(captured, { ...settings, output }, () => {}), notes };
	}
	if (isEmpty && settings.ifNoData === 'error') {
		return { items: [], notes, fault: noData(captured, settings) };
	}
	// An empty run has no columns, so their hints would only repeat that.
	const hint: Hint = isEmpty ? () => {} : (...given) => notes.push(given);
	const items = itemsIn(captured, settings, hint);
	if (isEmpty || items.length === 0) note(whatIsMissing(captured, settings));
	if (isEmpty && settings.ifNoData === 'nothing') return { items: [], notes, isLeftOut: true };
	const isShort = items.length === 0 && (isEmpty || !settings.downloadScreenshots);
	const shown = isShort && settings.itemOfEmpty ? [{ json: settings.itemOfEmpty }] : items;
	return checked(captured, settings, { items: shown, notes });
}

function itemsIn(captured: Captured, settings: OutcomeSettings, hint: Hint): Item[] {
	const { rows, output, itemOfRun } = settings;
	const { isRun, make } = formOf(output);
	const made = isRun && itemOfRun ? [itemOfRun] : undefined;
	return (rows ?? made ?? make(captured, settings, hint)).map((json) => ({ json }));
}

function checked(captured: Captured, settings: OutcomeSettings, made: Outcome): Outcome {
	const { dataChecks, usual } = settings;
	if (!dataChecks) return made;
	const problems = problemsOf(checkedParts(captured, settings), dataChecks, usual);
	if (problems.length === 0) return made;
	const { run } = captured;
	const fault = new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} failed the data checks: ${problems.join('; ')}`,
		"The page may have changed. Check the run in Maxun. To continue with its rows, change 'If a Check Fails', or use the node's error output",
		'failed the data checks',
		{ forModel: 'Tell the user that the page may have changed' },
	);
	const { items } = made;
	const shown = items.length > 0 ? items : [{ json: { id: run.id, robotId: run.robotId } }];
	const marked = shown.map((item) => ({ ...item, json: { problems, ...item.json } }));
	fault.items = marked;
	fault.problems = problems;
	if (dataChecks.ifCheckFails === 'error') return { ...made, items: [], fault };
	const notes: Outcome['notes'] = [...made.notes, [fault.message]];
	const isLeftOut = dataChecks.ifCheckFails === 'nothing';
	return { items: isLeftOut ? [] : marked, notes, isLeftOut };
}

/**
 * Whether a run has no rows, or only pages that could not be read. A screenshot counts as data, except of such a page.
 * Single fields, such as a heading, don't count without rows of the lists that the robot reads.
 */
export const capturedNothing = (
	{ run, parts, unread }: Captured,
	lists: RunOutput['lists'] = [],
): boolean =>
	(unread.length > 0 || screenshotsOf(run).length === 0) &&
	!parts.some(
		({ kind, rows }) =>
			kind !== 'fields' ||
			(lists.every(({ isOptional }) => isOptional) &&
				rows.some((row) => Object.values(row).some(isFilled))),
	);

function unreadPages({ parts, unread }: Captured): string | undefined {
	const read = parts.filter(isOfPages).flatMap(({ rows }) => rows).length;
	const all = read + unread.length;
	if (unread.length === 0 || all === 1) return undefined;
	const reasons = unread.map(({ url = 'a page', reason }) => `${url} (${reason})`);
	return `${unread.length} of ${all} pages could not be read: ${firstOf(reasons, 3)}`;
}

export const fullLists = ({ parts }: Captured, lists: RunOutput['lists'] = []): string[] =>
	lists.flatMap(({ name, rowLimit }) => {
		const isIts = ({ kind, list }: Part) =>
			kind === 'rows' && (lists.length === 1 || list === name);
		return parts.some((part) => isIts(part) && part.rows.length === rowLimit)
			? `The list '${name}' has ${rowLimit} rows, which is its 'Max Rows'. The page may have more`
			: [];
	});

const STOPPED_EARLY = 'The run stopped early, so its data is incomplete';

const isNoSuccess = ({ status }: Run) =>
	`The run ${ACTIVE.includes(status) ? 'has the' : 'ended with'} status ${status}`;

function whatIsMissing({ run, unread }: Captured, settings: OutcomeSettings): string {
	const { lists, downloadScreenshots } = settings;
	if (unread.length === 1) return `The page could not be read: ${unread[0].reason}`;
	if (!downloadScreenshots && screenshotsOf(run).length > 0)
		return "Only screenshots were captured. To return them, turn on 'Download Screenshots'";
	return lists?.length
		? "No row was captured. Maxun may not be able to open the page, or 'Row Selector' matches nothing"
		: 'No data was captured. Maxun may not be able to open the page';
}

const nameOf = ({ robotName, robotId }: Run) => `robot '${robotName ?? robotId ?? 'unknown'}'`;

type Words = Pick<OutcomeSettings, 'about' | 'advice'>;

const aboutOf = (run: Run, { about = `of ${nameOf(run)}` }: Words) => about;

const CHECK = 'Check the run in Maxun';

export function noData({ run, unread }: Captured, settings: Words): RunFault {
	const { advice = `${CHECK}. To continue anyway, change 'If No Data'` } = settings;
	const reason = unread.at(0)?.reason;
	return new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} captured no data`,
		`${reason ?? 'Maxun may not be able to open the page, or the page may have changed'}. ${advice}`,
		reason ?? 'no data',
		{ forModel: 'Try another page or robot, or tell the user that the page returned no data' },
	);
}

export const reasonOf = ({ error }: Run) =>
	firstLine(messageOf({ error })) || 'Maxun gave no reason';

function failureOf(captured: Captured, settings: Words): RunFault {
	const { run } = captured;
	const { advice = `${CHECK}. To continue anyway, set 'On Failure' to 'Return the Run'` } =
		settings;
	const reason = reasonOf(run);
	const rows = rowsOf(captured);
	const found = `The run has captured ${counted(rows.length, 'row')}. To get ${rows.length === 1 ? 'it' : 'them'}, use Run: Get or the node's error output`;
	const fault = new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} ended with status ${run.status}`,
		[reason, ...(rows.length > 0 ? [found] : []), advice].join('. '),
		reason,
		{ reason, forModel: 'Try another page or robot, or tell the user the reason' },
	);
	fault.items = rows.map((json) => ({ json }));
	return fault;
}
