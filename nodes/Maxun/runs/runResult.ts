import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { messageOf } from '../http/response';
import type { Run } from '../servers/entities';
import { documentsOf } from './documents';
import { PAGE_URL } from './duplicates';
import { hasData, outputOf } from './rows';
import { screenshotsOf, withScreenshots } from './screenshots';
import { SkippedPage } from './skippedPage';
import { deleteTemporary, remainders } from './temporary';
import type { Item, Outcome, PendingRun, RunOutput, RunReader } from './types';

/**
 * A run as the items that an operation returns. Adds a hint if it has nothing to return.
 *
 * @param address the URL of the run's only page
 */
export async function itemsOf(
	reader: RunReader,
	run: Run,
	{ output, fields, downloadScreenshots }: RunOutput,
	address?: string,
): Promise<Item[]> {
	const given = output === 'documents' ? documentsOf(run, address) : outputOf(run, output, fields);
	const rows = given.map((json) => ({ json }));
	const items = downloadScreenshots ? await withScreenshots(reader, run, rows, address) : rows;
	const isEmpty = isEmptySuccess(run);
	if (isEmpty && address) {
		reader.noData(address);
	} else if (isEmpty || items.length === 0) {
		reader.hint(`A run of '${run.robotName ?? run.robotId ?? 'the robot'}' captured no data`);
	}
	return items;
}

/** Whether a run captured nothing. On a page that it can't open, a self-hosted server reports success. */
const isEmptySuccess = (run: Run) =>
	run.status === 'success' && !hasData(run) && screenshotsOf(run).length === 0;

/**
 * The items of a pending run. Deletes the temporary robot of the run, unless it can run on another page.
 *
 * @throws MaxunFault if the run didn't finish in time or failed, unless the settings return such runs
 */
export async function resultOf(run: PendingRun, outcome: Outcome): Promise<Item[]> {
	let cleaning: Promise<string> | undefined;
	const cleanUp = async () =>
		await (cleaning ??= cleaned(run, outcome).then((robot) => {
			run.remainder = robot;
			return remainders([robot]).join();
		}));
	const result = await itemsOfOutcome(run, outcome, cleanUp).then(
		(items) => ({ items }),
		(error: unknown) => ({ error }),
	);
	const left = await cleanUp();
	if ('error' in result) {
		const { error } = result;
		if (left && error instanceof MaxunFault) throw error.leaving(left);
		if (left) run.context.remains(left);
		throw error;
	}
	// Documents have a fixed form.
	const { output } = run.settings;
	const items = output === 'documents' ? result.items : withFields(result.items, run.fields);
	if (!left) return items;
	run.context.leaves(left);
	const warned = items.length > 0 ? items : [{ json: { hasData: false } }];
	return warned.map((item) => ({ ...item, json: { ...item.json, warning: left } }));
}

/** Statuses of runs whose browser has ended. */
const OVER = ['success', 'failed'];

/** Deletes the temporary robot of a run, or keeps it for the next page. @returns the robot if it remains in Maxun */
async function cleaned(run: PendingRun, outcome: Outcome) {
	const isOver = 'ended' in outcome && OVER.includes(outcome.ended.status);
	const isKept = isOver && run.duplicateOf !== undefined && run.context.copies.keep(run);
	return isKept ? undefined : await deleteTemporary(run);
}

/** The items with the operation's fields first. A run without data returns only those fields. */
function withFields(items: Item[], fields?: IDataObject): Item[] {
	if (!fields) return items;
	if (items.length === 0) return [{ json: { ...fields, hasData: false } }];
	return items.map((item) => ({ ...item, json: { ...fields, ...item.json } }));
}

/** @param cleanUp deletes the temporary robot, if any. @returns what is left */
async function itemsOfOutcome(
	run: PendingRun,
	outcome: Outcome,
	cleanUp: () => Promise<string>,
): Promise<Item[]> {
	if ('fault' in outcome) throw outcome.fault;
	if ('ended' in outcome) return await itemsOfEnded(run, outcome.ended);
	const { settings, runId, robotId } = run;
	const note = run.temporary ? noteOnRobot(await cleanUp()) : await stop(run);
	if (settings.onFailure === 'skip') throw new SkippedPage(pageOf(run), overdue(run));
	if (settings.onTimeout === 'error') throw timeout(run, outcome, note);
	return [{ json: { id: runId, robotId, status: outcome.lastStatus, timedOut: true, note } }];
}

const noteOnRobot = (left: string) =>
	left ? 'It may continue in Maxun' : 'It ended when its temporary robot was deleted';

/** Cancels a run whose time is up, if the settings say so. @returns what happens to the run */
async function stop(run: PendingRun): Promise<string> {
	const { context, runId, robotId, settings } = run;
	const { cancel } = context.maxun.runs;
	if (!settings.cancelOnTimeout || !cancel) {
		return 'It continues in Maxun. Run: Get returns its data later';
	}
	return await recover(
		cancel(runId, robotId).then(() => {
			run.isCancelled = true;
			return 'It was cancelled';
		}),
		{ any: ({ message }) => `It could not be cancelled (${message})` },
	);
}

/** The page of a run on one of many URLs. */
const pageOf = ({ fields }: Pick<PendingRun, 'fields'>) => String(fields?.[PAGE_URL] ?? '');

async function itemsOfEnded(pending: PendingRun, run: Run) {
	const { context, settings } = pending;
	if (run.status !== 'success') {
		if (settings.onFailure === 'skip') throw new SkippedPage(pageOf(pending), reasonOf(run));
		if (settings.onFailure === 'error') throw failure(pending, run);
	}
	// Rows would not show that the run failed, so the run itself is returned.
	const showsRun = run.status === 'success' || settings.output === 'raw';
	const output: RunOutput = showsRun ? settings : { ...settings, output: 'simplified' };
	const address = pending.fields?.[PAGE_URL] ?? pending.fields?.url;
	return await itemsOf(context, run, output, typeof address === 'string' ? address : undefined);
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
			? 'set On Timeout to Return the Run'
			: 'set On Failure to Skip the Page';
	return new MaxunFault(
		`Run ${runId} ${subject} ${overdue(run)} (status: ${lastStatus})`,
		`${note}. Increase Wait For (Minutes), or ${advice}${reason}`,
		{ forModel: `${note}. Do not start it again, and tell the user that it takes too long` },
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
		{ reason, forModel: 'Try another page or robot, or tell the user this reason' },
	);
}

function adviceOn(temporary: PendingRun['temporary'], duplicateOf: string | undefined): string {
	if (duplicateOf !== undefined) {
		return 'Check the page in a browser. To continue without such pages, set On Failure to Skip the Page';
	}
	const check = temporary
		? 'Turn on Keep Robot to check such runs in Maxun'
		: 'Check the run in Maxun';
	return `${check}. To continue with the captured data, set On Failure to Return the Run`;
}

/** Milliseconds in words, e.g. `2 min 5 s`. */
function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
