import { resting } from '../http/concurrency';
import { recover } from '../http/fault';
import { messageOf } from '../http/response';
import { counted, firstLine, firstOf, sentences } from '../http/text';
import { isText } from '../http/values';
import { startOf } from '../servers/dates';
import { ACTIVE, type Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { isBlank, isOfPages, type Captured, type Part } from './captured';
import { formerRun, problemsOf, usualRows } from './dataChecks';
import type { Hint } from './hint';
import { lastGoodRun } from './goodRun';
import { formOf } from './outputForms';
import { ADVICE } from './pageState';
import { rowsOf } from './rows';
import { RunFault } from './runFault';
import { screenshotsOf, withScreenshots } from './screenshots';
import { checkedParts, needsPage, type TableSettings } from './table';
import type { Item, OutcomeSettings, RunOutput, RunReader } from './types';
import { capturedNothing, verdictOf, type Verdict } from './verdict';

/** Items, or a fault, which may have items. `notes` become hints. */
export interface Outcome {
	verdict: Verdict;
	items: Item[];
	notes: Array<Parameters<Hint>>;
	fault?: RunFault;
	isLeftOut?: boolean;
}

/** @throws RunFault if the run, or the node's settings, don't allow items */
export async function resultItems(
	reader: RunReader,
	captured: Captured,
	settings: OutcomeSettings,
): Promise<Pick<Outcome, 'items' | 'verdict'>> {
	const { verdict, items, notes, fault, isLeftOut } = await outcomeOf(reader, captured, settings);
	if (fault) throw fault;
	for (const note of notes) reader.hint(...note);
	if (!settings.downloadScreenshots || isLeftOut) return { items, verdict };
	return { items: await withScreenshots(reader, captured, items, settings.address), verdict };
}

export async function outcomeOf(
	reader: Pick<RunReader, 'maxun' | 'hint' | 'usual'>,
	captured: Captured,
	settings: OutcomeSettings,
): Promise<Outcome> {
	const { run } = captured;
	const { output, dataChecks } = settings;
	const { hasColumns } = formOf(output);
	const checks = run.status === 'success' ? dataChecks : undefined;
	const comparesValues = checks?.columnChecks.some(({ check }) => check === 'changesBy');
	const [base, usual, former, rowsBefore] = await Promise.all([
		hasColumns ? pageOfLinks(reader.maxun, captured, settings) : undefined,
		checks?.mostFewer !== undefined
			? usualRows(reader, run, hasColumns ? settings : {})
			: undefined,
		comparesValues ? (settings.former ?? formerRun(reader, run)) : undefined,
		mayHaveLost(captured, settings) ? rowsBeforeIt(reader, run) : undefined,
	]);
	return await outcome(captured, { rowsBefore, ...settings, base, usual, former });
}

/** Whether a new run may have lost its rows. Other pages of a robot may have none, and the user may accept this. */
const mayHaveLost = (
	captured: Captured,
	{ output, lists, ifNoData, onFailure, subject }: OutcomeSettings,
) =>
	formOf(output).isRows === true &&
	ifNoData === undefined &&
	onFailure !== undefined &&
	subject === undefined &&
	verdictOf(captured, lists) === 'empty';

/** Each attempt of Retry On Fail adds an empty run, and a page may be blocked for days. */
const RUNS_BEFORE = 10;

/** The number of rows of the last good run before an empty run. Read once for a robot. */
async function rowsBeforeIt(
	{ maxun, usual, hint }: Pick<RunReader, 'maxun' | 'hint' | 'usual'>,
	{ robotId, ...run }: Run,
): Promise<number | undefined> {
	if (!robotId) return undefined;
	const isGood = (other: Captured) => verdictOf(other) === 'good';
	const before = startOf(run);
	const reading = async () => {
		const good = await lastGoodRun(maxun, robotId, isGood, { most: RUNS_BEFORE, before });
		return good && rowsOf(good).length;
	};
	const key = JSON.stringify([maxun.teamId, robotId]);
	const counting = usual.get(key) ?? reading();
	usual.set(key, counting);
	return await recover(counting, {
		any: ({ message }): undefined =>
			void hint(`The node could not find out if an earlier run has rows: ${message}`),
	});
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

/** What a run returns, according to its status, its data and the checks, and nothing else. */
export async function outcome(captured: Captured, settings: OutcomeSettings): Promise<Outcome> {
	const { run } = captured;
	const { subject = nameOf(run), ifNoData, output } = settings;
	const notes: Outcome['notes'] = [];
	const note = (message: string) => notes.push([message, 1, subject]);
	fullLists(captured, settings.lists).forEach(note);
	const unread = unreadPages(captured);
	if (unread !== undefined) note(unread);
	if (run.isPartial === true) note(STOPPED_EARLY);
	const verdict = verdictOf(captured, settings.lists, settings.rowsBefore);
	const hasNothing = capturedNothing(captured, settings.lists);
	const isWorded =
		verdict === 'failed'
			? hasNothing || !settings.returnsPartial
			: verdict === 'refused' && settings.onFailure === 'return';
	if (isWorded) return await worded(captured, settings, { verdict, notes });
	if (verdict === 'failed')
		note(`${isNoSuccess(run)}, so its data is incomplete: ${reasonOf(run)}`);
	if (verdict === 'refused' || (hasNothing && ifNoData === 'error'))
		return { verdict, items: [], notes, fault: noData(captured, settings) };
	// An empty run has no columns, so hints about columns would only repeat that.
	const hint: Hint = hasNothing ? () => {} : (...given) => notes.push(given);
	const items = await itemsIn(captured, settings, hint);
	const lacking = hasNothing || items.length > 0 ? undefined : formOf(output).items;
	if (lacking && ifNoData === 'error') {
		const fault = noData({ ...captured, unread: [] }, settings, lacking);
		return { verdict, items: [], notes, fault };
	}
	if (hasNothing || (items.length === 0 && !settings.rows))
		note(lacking ? `No ${lacking} were found` : whatIsMissing(captured, settings));
	// Single values without the rows of a list are data that the user has paid for.
	const isFilled = captured.parts.some(({ kind, rows }) => rows.some((row) => !isBlank(row, kind)));
	const isDescribed = isFilled || !formOf(output).isRows;
	const isLeftOut =
		!settings.rows?.length && (ifNoData ?? (isDescribed ? 'item' : 'nothing')) === 'nothing';
	if (hasNothing && isLeftOut) {
		const nothing = { verdict, items: [], notes, isLeftOut };
		return ifNoData === 'nothing' ? nothing : await checked(captured, settings, nothing);
	}
	const isEmpty = hasNothing || lacking !== undefined;
	const isShort = items.length === 0 && (isEmpty || !settings.downloadScreenshots);
	const isShown = isShort && settings.itemOfEmpty && (!isEmpty || ifNoData === 'item');
	const shown = isShown ? [{ json: settings.itemOfEmpty ?? {} }] : items;
	return await checked(captured, settings, { verdict, items: shown, notes });
}

/** A failed run, or the item that describes it. */
async function worded(
	captured: Captured,
	settings: OutcomeSettings,
	made: Pick<Outcome, 'verdict' | 'notes'>,
): Promise<Outcome> {
	const { run } = captured;
	const { subject = nameOf(run), lists } = settings;
	if ((settings.onFailure ?? 'return') !== 'return') {
		return { ...made, items: [], fault: failureOf(captured, settings) };
	}
	const rows = counted(rowsOf(captured).length, 'row');
	const where = capturedNothing(captured, lists) ? '' : `, with ${rows} in 'data'`;
	const output = settings.output === 'raw' ? 'raw' : 'simplified';
	const refused = made.verdict === 'refused' ? whyRefused(captured, settings) : undefined;
	const why = refused ?? isNoSuccess(run);
	if (output !== 'raw')
		made.notes.push([`${why}, so the output describes the run${where}`, 1, subject]);
	return { ...made, items: await itemsIn(captured, { ...settings, output }, () => {}) };
}

async function itemsIn(captured: Captured, settings: OutcomeSettings, hint: Hint): Promise<Item[]> {
	const { rows, output, itemOfRun } = settings;
	const { isRun, make } = formOf(output);
	const made = isRun && itemOfRun ? [itemOfRun] : undefined;
	const shown = rows ?? made ?? (await make(captured, settings, hint, resting()));
	return shown.map((json) => ({ json }));
}

async function checked(
	captured: Captured,
	settings: OutcomeSettings,
	made: Outcome,
): Promise<Outcome> {
	const { dataChecks, usual, former } = settings;
	if (!dataChecks) return made;
	const rest = resting();
	const unconverted = { ...settings, ignoreConversionErrors: true };
	const parts = await checkedParts(captured, settings, rest);
	const problems = await problemsOf(parts, dataChecks, rest, usual, {
		unconverted: await checkedParts(captured, unconverted, rest),
		former: former && (await checkedParts(former, unconverted, rest)),
	});
	if (problems.length === 0) return made;
	const { run } = captured;
	const fault = new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} failed the data checks: ${problems.join('; ')}`,
		"The page may have changed. Check the run in Maxun. To continue with its rows, change 'If a Check Fails', or use the node's error output",
		'failed the data checks',
		{ forModel: 'Tell the user that the page may have changed' },
	);
	const shown: Item[] =
		made.items.length > 0 ? made.items : [{ json: { id: run.id, robotId: run.robotId } }];
	fault.items = shown.map((item) => ({ ...item, json: { problems, ...item.json } }));
	fault.problems = problems;
	const verdict = 'failsChecks';
	if (dataChecks.ifCheckFails === 'error') return { ...made, verdict, items: [], fault };
	const isLeftOut = dataChecks.ifCheckFails === 'nothing';
	const notes: Outcome['notes'] = [...made.notes, [fault.message]];
	return { verdict, items: isLeftOut ? [] : fault.items, notes, isLeftOut };
}

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

function whatIsMissing({ run }: Captured, settings: OutcomeSettings): string {
	const { lists, downloadScreenshots } = settings;
	if (!downloadScreenshots && screenshotsOf(run).length > 0)
		return "Only screenshots were captured. To return them, turn on 'Download Screenshots'";
	return lists?.length
		? "No row was captured. Maxun may not be able to open the page, or 'Row Selector' does not match anything"
		: 'No data was captured. Maxun may not be able to open the page';
}

const nameOf = ({ robotName, robotId }: Run) => `robot '${robotName ?? robotId ?? 'unknown'}'`;

type Words = Pick<OutcomeSettings, 'about' | 'advice'>;

const aboutOf = (run: Run, { about = `of ${nameOf(run)}` }: Words) => about;

const CHECK = 'Check the run in Maxun';
const FOR_MODEL = 'Try another page or robot, or tell the user the reason';

/** The fault of a run that is empty or was refused. @param lacking what was not found on a page that was read */
export function noData(
	captured: Captured,
	settings: Words & { rowsBefore?: number },
	lacking?: string,
): RunFault {
	const { run, unread } = captured;
	const [page] = unread;
	const why = whyRefused(captured, settings);
	const [happened, short] = page
		? ['could not read the page', page.reason]
		: why
			? ['lost its rows', 'no rows']
			: lacking
				? [`found no ${lacking}`, `no ${lacking}`]
				: ['captured no data', 'no data'];
	const anyway = page
		? "To get the run anyway, set 'On Failure' to 'Return the Run'"
		: "To continue without data, set 'If No Data' to 'Return Nothing'";
	const { advice = `${CHECK}. ${anyway}` } = settings;
	return new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} ${happened}`,
		sentences(
			why ??
				(lacking ? '' : 'Maxun may not be able to open the page, or the page may have changed'),
			page && ADVICE[page.kind],
			advice,
		),
		short,
		{ reason: page?.reason, forModel: FOR_MODEL },
	);
}

/** Undefined if an empty run isn't suspicious. */
function whyRefused({ unread: [page] }: Captured, { rowsBefore = 0 }: { rowsBefore?: number }) {
	if (page) return `The page could not be read: ${page.reason}`;
	if (rowsBefore === 0) return undefined;
	const before = rowsBefore === Infinity ? 'some' : counted(rowsBefore, 'row');
	return `The run did not capture any rows, but an earlier run has ${before}`;
}

export const reasonOf = ({ error }: Run, unknown = 'Maxun did not say why') =>
	firstLine(messageOf({ error })) || unknown;

function failureOf(captured: Captured, settings: Words): RunFault {
	const { run } = captured;
	const { advice = `${CHECK}. To continue anyway, set 'On Failure' to 'Return the Run'` } =
		settings;
	const reason = reasonOf(run);
	const rows = rowsOf(captured);
	const found = `The run has captured ${counted(rows.length, 'row')}. To get ${rows.length === 1 ? 'it' : 'them'}, use Run: Get or the node's error output`;
	const fault = new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} ended with status ${run.status}`,
		sentences(reason, rows.length > 0 ? found : '', advice),
		reason,
		{ reason, forModel: FOR_MODEL },
	);
	fault.items = rows.map((json) => ({ json }));
	return fault;
}
