import { MaxunFault, recover } from '../http/fault';
import { messageOf } from '../http/response';
import { counted, wordsOf } from '../http/text';
import { MINUTE } from '../http/time';
import { DataCheckFault } from '../results/dataChecks';
import { capturedNothing, noData } from '../results/noData';
import { itemsOf } from '../results/output';
import type { Item } from '../results/types';
import { isActive, type Run } from '../servers/entities';
import { runContinues } from './early';
import { emptyOf, withFields } from './itemFields';
import { PageFault } from './pageFault';
import { deleteReadRobot, deleteRobot } from './temporary';
import type { Outcome, PendingRun, StartedRun, WaitSettings } from './types';

/** A run's items, or why there are none. */
type RunResult =
	| { items: Item[] }
	/** @param continues whether the node's next attempt continues to wait for the run */
	| { error: unknown; continues: boolean };

/** A run's result. Cancels a run that times out if the settings say so, and deletes its temporary robot. */
export async function resultOf(run: PendingRun, outcome: Outcome): Promise<RunResult> {
	const { context, robotId, temporary, kept, settings } = run;
	if ('early' in outcome) {
		// The temporary robot stays, because it contains the data.
		const shown = { status: outcome.early, runId: run.runId, robotId };
		return { items: runContinues(context.maxun, shown, settings) };
	}
	const ended = 'ended' in outcome ? outcome.ended : undefined;
	const result = await itemsOfOutcome(run, outcome).then(
		(items) => ({ items }),
		(error: unknown) => ({ error }),
	);
	const hasData = ended?.status === 'success' && !capturedNothing(ended, settings.lists);
	if ('items' in result) {
		if (temporary) await deleteRobot(context, { kind: temporary, robotId });
		else if (ended) await deleteReadRobot(context, ended);
		return result;
	}
	const { error } = result;
	const { isLastAttempt } = context;
	// Another attempt would run the robot again.
	const isChecked = error instanceof DataCheckFault;
	if (isChecked) error.items = withFields(run, error.items);
	const continues = ended === undefined || (hasData && !isChecked);
	if (continues && !isLastAttempt) return { error, continues };
	const isLost = hasData && !(isChecked && !isLastAttempt);
	const isUnread =
		isLost ||
		('fault' in outcome && !outcome.fault.isNotFound) ||
		('timedOut' in outcome && !isActive({ ...run, id: run.runId, status: outcome.timedOut }));
	if (isUnread && temporary) return { error: unread(error, run), continues: false };
	// Each attempt creates a robot. Only the last one is kept.
	const kind = temporary ?? (isLastAttempt ? undefined : kept);
	if (kind) await deleteRobot(context, { kind, robotId });
	return { error, continues: false };
}

/** The error of a run whose data wasn't read, with the temporary robot that therefore remains. */
export function unread(error: unknown, { runId, robotId, temporary }: StartedRun): unknown {
	if (!temporary) return error;
	const sentence = `The temporary robot ${robotId} remains in Maxun until the time in its name has passed. Until then, Run: Get can return run ${runId}`;
	const message = wordsOf(error);
	const short = `${message}. ${sentence}`;
	if (!(error instanceof MaxunFault)) return new PageFault(message, sentence, short);
	return new PageFault(message, `${error.description}. ${sentence}`, short, error);
}

/**
 * The items of a run that has not started in time.
 *
 * @param busy why the server could not start it
 * @throws MaxunFault if the settings say so
 */
export function itemsOfUnstarted(settings: WaitSettings, busy: string | undefined): Item[] {
	const { robotId, subject, timeoutMinutes, onTimeout } = settings;
	const late = `was not started within ${counted(timeoutMinutes, 'minute')}`;
	const advice = "Increase 'Timeout (Minutes)', or wait until other runs end";
	const note = [busy, advice].filter(Boolean).join('. ');
	if (onTimeout === 'return') {
		return [{ json: { robotId, status: 'not started', timedOut: true, note } }];
	}
	const robot = robotId === undefined ? 'The robot' : `Robot ${robotId}`;
	throw new PageFault(
		`${subject === undefined ? robot : `The run for ${subject}`} ${late}`,
		note,
		late,
	);
}

async function itemsOfOutcome(
	run: PendingRun,
	outcome: Exclude<Outcome, { early: string }>,
): Promise<Item[]> {
	const { context, settings, runId, robotId } = run;
	if ('ended' in outcome) return await itemsOfEnded(run, outcome.ended);
	if ('fault' in outcome) throw outcome.fault;
	const isReturned = settings.onTimeout === 'return';
	const later = settings.cancelOnTimeout
		? "The last attempt of 'Retry On Fail' cancels it"
		: CONTINUES;
	const note = !context.isLastAttempt && !isReturned ? later : await stop(run);
	if (!isReturned) throw timeout(run, outcome.timedOut, note);
	return [{ json: { id: runId, robotId, status: outcome.timedOut, timedOut: true, note } }];
}

const CONTINUES = 'It continues in Maxun';

/** Cancels a run that times out, if the settings say so. @returns what happens to the run */
async function stop(run: PendingRun): Promise<string> {
	const { context, temporary, runId, robotId, settings } = run;
	if (temporary) return 'It ends when its temporary robot is deleted';
	const { cancel } = context.maxun.runs;
	if (!settings.cancelOnTimeout || !cancel)
		return `${CONTINUES}. To get its data later, use Run: Get`;
	return await recover(
		cancel(runId, robotId).then(() => 'It was canceled'),
		{ any: ({ message }) => `It could not be canceled (${message})` },
	);
}

async function itemsOfEnded(pending: PendingRun, ended: Run): Promise<Item[]> {
	const { context, settings, duplicateOf, fileName } = pending;
	const isSuccess = ended.status === 'success';
	if (!isSuccess && settings.onFailure !== 'return') throw failure(pending, ended);
	const isEmpty = capturedNothing(ended, settings.lists);
	if (settings.ifNoData === 'error' && isEmpty) {
		const advice = adviceOn(pending, "change 'If No Data'");
		const fault = noData(ended, advice, subjectOf(pending, ended));
		throw new PageFault(fault.message, fault.description, 'no data', fault);
	}
	// The temporary robot is deleted, and the next one has another ID.
	const source = settings.output === 'documents' ? (duplicateOf ?? fileName) : duplicateOf;
	const isShown = source !== undefined && settings.output !== 'raw';
	const named = isShown ? { ...ended, robotId: source } : ended;
	const error = isSuccess ? {} : { error: reasonOf(ended) };
	const isIgnored = isEmpty && settings.ifNoData === 'nothing';
	const dataChecks = isIgnored ? undefined : settings.dataChecks;
	const given = await itemsOf(
		context,
		{ ...named, ...error },
		{ ...settings, dataChecks, extra: pending.fields },
	);
	if (isIgnored) return [];
	const items = withFields(pending, given);
	// Without an item, the workflow would end as if there were nothing to do. Documents need text.
	const isMissing = isEmpty && items.length === 0 && settings.output !== 'documents';
	return isMissing ? [itemOfEmpty(pending)] : items;
}

/** The item of a run without data whose output has no items. */
function itemOfEmpty({ runId, robotId, temporary, settings: { columns = [] } }: PendingRun): Item {
	const hidesRun = temporary !== undefined || columns.length > 0;
	return { json: { ...(!hidesRun && { id: runId, robotId }), ...emptyOf(columns) } };
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
	return new PageFault(
		`Run ${runId} ${subjectOf(run)} ${late} (status: ${status})`,
		`${note}. ${longer}${advice}`,
		late,
		{ forModel: `${note}. Do not start it again, and tell the user that it is taking too long` },
	);
}

/** What a run reads: its page, or its robot. */
function subjectOf({ settings: { subject }, fileName, robotId }: PendingRun, run?: Run): string {
	if (fileName !== undefined) return `of '${fileName}'`;
	return subject === undefined ? `of robot '${run?.robotName ?? robotId}'` : `for ${subject}`;
}

const reasonOf = ({ error }: Run) => messageOf({ error }) || 'Maxun gave no reason';

function failure(pending: PendingRun, run: Run) {
	const reason = reasonOf(run);
	const advice = adviceOn(pending, "set 'On Failure' to 'Return the Run'");
	return new PageFault(
		`Run ${run.id} ${subjectOf(pending, run)} ended with status ${run.status}`,
		`${reason}. ${advice}`,
		reason,
		{ reason, forModel: 'Try another page or robot, or tell the user the reason' },
	);
}

/** What to check, if it still exists. @param alternative how to continue */
function adviceOn({ settings, temporary }: PendingRun, alternative: string): string {
	const { subject, robotId } = settings;
	if (subject === undefined) return `Check the run in Maxun. To continue anyway, ${alternative}`;
	const canKeep = temporary && robotId === undefined;
	return `Check the page in a browser${canKeep ? ". To keep such runs in Maxun, turn on 'Keep Robot'" : ''}`;
}
