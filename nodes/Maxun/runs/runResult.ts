import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { messageOf } from '../http/response';
import type { Run } from '../servers/entities';
import { documentsOf } from './documents';
import { outputOf } from './rows';
import { withScreenshots } from './screenshots';
import { deleteTemporary, remainders } from './temporary';
import type { Item, Outcome, PendingRun, RunOutput, RunReader } from './types';

/**
 * A run as the items that an operation returns. Adds a hint if there are no rows to return.
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
	const items = given.map((json) => ({ json }));
	if (items.length === 0) {
		reader.hint(`A run of '${run.robotName ?? run.robotId ?? 'the robot'}' captured no data`);
	}
	return downloadScreenshots ? await withScreenshots(reader, run, items, address) : items;
}

/**
 * The items of a pending run. Deletes the temporary robot of the run.
 *
 * @throws MaxunFault if the run didn't finish in time or failed, unless the settings return such runs
 */
export async function resultOf(run: PendingRun, outcome: Outcome): Promise<Item[]> {
	let cleaning: Promise<string> | undefined;
	const cleanUp = async () =>
		await (cleaning ??= deleteTemporary(run).then((robot) => remainders([robot]).join()));
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
	const warned = items.length > 0 ? items : [{ json: { hasData: false } }];
	return warned.map((item) => ({ ...item, json: { ...item.json, warning: left } }));
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

async function itemsOfEnded({ context, settings, ...pending }: PendingRun, run: Run) {
	if (run.status !== 'success' && settings.onFailure === 'error') throw failure(pending, run);
	// Rows would not show that the run failed, so the run itself is returned.
	const showsRun = run.status === 'success' || settings.output === 'raw';
	const output: RunOutput = showsRun ? settings : { ...settings, output: 'simplified' };
	const address = pending.fields?.url;
	return await itemsOf(context, run, output, typeof address === 'string' ? address : undefined);
}

function timeout(
	{ runId, robotId, settings }: PendingRun,
	{ lastStatus, unreachable }: { lastStatus: string; unreachable?: MaxunFault },
	note: string,
) {
	const reason = unreachable ? `. The last status check failed: ${unreachable.description}` : '';
	const { waitFor } = settings;
	return new MaxunFault(
		`Run ${runId} of robot ${robotId} did not finish within ${waitFor} ${waitFor === 1 ? 'minute' : 'minutes'} (status: ${lastStatus})`,
		`${note}. Increase Wait For (Minutes), or set On Timeout to Return the Run${reason}`,
	);
}

function failure({ since, temporary }: Pick<PendingRun, 'since' | 'temporary'>, run: Run) {
	const robot = run.robotName || run.robotId || 'unknown';
	const reason = messageOf({ error: run.error }) || 'Maxun gave no reason';
	const advice = temporary
		? 'Turn on Keep Robot to check such runs in Maxun'
		: 'Check the run in Maxun';
	return new MaxunFault(
		`Run ${run.id} of robot '${robot}' finished with status ${run.status} after ${duration(Date.now() - since)}`,
		`${reason}. ${advice}. To continue with the captured data, set On Failure to Return the Run`,
		{ reason },
	);
}

/** Milliseconds in words, e.g. `2 min 5 s`. */
function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
