import { MaxunFault, recover } from '../http/fault';
import { messageOf } from '../http/response';
import type { Run } from '../servers/entities';
import { runContinues } from './early';
import { emptyOf, withFields } from './itemFields';
import { capturedNothing, noData } from '../results/noData';
import { itemsOf } from '../results/output';
import { PageFault, skippedPage } from './pageFault';
import { returnsEarly } from './timing';
import { deleteRobot } from './temporary';
import type { Outcome, PendingRun, WaitSettings } from './types';
import type { Item, RunOutput } from '../results/types';

/** What an item gets from its run. */
interface RunResult {
	/** The items, or why there are none. */
	result: { items: Item[] } | { error: unknown };
	/** Whether the next attempt of the node waits for the run again. */
	continues: boolean;
	/** The page whose run succeeded without data. */
	empty?: string;
}

/** The result of a run. Cancels a run that times out if the settings say so, and deletes its temporary robot. */
export async function resultOf(run: PendingRun, outcome: Outcome): Promise<RunResult> {
	const { context, settings, runId, robotId, temporary: kind } = run;
	if ('lastStatus' in outcome && returnsEarly(run)) {
		// The temporary robot stays, because it contains the data.
		const items = runContinues(context.maxun, { status: outcome.lastStatus, runId, robotId });
		return { result: { items }, continues: false };
	}
	const ended = 'ended' in outcome ? outcome.ended : undefined;
	const isEmpty = ended !== undefined && capturedNothing(ended);
	const result = await itemsOfOutcome(run, outcome).then(
		(items) => ({ items }),
		(error: unknown) => ({ error }),
	);
	const isFailure = 'error' in result && skippedPage(settings, result.error) === undefined;
	const mayStillSucceed = ended === undefined || (ended.status === 'success' && !isEmpty);
	const continues = isFailure && mayStillSucceed && context.isRetried;
	// The robot of a run that continues contains its data.
	if (kind && !continues) await deleteRobot(context, { kind, robotId });
	if ('error' in result) return { result, continues };
	const empty = isEmpty ? settings.address : undefined;
	const isLeftOut = isEmpty && settings.ifNoData === 'nothing';
	const items = isLeftOut ? [] : shownItems(run, result.items, isEmpty);
	return { result: { items }, continues, empty };
}

/**
 * The items of a run that has not started in time.
 *
 * @param busy why the server could not start it
 * @throws MaxunFault if the settings say so
 */
export function itemsOfUnstarted(
	{ robotId, page, timeoutMinutes, onTimeout }: WaitSettings,
	busy: string | undefined,
): Item[] {
	const late = `was not started within ${inMinutes(timeoutMinutes)}`;
	const advice = "Increase 'Timeout (Minutes)', or wait until other runs end";
	const note = [busy, advice].filter(Boolean).join('. ');
	if (onTimeout === 'return') {
		return [{ json: { robotId, status: 'not started', timedOut: true, note } }];
	}
	const robot = robotId === undefined ? 'The robot' : `Robot ${robotId}`;
	const subject = page === undefined ? robot : `The run on ${page}`;
	throw new PageFault(`${subject} ${late}`, note, late);
}

const inMinutes = (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`;

/** The items with the operation's fields. */
function shownItems(run: PendingRun, given: Item[], isEmpty: boolean): Item[] {
	const items = withFields(run, given);
	// Without an item, the workflow would end as if there were nothing to do. A document needs text.
	const isMissing = isEmpty && items.length === 0 && run.settings.output !== 'documents';
	return isMissing ? [itemOfEmpty(run)] : items;
}

/** The item of a run without data, if its output has none. */
function itemOfEmpty({ runId, robotId, temporary, settings: { columns = [] } }: PendingRun): Item {
	const hidesRun = temporary !== undefined || columns.length > 0;
	return { json: { ...(!hidesRun && { id: runId, robotId }), ...emptyOf(columns) } };
}

async function itemsOfOutcome(run: PendingRun, outcome: Outcome): Promise<Item[]> {
	const { context, settings, runId, robotId } = run;
	if ('ended' in outcome) return await itemsOfEnded(run, outcome.ended);
	if ('fault' in outcome) {
		const { fault } = outcome;
		throw fault.isNotFound
			? new PageFault(fault.message, fault.description, fault.message, fault)
			: fault;
	}
	const isReturned = settings.onTimeout === 'return';
	const later = settings.cancelOnTimeout
		? "The last attempt of 'Retry On Fail' cancels it"
		: CONTINUES;
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

async function itemsOfEnded(pending: PendingRun, ended: Run) {
	const { context, settings, duplicateOf, fileName } = pending;
	const { address } = settings;
	const isSuccess = ended.status === 'success';
	if (!isSuccess && settings.onFailure !== 'return') throw failure(pending, ended);
	if (settings.ifNoData === 'error' && capturedNothing(ended)) {
		throw noData(
			ended,
			"To continue without data, change 'If No Data'",
			address === undefined ? fileName && `of '${fileName}'` : `on ${address}`,
		);
	}
	// Rows would not show that the run failed, so the run itself is returned.
	const showsRun = isSuccess || settings.output === 'raw';
	const output: RunOutput = showsRun ? settings : { ...settings, output: 'simplified' };
	// The temporary robot is deleted, and another one would have another ID.
	const source = output.output === 'documents' ? (duplicateOf ?? fileName) : duplicateOf;
	const isShown = source !== undefined && output.output !== 'raw';
	const run = isShown ? { ...ended, robotId: source } : ended;
	return await itemsOf(context, run, { ...output, extra: pending.fields });
}

function timeout(
	run: PendingRun,
	{ lastStatus, unreachable }: { lastStatus: string; unreachable?: MaxunFault },
	note: string,
) {
	const { runId, robotId, settings } = run;
	const reason = unreachable ? `. The last status check failed: ${unreachable.description}` : '';
	const late = `did not end within ${inMinutes(settings.timeoutMinutes)}`;
	const advice =
		settings.page === undefined
			? "set 'On Timeout' to 'Return the Run'"
			: "set 'On Failure' to 'Skip the Page'";
	return new PageFault(
		`Run ${runId} ${subjectOf(run, robotId)} ${late} (status: ${lastStatus})`,
		`${note}. Increase 'Timeout (Minutes)', or ${advice}${reason}`,
		late,
		{ forModel: `${note}. Do not start it again, and tell the user that it is taking too long` },
	);
}

/** What a run is about. @param robot the robot's name or ID */
const subjectOf = ({ settings: { page }, fileName }: PendingRun, robot: string) =>
	page !== undefined
		? `on ${page}`
		: `of ${fileName === undefined ? 'robot ' : ''}'${fileName ?? robot}'`;

function failure(pending: PendingRun, run: Run) {
	const reason = messageOf({ error: run.error }) || 'Maxun gave no reason';
	const subject = subjectOf(pending, run.robotName || pending.robotId);
	return new PageFault(
		`Run ${run.id} ${subject} ended with status ${run.status}`,
		`${reason}. ${adviceOn(pending)}`,
		reason,
		{ reason, forModel: 'Try another page or robot, or tell the user the reason' },
	);
}

function adviceOn({ settings: { page }, temporary }: PendingRun): string {
	if (page !== undefined) {
		return "Check the page in a browser. To continue without such pages, set 'On Failure' to 'Skip the Page'";
	}
	const check = temporary
		? "To check such runs in Maxun, turn on 'Keep Robot'"
		: 'Check the run in Maxun';
	return `${check}. To continue with the captured data, set 'On Failure' to 'Return the Run'`;
}
