import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { counted, sentences, wordsOf } from '../http/text';
import { MINUTE } from '../http/time';
import { isObject, nameIn, omitFields, valueAt } from '../http/values';
import { capturedInTurns, type Captured } from '../results/captured';
import { reasonOf, resultItems } from '../results/outcome';
import { capturedNothing, isUsable, type Verdict } from '../results/verdict';
import { PAGE_URL } from '../results/rows';
import { RunFault } from '../results/runFault';
import type { Item } from '../results/types';
import { ACTIVE, type Run } from '../servers/entities';
import { changesSince, type RowsFound } from './changes';
import { deleteReadRobot, deleteRobot } from './temporary';
import type { Learnt, PendingRun, StartedRun, WaitEnd, WaitSettings } from './types';

export interface RunItems {
	items: Item[];
	/** Undefined if the run hasn't ended, or only reads a page for a lesson. */
	verdict?: Verdict;
	learnt?: Omit<Learnt, 'at'>;
}

type Ended = Exclude<WaitEnd, { early: string }>;

/**
 * The result of a run that has ended. Cancels a run that times out if the settings say so, and deletes its temporary
 * robot. @param read makes the result of the data
 */
export async function resultOf(
	run: PendingRun,
	outcome: Ended,
	read: (captured: Captured) => Promise<RunItems>,
): Promise<RunItems | { error: unknown; continues: boolean }> {
	const { context, robotId, temporary, lasting, settings } = run;
	const captured =
		'ended' in outcome ? await capturedInTurns(shownRun(run, outcome.ended)) : undefined;
	const making = captured ? read(captured) : itemsWithoutData(run, outcome);
	const result = await making.catch((error: unknown) => ({ error: naming(error, run, outcome) }));
	if ('items' in result) {
		if (temporary && !isWorthKeeping(settings, result.verdict))
			await deleteRobot(context, { kind: temporary, robotId });
		else if ('ended' in outcome) await deleteReadRobot(context, outcome.ended);
		return result;
	}
	const { error } = result;
	const { isLastAttempt } = context;
	const hasData =
		captured !== undefined &&
		!run.lesson &&
		(captured.run.status === 'success' || settings.subject !== undefined) &&
		!capturedNothing(captured, settings.lists);
	// Another attempt would run the robot again.
	const isFinal = error instanceof RunFault;
	const continues = captured === undefined || (hasData && !isFinal);
	if (continues && !isLastAttempt) return { error, continues };
	const isLost = hasData && !(isFinal && !isLastAttempt);
	const isUnread =
		isLost ||
		('fault' in outcome && !outcome.fault.isNotFound) ||
		('timedOut' in outcome && !ACTIVE.includes(outcome.timedOut));
	if (isUnread && temporary) return { error: unread(error, run), continues: false };
	// Each attempt creates a robot. Only the last robot is kept.
	const kind = temporary ?? (isLastAttempt ? undefined : lasting);
	if (kind) await deleteRobot(context, { kind, robotId });
	return { error, continues: false };
}

/** Whether the robot is kept for the next executions, which need not return the run's data again. */
export const isWorthKeeping = (
	{ keeping, ifNoData, dataChecks }: WaitSettings,
	verdict?: Verdict,
): boolean =>
	keeping !== undefined &&
	(isUsable(verdict) ||
		(verdict === 'empty' && ifNoData !== undefined) ||
		(verdict === 'failsChecks' && dataChecks?.ifCheckFails === 'items'));

function shownRun({ settings, duplicateOf, fileName }: PendingRun, ended: Run): Run {
	// The temporary robot is deleted, and the next robot has another ID.
	const source = settings.output === 'documents' ? (duplicateOf ?? fileName) : duplicateOf;
	const isShown = source !== undefined && settings.output !== 'raw';
	const error = ended.status === 'success' ? {} : { error: reasonOf(ended) };
	return { ...ended, ...(isShown && { robotId: source }), ...error };
}

/** Where to find the data of a run that could not be read. */
export const unreadRun = ({ robotId, runId }: StartedRun) =>
	`The temporary robot ${robotId} remains in Maxun until the time in its name has passed. Until then, Run: Get can return run ${runId}`;

export function unread(error: unknown, run: StartedRun): unknown {
	if (!run.temporary) return error;
	const sentence = unreadRun(run);
	const message = wordsOf(error);
	const short = sentences(message, sentence);
	if (!(error instanceof MaxunFault)) return new RunFault(message, sentence, short);
	const fault = new RunFault(message, sentences(error.description, sentence), short, error);
	if (error instanceof RunFault)
		Object.assign(fault, { items: error.items, problems: error.problems });
	return fault;
}

export function itemsOfUnstarted(settings: WaitSettings, busy: string | undefined): Item[] {
	const { robotId, subject, timeoutMinutes, onTimeout } = settings;
	const late = `was not started within ${counted(timeoutMinutes, 'minute')}`;
	const advice = "Increase 'Timeout (Minutes)', or wait until other runs end";
	const note = sentences(busy, advice);
	if (onTimeout === 'return') {
		return [{ json: { robotId, status: 'not started', timedOut: true, note } }];
	}
	const robot = robotId === undefined ? 'The robot' : `Robot ${robotId}`;
	throw new RunFault(
		`${subject === undefined ? robot : `The run for ${subject}`} ${late}`,
		note,
		late,
	);
}

/** A run that Maxun doesn't show is named, because the user has paid for it. A 404 names it already. */
function naming(error: unknown, { runId, temporary }: PendingRun, outcome: Ended): unknown {
	const isKnown = temporary !== undefined || !('fault' in outcome) || outcome.fault.isNotFound;
	if (isKnown || !(error instanceof MaxunFault)) return error;
	return error.adding(
		`Run ${runId} may continue in Maxun. Once it can be read again, use Run: Get`,
	);
}

async function itemsWithoutData(run: PendingRun, outcome: Ended): Promise<RunItems> {
	const { context, settings, runId, robotId } = run;
	if ('ended' in outcome) return { items: [] };
	if ('fault' in outcome) throw outcome.fault;
	const isReturned = settings.onTimeout === 'return';
	const later = settings.cancelOnTimeout
		? "The last attempt of 'Retry On Fail' cancels it"
		: CONTINUES;
	const note = context.isLastAttempt || isReturned ? await stop(run) : later;
	if (!isReturned) throw timeout(run, outcome.timedOut, note);
	return {
		items: [{ json: { id: runId, robotId, status: outcome.timedOut, timedOut: true, note } }],
	};
}

const CONTINUES = 'It continues in Maxun';

async function stop(run: PendingRun): Promise<string> {
	const { context, temporary, runId, robotId, settings } = run;
	if (temporary) return 'It ends when its temporary robot is deleted';
	if (!settings.cancelOnTimeout) return `${CONTINUES}. To get its data later, use Run: Get`;
	return await recover(
		context.maxun.runs.cancel(runId, robotId).then(() => 'It was canceled'),
		{ any: ({ message }) => `${CONTINUES}, because Maxun did not cancel it (${message})` },
	);
}

/** @throws RunFault whose items also contain the input's fields */
export async function itemsOfEnded(pending: PendingRun, captured: Captured): Promise<RunItems> {
	const { context, settings, fields } = pending;
	const { output, subject, changes } = settings;
	const found = changes ? await changesSince(pending, captured, changes) : lostRows(pending);
	const isUnchanged = found?.rows?.length === 0 && !capturedNothing(captured, settings.lists);
	const making = resultItems(context, captured, {
		...settings,
		...found,
		extra: fields,
		// A temporary robot's data would be deleted.
		returnsPartial: subject !== undefined && !changes,
		about: ofWhat(pending, captured.run),
		advice: adviceOn(pending),
		itemOfEmpty: output === 'documents' || isUnchanged ? undefined : itemOfEmpty(pending),
	});
	const { items, verdict } = await making.catch((error: unknown) => {
		if (error instanceof RunFault) error.items = withFields(pending, error.items);
		throw error;
	});
	return { verdict, items: items.length > 0 ? withFields(pending, items) : [] };
}

/** A robot is kept only if its run had rows. */
const lostRows = ({ known, settings: { keeping, ifNoData } }: PendingRun): RowsFound =>
	known && keeping?.isAutomatic && ifNoData === undefined ? { rowsBefore: Infinity } : {};

function itemOfEmpty({ runId, robotId, temporary, settings, fields = {} }: PendingRun) {
	const cells = settings.columns?.map(({ column, name }) => [
		name,
		valueAt(fields, column) ?? null,
	]);
	if (cells?.length) return Object.fromEntries(cells);
	return { ...(!temporary && { id: runId, robotId }), hasData: false };
}

function timeout(run: PendingRun, status: string, note: string) {
	const { runId, settings, pageLimit } = run;
	const minutes = pageLimit ? Math.round(pageLimit / MINUTE) : settings.timeoutMinutes;
	const others = pageLimit ? ', and other pages of the robot needed a tenth of that or less' : '';
	const late = `did not end within ${counted(minutes, 'minute')}${others}`;
	const longer = pageLimit
		? "To give such pages more time, turn on Settings > Retry On Fail, or use 'Run and Wait' with a copy of the robot"
		: "Increase 'Timeout (Minutes)'";
	const advice = settings.subject === undefined ? ", or set 'On Timeout' to 'Return the Run'" : '';
	return new RunFault(
		`Run ${runId} ${ofWhat(run)} ${late} (status: ${status})`,
		sentences(note, longer + advice),
		late,
		{ forModel: `${note}. Do not start it again, and tell the user that it is taking too long` },
	);
}

function ofWhat({ settings: { subject }, fileName, robotId }: PendingRun, run?: Run): string {
	if (fileName !== undefined) return `of '${fileName}'`;
	return subject === undefined ? `of robot '${run?.robotName ?? robotId}'` : `for ${subject}`;
}

function adviceOn({ settings, temporary }: PendingRun): string | undefined {
	const { subject, robotId } = settings;
	if (subject === undefined) return undefined;
	const redesigned = settings.lists && !settings.repairSelectors ? REDESIGNED : '';
	if (settings.changes) return sentences(CHECK_PAGE, redesigned, MAY_BE_EMPTY);
	if (settings.keeping?.isAutomatic) return `${CHECK_PAGE}. ${FIND_AGAIN}. ${MAY_BE_EMPTY}`;
	const canKeep = temporary && robotId === undefined;
	return `${CHECK_PAGE}${canKeep ? ". To keep such runs in Maxun, turn on 'Keep Robot'" : ''}`;
}

const CHECK_PAGE = 'Check the page in a browser';

const FIND_AGAIN =
	"If it has changed, select another entry in 'Rows to Read' to find its rows again";

const REDESIGNED = "If it has changed, turn on 'Repair Selectors'";

const MAY_BE_EMPTY = "If it may be empty, set 'If No Data' to 'Return Nothing'";

/** The fields go next to a row's fields, or into a document's metadata. A row's own value wins, and a hint says so. */
function withFields(
	{ fields, duplicateOf, settings: { output, columns = [] }, context }: PendingRun,
	items: Item[],
): Item[] {
	if (!fields) return items;
	if (output === 'documents') return items.map((item) => withMetadata(item, fields));
	// A selected field is in its column.
	const chosen = columns.map(({ column }) => nameIn(fields, column));
	const others = Object.fromEntries(
		Object.entries(fields).filter(([name]) => !chosen.includes(name)),
	);
	const hidden = Object.keys(others).filter(
		(name) => duplicateOf !== undefined && items.some(({ json }) => name in json),
	);
	for (const name of hidden) context.hint(HIDDEN, 1, `'${name}'`);
	return items.map((item) => ({ ...item, json: { ...others, ...item.json } }));
}

function withMetadata({ json, ...item }: Item, fields: IDataObject): Item {
	const own = isObject(json.metadata) ? json.metadata : {};
	return { ...item, json: { ...json, metadata: { ...omitFields(fields, [PAGE_URL]), ...own } } };
}

const HIDDEN =
	'The rows and the input have fields with the same name. The output contains the values of the rows';
