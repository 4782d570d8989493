import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { inTurn } from '../http/concurrency';
import type { Item } from '../runs/types';

/** How many runs n8n remembers per trigger. It reads and writes all of them for each execution. */
const REMEMBERED_RUNS = 1000;

/** An item that still says which run it comes from. */
interface MarkedItem extends Item {
	[RUN_MARK]: string;
}

/** The property of an item that contains the ID of its run, until the trigger emits it. */
const RUN_MARK = 'maxunRun';

/** Marks the items of a run, so that `emitOnce` recognizes them. */
export const markItems = (runId: string, items: Item[]): MarkedItem[] =>
	items.map((item) => ({ ...item, [RUN_MARK]: runId }));

/**
 * The items that started this execution, without those of runs that another execution has emitted. Processes don't see
 * in time what others emit, so several can start an execution for one run. But all share n8n's database.
 */
export async function emitOnce(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const runIds = [...new Set(items.flatMap((item) => runIdOf(item) ?? []))];
	const emitted =
		context.getMode() === 'webhook' && runIds.length > 0
			? await emittedBefore(runIds, context)
			: new Set();
	return [items.filter((item) => !emitted.has(runIdOf(item))).map(withoutMark)];
}

const runIdOf = ({ [RUN_MARK]: runId }: INodeExecutionData): string | undefined =>
	typeof runId === 'string' ? runId : undefined;

const withoutMark = ({ json, binary }: INodeExecutionData): Item =>
	binary ? { json, binary } : { json };

/** Which runs another execution has emitted. Remembers the others for this one. */
async function emittedBefore(runIds: string[], context: IExecuteFunctions): Promise<Set<unknown>> {
	// If a worker stops, n8n repeats its execution from the start. It emits its own runs again.
	const ownMarks = new Map(runIds.map((id) => [id, `${id} ${context.getExecutionId()}`]));
	const marks = [...ownMarks].flat();
	const record = async () =>
		await context.helpers.checkProcessedAndRecord(marks, 'node', {
			mode: 'entries',
			maxEntries: 2 * REMEMBERED_RUNS,
		});
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	// If two processes add the first entries at the same time, one fails.
	const recording = inTurn(key, async () => await record().catch(record));
	const processed = await recording.then(
		(marked) => new Set<unknown>(marked.processed),
		(error: unknown) => {
			context.logger.warn(
				`${context.getNode().name}: a run may start the workflow twice: ${String(error)}`,
			);
			return new Set();
		},
	);
	return new Set(
		[...ownMarks].flatMap(([id, own]) => (processed.has(id) && !processed.has(own) ? id : [])),
	);
}
