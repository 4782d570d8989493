import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { recover } from '../http/fault';
import { liveEntry } from '../n8n/internals';
import { capturedOf } from '../results/captured';
import { withScreenshots } from '../results/screenshots';
import type { Item } from '../results/types';
import { failureIn } from './event';
import { markedRun, recordRuns, stateOf } from './processedRuns';
import type { ReadRun } from './runList';
import { readSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';

/** The property of an item with its run, until the trigger emits the item. */
const RUN_MARK = 'maxunRun';

/** The run that an item belongs to. An item without ID only makes n8n save data. */
const RunMark = z.object({
	id: z.string().optional(),
	status: z.string().default(''),
	robotId: z.string().nullish(),
	end: z.number().default(0),
	note: z.string().optional(),
});
type RunMark = z.output<typeof RunMark>;

export type MarkedItem = Item & { [RUN_MARK]: RunMark };

export const markItems = ({ run, items, note }: ReadRun): MarkedItem[] =>
	items.map((item) => ({
		...item,
		[RUN_MARK]: { ...markedRun(run), robotId: run.robotId, note },
	}));

/** Starts an execution only so that n8n saves the cursor. `emitOnce` drops it. */
export const savingItem: MarkedItem = { json: {}, [RUN_MARK]: { status: '', end: 0 } };

/**
 * Begins the execution: emits the proposed items, without runs that another execution has emitted. Tests in the editor
 * and retried executions emit all items. Doesn't change static data, which would overwrite later changes.
 *
 * @throws NodeOperationError if the user wants that for runs without data
 */
export async function emitOnce(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const trigger = readTriggerNode(context, false);
	const items = context.getInputData();
	const decides = ['webhook', 'trigger'].includes(context.getMode());
	const runs = runsOf(items);
	const states = [...runs.keys()];
	const isNew = new Set(decides ? await recordRuns(context, states, trigger.warn) : states);
	const { started, lookedAt } = trigger.memory;
	// For the polls of this process. A worker in queue mode doesn't poll.
	if (decides && lookedAt !== undefined) for (const [state, run] of runs) started.set(state, run);
	const emitted = items.filter((item) => {
		const run = runOf(item);
		// Pinned data doesn't have marks.
		return run ? isNew.has(stateOf(run)) : !markIn(item);
	});
	failIfEmpty(context, emitted);
	const output = (await addScreenshots(trigger, emitted)).map(withoutMark);
	if (output.length === 0) endWithoutItems(context);
	for (const message of new Set(emitted.flatMap((item) => markIn(item)?.note ?? [])))
		context.addExecutionHints({ message, location: 'outputPane' });
	return [output];
}

/** If other runs are fine, the execution doesn't fail. */
function failIfEmpty(context: IExecuteFunctions, items: Item[]): void {
	const failures = items.flatMap((item) => failureIn(item) ?? []);
	if (failures.length === 0 || failures.length < items.length) return;
	throw new NodeOperationError(context.getNode(), [...new Set(failures)].join('. '), {
		description: "To ignore such runs, change 'If No Data' or 'Data Checks'",
	});
}

async function addScreenshots(
	trigger: TriggerNode,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const { downloadScreenshots, teamId } = readSettings(trigger);
	const runs = runsOf(items);
	if (!downloadScreenshots || runs.size === 0) return items;
	const maxun = await trigger.connect({ teamId });
	const output = items.filter((item) => !markIn(item));
	for (const [state, { id, robotId }] of runs) {
		const own = items.filter((item) => runsOf([item]).has(state));
		const [first, ...others] = own;
		const adding = maxun.runs.get(id, robotId ? [robotId] : []).then(async (run) => {
			const { toBinary } = trigger;
			return await withScreenshots({ maxun, toBinary }, capturedOf(run), own);
		});
		output.push(
			...(await recover(adding, {
				any: ({ text }) => [
					{ ...first, json: { ...first.json, screenshotError: text } },
					...others,
				],
			})),
		);
	}
	return output;
}

const markIn = ({ [RUN_MARK]: mark }: INodeExecutionData): RunMark | undefined =>
	RunMark.safeParse(mark).data;

function runOf(item: INodeExecutionData) {
	const mark = markIn(item);
	return mark?.id === undefined ? undefined : { ...mark, id: mark.id };
}

/** The items' runs, by the result of `stateOf`, in order. */
const runsOf = (items: INodeExecutionData[]) =>
	new Map(
		items.flatMap((item) => {
			const run = runOf(item);
			return run ? [[stateOf(run), run] as const] : [];
		}),
	);

const withoutMark = ({ json, binary }: INodeExecutionData): Item =>
	binary ? { json, binary } : { json };

/** Ends the execution here, even if the node always outputs data. */
function endWithoutItems(context: IExecuteFunctions): void {
	context.logger.debug(`${context.getNode().name}: there are no new runs`);
	const entry = liveEntry(context);
	if (entry) entry.node = { ...entry.node, alwaysOutputData: false };
}
