import { MaxunFault, recover } from '../http/fault';
import { messageOf } from '../http/response';
import type { Run } from '../servers/entities';
import { runContinues } from './early';
import { withFields } from './itemFields';
import { capturedNothing, noData } from './noData';
import { itemsOf } from './output';
import { returnsEarly } from './poll';
import { isRefusedPage, SkippedPage } from './skippedPage';
import { deleteRobot, sentenceOf } from './temporary';
import type { Item, Leftover, Outcome, PendingRun, RunOutput } from './types';

/** What an item gets from its run. */
export interface RunResult {
	/** The items, or why there are none. */
	result: { items: Item[] } | { error: unknown };
	/** Whether the next attempt of the node waits for the run again. */
	continues: boolean;
	/** The page whose run succeeded without data. */
	empty?: string;
	/** The temporary robot of the run if it could not be deleted. */
	leftover?: Leftover;
}

/** The result of a run. Cancels a run that times out if the settings say so, and deletes its temporary robot. */
export async function resultOf(run: PendingRun, outcome: Outcome): Promise<RunResult> {
	if ('lastStatus' in outcome && returnsEarly(run)) return earlyResult(run, outcome);
	const isEmpty = 'ended' in outcome && capturedNothing(outcome.ended);
	const isOver = 'ended' in outcome && (isEmpty || outcome.ended.status !== 'success');
	const result = await itemsOfOutcome(run, outcome).then(
		(items) => ({ items }),
		(error: unknown) => ({ error }),
	);
	const isFailure = 'error' in result && !(result.error instanceof SkippedPage);
	const continues = isFailure && !isOver && run.context.isRetried;
	const leftover = continues ? undefined : await deleteTemporary(run);
	if ('error' in result) return { result, continues, leftover };
	const empty = isEmpty ? addressOf(run) : undefined;
	const isLeftOut = isEmpty && run.settings.ifNoData === 'nothing';
	const items = isLeftOut ? [] : shownItems(run, result.items, leftover, isEmpty);
	return { result: { items }, continues, empty, leftover };
}

/** The result of a run whose tool returns before it ends. The temporary robot stays, because it contains the data. */
const earlyResult = (
	{ context: { maxun }, runId, robotId }: PendingRun,
	{ lastStatus: status }: { lastStatus: string },
): RunResult => ({
	result: { items: runContinues(maxun, { status, runId, robotId }) },
	continues: false,
});

/** Deletes the temporary robot of a run, if any. @returns the robot if it remains in Maxun */
async function deleteTemporary(run: PendingRun): Promise<Leftover | undefined> {
	const { context, temporary: kind, robotId, runId, startedAt: created } = run;
	return kind && (await deleteRobot(context.maxun, { kind, robotId }, { created, runId }));
}

/** The items with the operation's fields, and with a warning about a robot that remains in Maxun. */
function shownItems(
	run: PendingRun,
	given: Item[],
	leftover: Leftover | undefined,
	isEmpty: boolean,
): Item[] {
	const own = withFields(run, given);
	// Without an item, the workflow would end as if there were nothing to do. A document needs text.
	const isMissing = isEmpty && own.length === 0 && run.settings.output !== 'documents';
	const items = isMissing ? [itemOfEmpty(run)] : own;
	if (!leftover) return items;
	const warning = sentenceOf([leftover]);
	const warned = items.length > 0 ? items : [{ json: { hasData: false } }];
	return warned.map((item) => ({ ...item, json: { ...item.json, warning } }));
}

/** The item of a run without data, if its output has none. */
const itemOfEmpty = ({ runId, robotId, temporary }: PendingRun): Item => ({
	json: { ...(!temporary && { id: runId, robotId }), hasData: false },
});

async function itemsOfOutcome(run: PendingRun, outcome: Outcome): Promise<Item[]> {
	const { context, settings, runId, robotId } = run;
	const isSkipped = settings.onFailure === 'skip';
	if ('fault' in outcome) {
		const { fault } = outcome;
		const isOfPage = isRefusedPage(fault) || (fault.isOwn && fault.status === 404);
		throw isSkipped && isOfPage ? new SkippedPage(pageOf(run), fault.message) : fault;
	}
	if ('ended' in outcome) return await itemsOfEnded(run, outcome.ended);
	if (isSkipped) throw new SkippedPage(pageOf(run), overdue(run));
	const isReturned = settings.onTimeout === 'return';
	const later = settings.cancelOnTimeout ? 'The last attempt cancels it' : CONTINUES;
	const note = context.isRetried && !isReturned ? later : await stop(run);
	if (!isReturned) throw timeout(run, outcome, note);
	return [{ json: { id: runId, robotId, status: outcome.lastStatus, timedOut: true, note } }];
}

const CONTINUES = 'It continues in Maxun';

/** Cancels a run whose time is up, if the settings say so. @returns what happens to the run */
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

/** The page of a run on one of many URLs. */
const pageOf = ({ settings: { page = '' } }: PendingRun) => page;

/** The URL of the run's only page, if it has one. */
function addressOf({ settings: { page, address }, fields }: PendingRun): string | undefined {
	return page ?? address ?? (typeof fields?.url === 'string' ? fields.url : undefined);
}

async function itemsOfEnded(pending: PendingRun, ended: Run) {
	const { context, settings, duplicateOf } = pending;
	if (ended.status !== 'success') {
		if (settings.onFailure === 'skip') throw new SkippedPage(pageOf(pending), reasonOf(ended));
		if (settings.onFailure === 'error') throw failure(pending, ended);
	}
	if (settings.ifNoData === 'error' && capturedNothing(ended)) {
		const address = addressOf(pending);
		const subject = address && `on ${address}`;
		throw noData(ended, "To continue without data, change 'If No Data'", subject);
	}
	// Rows would not show that the run failed, so the run itself is returned.
	const showsRun = ended.status === 'success' || settings.output === 'raw';
	const output: RunOutput = showsRun ? settings : { ...settings, output: 'simplified' };
	// The copy is deleted, and another one would have another ID.
	const isCopy = duplicateOf !== undefined && output.output !== 'raw';
	const run = isCopy ? { ...ended, robotId: duplicateOf } : ended;
	return await itemsOf(context, run, output, addressOf(pending));
}

function timeout(
	run: PendingRun,
	{ lastStatus, unreachable }: { lastStatus: string; unreachable?: MaxunFault },
	note: string,
) {
	const reason = unreachable ? `. The last status check failed: ${unreachable.description}` : '';
	const { runId, robotId, duplicateOf } = run;
	const subject = duplicateOf === undefined ? `of robot ${robotId}` : `on ${pageOf(run)}`;
	const advice =
		duplicateOf === undefined
			? "set 'On Timeout' to 'Return the Run'"
			: "set 'On Failure' to 'Skip the Page'";
	return new MaxunFault(
		`Run ${runId} ${subject} ${overdue(run)} (status: ${lastStatus})`,
		`${note}. Increase 'Timeout (Minutes)', or ${advice}${reason}`,
		{ forModel: `${note}. Do not start it again, and tell the user that it is taking too long` },
	);
}

const overdue = ({ settings: { waitFor } }: PendingRun) =>
	`did not finish within ${waitFor} ${waitFor === 1 ? 'minute' : 'minutes'}`;

const reasonOf = (run: Run) => messageOf({ error: run.error }) || 'Maxun gave no reason';

function failure(pending: PendingRun, run: Run) {
	const { since, temporary, duplicateOf } = pending;
	const robot = run.robotName || run.robotId || 'unknown';
	const subject = duplicateOf === undefined ? `of robot '${robot}'` : `on ${pageOf(pending)}`;
	const reason = reasonOf(run);
	return new MaxunFault(
		`Run ${run.id} ${subject} finished with status ${run.status} after ${duration(Date.now() - since)}`,
		`${reason}. ${adviceOn(temporary, duplicateOf)}`,
		{ reason, forModel: 'Try another page or robot, or tell the user the reason' },
	);
}

function adviceOn(temporary: PendingRun['temporary'], duplicateOf: string | undefined): string {
	if (duplicateOf !== undefined) {
		return "Check the page in a browser. To continue without such pages, set 'On Failure' to 'Skip the Page'";
	}
	const check = temporary
		? "To check such runs in Maxun, turn on 'Keep Robot'"
		: 'Check the run in Maxun';
	return `${check}. To continue with the captured data, set 'On Failure' to 'Return the Run'`;
}

/** Milliseconds in words, e.g. `2 min 5 s`. */
function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
