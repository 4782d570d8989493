import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { liveEntry } from '../n8n/internals';
import type { Item } from '../results/types';
import { failureIn } from './event';
import { findMissed, NOTHING, RunMark } from './missedRuns';
import { ProcessedRuns } from './processedRuns';
import { readTriggerNode } from './triggerNode';

/** The property of an item with its run, until the trigger emits the item. */
const RUN_MARK = 'maxunRun';

/** An item that says which run it comes from. */
export type MarkedItem = Item & { [RUN_MARK]: RunMark };

/** Marks the items of a run, so that `emitOnce` recognizes them. */
export const markItems = (mark: RunMark, items: Item[]): MarkedItem[] =>
	items.map((item) => ({ ...item, [RUN_MARK]: mark }));

/**
 * Begins the execution: emits what the delivery has proposed, and what was missed, without runs that another execution has
 * emitted. Processes don't see in time what others propose, but all share n8n's database.
 *
 * Throws only if the user wants that for runs without data. Changes no static data: n8n would save all of it when the
 * execution ends, over later changes. Tests in the editor and retried executions emit all items.
 */
export async function emitOnce(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const marks = items.flatMap((item) => markOf(item) ?? []);
	const [mark] = marks;
	if (context.getMode() !== 'webhook' || !mark) return [items.filter(hasRun).map(withoutMark)];
	const trigger = readTriggerNode(context, false);
	const processed = new ProcessedRuns(context);
	const proposedIds = [...new Set(marks.flatMap(({ id }) => id ?? []))];
	const search = await findMissed({ trigger, processed, mark, proposedIds }).catch(
		(error: unknown) => {
			const text = 'could not search for missed runs. A later event starts the next search';
			trigger.warn(`${text}: ${String(error)}`);
			return NOTHING;
		},
	);
	const foundIds = search.missed.map(({ run }) => run.id);
	const newIds = await processed.record([...foundIds, ...proposedIds], trigger.warn);
	void search.continueLater?.();
	const missed = search.missed.filter(({ run }) => newIds.includes(run.id));
	const proposed = items.filter((item) => newIds.includes(markOf(item)?.id ?? ''));
	const found = [...missed.flatMap(({ items: made }) => made), ...proposed];
	failIfEmpty(context, found);
	const output = found.map(withoutMark);
	if (output.length === 0) endWithoutItems(context);
	return [output];
}

/**
 * Fails the execution if all its runs have no data and the user wants an error. Next to other runs, their items say so.
 *
 * @throws NodeOperationError
 */
function failIfEmpty(context: IExecuteFunctions, items: Item[]): void {
	const failures = items.flatMap((item) => failureIn(item) ?? []);
	if (failures.length === 0 || failures.length < items.length) return;
	throw new NodeOperationError(context.getNode(), [...new Set(failures)].join('. '), {
		description: "To ignore such runs, change 'If No Data'",
	});
}

const markOf = ({ [RUN_MARK]: mark }: INodeExecutionData): RunMark | undefined =>
	RunMark.safeParse(mark).data;

/** Whether an item comes from a run, and doesn't only start a search. */
const hasRun = (item: INodeExecutionData): boolean => {
	const mark = markOf(item);
	return mark === undefined || mark.id !== undefined;
};

const withoutMark = ({ json, binary }: INodeExecutionData): Item =>
	binary ? { json, binary } : { json };

/** Ends the execution here, even if the node always outputs data. */
function endWithoutItems(context: IExecuteFunctions): void {
	context.logger.debug(`${context.getNode().name}: there are no new runs`);
	const entry = liveEntry(context);
	if (entry) entry.node = { ...entry.node, alwaysOutputData: false };
}
