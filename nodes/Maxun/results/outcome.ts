import { messageOf } from '../http/response';
import type { Run } from '../servers/entities';
import type { Captured, Part } from './captured';
import { problemsOf } from './dataChecks';
import type { Hint } from './hint';
import { formOf } from './outputForms';
import { simplified } from './rows';
import { RunFault } from './runFault';
import { screenshotsOf } from './screenshots';
import { checkedParts } from './table';
import type { Item, OutcomeSettings, RunOutput } from './types';

/** What a run returns: items, or a fault, which may have items. `notes` become hints. */
export interface Outcome {
	items: Item[];
	notes: Array<Parameters<Hint>>;
	fault?: RunFault;
	/** Whether the user wants no items for such a run. */
	isLeftOut?: boolean;
}

/** What a run returns, according to its status, its data and the checks. The only place that decides this. */
export function outcome(captured: Captured, settings: OutcomeSettings): Outcome {
	const { run } = captured;
	const { subject = nameOf(run) } = settings;
	const notes: Outcome['notes'] = [];
	const note = (message: string) => notes.push([message, 1, subject]);
	fullLists(captured, settings.lists).forEach(note);
	if (run.isPartial === true) note(STOPPED_EARLY);
	if (run.status !== 'success') {
		if ((settings.onFailure ?? 'return') !== 'return') {
			return { items: [], notes, fault: failureOf(run, settings) };
		}
		if (settings.output !== 'raw') note(isNoSuccess(run));
		return { items: [runItem(captured, settings)], notes };
	}
	const isEmpty = capturedNothing(captured, settings.lists);
	if (isEmpty && settings.ifNoData === 'error') {
		return { items: [], notes, fault: noData(captured, settings) };
	}
	// An empty run lacks the columns for the same reason.
	const hint: Hint = isEmpty ? () => {} : (...given) => notes.push(given);
	const items = itemsIn(captured, settings, hint);
	if (isEmpty || items.length === 0) note(whatIsMissing(run, settings));
	if (isEmpty && settings.ifNoData === 'nothing') return { items: [], notes, isLeftOut: true };
	const isShort = items.length === 0 && (isEmpty || !settings.downloadScreenshots);
	const shown = isShort && settings.itemOfEmpty ? [{ json: settings.itemOfEmpty }] : items;
	return checked(captured, settings, { items: shown, notes });
}

function itemsIn(captured: Captured, settings: OutcomeSettings, hint: Hint): Item[] {
	const { isRun, make } = formOf(settings.output);
	if (settings.rows) return settings.rows.map((json) => ({ json }));
	if (isRun) return [runItem(captured, settings)];
	return make(captured, settings, hint).map((json) => ({ json }));
}

/** The item that stands for the run. */
const runItem = (captured: Captured, { output, itemOfRun }: OutcomeSettings): Item => ({
	json: itemOfRun ?? (output === 'raw' ? captured.run : simplified(captured)),
});

function checked(captured: Captured, settings: OutcomeSettings, made: Outcome): Outcome {
	const { output, dataChecks, columns, keepOtherColumns, usual } = settings;
	if (!dataChecks) return made;
	const table = formOf(output).hasColumns ? { columns, keepOtherColumns } : {};
	const problems = problemsOf(checkedParts(captured, { ...settings, ...table }), dataChecks, usual);
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
 * Whether a completed run has no rows, or only pages that could not be read. A self-hosted server reports success even
 * if it can't open a page. A screenshot counts as data.
 *
 * @param lists what the robot reads: single fields, such as a heading, don't count without the rows of a list
 */
export const capturedNothing = (
	{ run, parts }: Captured,
	lists: RunOutput['lists'] = [],
): boolean =>
	run.status === 'success' &&
	screenshotsOf(run).length === 0 &&
	!parts.some(({ kind }) => kind !== 'fields' || lists.length === 0);

/** Hints about lists with as many rows as they may have, because the page may have more. */
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
	`The run ended with status ${status} and has no rows, so the output describes the run`;

function whatIsMissing(run: Run, { lists, downloadScreenshots }: OutcomeSettings): string {
	if (!downloadScreenshots && screenshotsOf(run).length > 0)
		return "Only screenshots were captured. To return them, turn on 'Download Screenshots'";
	return lists?.length
		? "No row was captured. Maxun may not be able to open the page, or 'Row Selector' matches nothing"
		: 'No data was captured. Maxun may not be able to open the page';
}

const nameOf = ({ robotName, robotId }: Run) => `robot '${robotName ?? robotId ?? 'unknown'}'`;

/** What an error says about a run. */
type Words = Pick<OutcomeSettings, 'about' | 'advice'>;

const aboutOf = (run: Run, { about = `of ${nameOf(run)}` }: Words) => about;

const CHECK = 'Check the run in Maxun';

/** The fault for a completed run without data. */
export function noData({ run }: Captured, settings: Words): RunFault {
	const { advice = `${CHECK}. To continue anyway, change 'If No Data'` } = settings;
	return new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} captured no data`,
		`Maxun may not be able to open the page, or the page may have changed. ${advice}`,
		'no data',
		{ forModel: 'Try another page or robot, or tell the user that the page returned no data' },
	);
}

/** Why a run failed, in Maxun's words. */
export const reasonOf = ({ error }: Run) => messageOf({ error }) || 'Maxun gave no reason';

function failureOf(run: Run, settings: Words): RunFault {
	const { advice = `${CHECK}. To continue anyway, set 'On Failure' to 'Return the Run'` } =
		settings;
	const reason = reasonOf(run);
	return new RunFault(
		`Run ${run.id} ${aboutOf(run, settings)} ended with status ${run.status}`,
		`${reason}. ${advice}`,
		reason,
		{ reason, forModel: 'Try another page or robot, or tell the user the reason' },
	);
}
