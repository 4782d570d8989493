import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';
import { inTurn } from '../http/concurrency';
import { liveEntry } from '../n8n/internals';
import type { Item } from '../runs/types';

/** How many runs n8n remembers for each trigger. It reads and writes all of them for each execution. */
const REMEMBERED_RUNS = 1000;
const RECORDS = { mode: 'entries', maxEntries: 2 * REMEMBERED_RUNS } as const;

/** After how many milliseconds to look for a record again. n8n takes less time to read and then write all of them. */
const WRITING_TIME = 100;

/** How often to record runs that other processes overwrite. */
const ATTEMPTS = 10;

/** The property of an item that contains the ID of its run, until the trigger emits the item. */
const RUN_MARK = 'maxunRun';

/** An item that says which run it comes from. */
interface MarkedItem extends Item {
	[RUN_MARK]: string;
}

/** Marks the items of a run, so that `emitOnce` recognizes them. */
export const markItems = (runId: string, items: Item[]): MarkedItem[] =>
	items.map((item) => ({ ...item, [RUN_MARK]: runId }));

/**
 * The items that started this execution, without those of runs that another execution has emitted. Processes don't see
 * in time what others emit, so several can start an execution for one run. But all share n8n's database.
 *
 * Tests in the editor and retried executions emit all items.
 */
export async function emitOnce(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const runIds = [...new Set(items.flatMap((item) => runIdOf(item) ?? []))];
	const canRepeat = context.getMode() === 'webhook' && runIds.length > 0;
	const repeated: unknown[] = canRepeat ? await repeatedRuns(runIds, context) : [];
	const output = items.filter((item) => !repeated.includes(runIdOf(item))).map(withoutMark);
	if (output.length === 0) endWithoutItems(context);
	return [output];
}

const runIdOf = ({ [RUN_MARK]: runId }: INodeExecutionData): string | undefined =>
	typeof runId === 'string' ? runId : undefined;

const withoutMark = ({ json, binary }: INodeExecutionData): Item =>
	binary ? { json, binary } : { json };

/** Which runs another execution has emitted. Records the others. What n8n can't record isn't among them. */
async function repeatedRuns(runIds: string[], context: IExecuteFunctions): Promise<string[]> {
	const repeated: string[] = [];
	try {
		for await (const runId of record(runIds, context)) repeated.push(runId);
	} catch (error) {
		const name = context.getNode().name;
		context.logger.warn(`${name}: a run may start the workflow twice: ${String(error)}`);
	}
	return repeated;
}

/**
 * Records runs. Processes overwrite each other's records, so this is repeated until all are still there.
 * @returns the runs that another execution has recorded
 */
async function* record(runIds: string[], context: IExecuteFunctions): AsyncGenerator<string> {
	// n8n 1 repeats an execution if its worker stops. With these marks, it emits its own runs again.
	const ownMark = (runId: string) => `${runId} ${context.getExecutionId()}`;
	let unconfirmed = runIds;
	for (let attempt = 1; attempt <= ATTEMPTS && unconfirmed.length > 0; attempt++) {
		if (attempt > 1) await sleep(WRITING_TIME);
		const marks = unconfirmed.flatMap((runId) => [runId, ownMark(runId)]);
		const known = new Set(await alreadyRecorded(marks, context));
		const repeated = unconfirmed.filter((id) => known.has(id) && !known.has(ownMark(id)));
		yield* repeated;
		if (repeated.length > 0) await forget(repeated.map(ownMark), context);
		unconfirmed = unconfirmed.filter((id) => !known.has(id));
	}
}

/** Records what isn't recorded yet. @returns the rest */
async function alreadyRecorded(marks: string[], context: IExecuteFunctions): Promise<unknown[]> {
	const add = async () => await context.helpers.checkProcessedAndRecord(marks, 'node', RECORDS);
	// If two processes add the first entries at the same time, one fails.
	const { processed } = await inTurn(keyOf(context), async () => await add().catch(add));
	return processed;
}

async function forget(marks: string[], context: IExecuteFunctions): Promise<void> {
	const remove = async () => await context.helpers.removeProcessed(marks, 'node', RECORDS);
	await inTurn(keyOf(context), remove);
}

const keyOf = (context: IExecuteFunctions) => `${context.getWorkflow().id} ${context.getNode().id}`;

/** Ends the execution here, even if the node always outputs data. */
function endWithoutItems(context: IExecuteFunctions): void {
	context.logger.debug(`${context.getNode().name}: another execution has emitted the runs`);
	const entry = liveEntry(context);
	if (entry) entry.node = { ...entry.node, alwaysOutputData: false };
}
