import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { MaxunFault } from '../../http/fault';
import { isObject } from '../../http/values';
import type { ItemState } from '../types';
import { pastPause } from './engineRequest';

/** An item. Its data isn't read, because it can be large. */
const Item = z.custom<INodeExecutionData>((value) => isObject(value) && isObject(value.json));

const Fields = z.custom<IDataObject>(isObject).optional();

const kind = z.enum(['robot', 'agent']);

const Run = z.object({
	runId: z.string(),
	robotId: z.string(),
	temporary: kind.optional(),
	duplicateOf: z.string().optional(),
	fields: Fields,
	response: Fields,
});

const Robot = z.object({ kind, robotId: z.string() });

const leftover = Robot.extend({ reason: z.string() }).optional();

const tries = z.number().optional();

const State: z.ZodType<ItemState> = z.union([
	z.object({
		todo: z.literal(true),
		since: z.number().optional(),
		busy: z.string().optional(),
		robot: Robot.optional(),
		tries,
	}),
	z.object({
		items: z.array(Item),
		skipped: z.string().optional(),
		empty: z.string().optional(),
		leftover,
	}),
	z.object({
		error: z.object({ message: z.string(), description: z.string().optional() }),
		continuing: Run.optional(),
		final: z.literal(true).optional(),
		leftover,
		tries,
	}),
	z.object({ run: Run, since: z.number(), tries }),
]);

/** What n8n stores of the node while the execution is paused. */
const SavedPause = z.object({
	/** The states of each item's entries. */
	states: z.array(z.array(State)),
	/** When a run last started or ended, in epoch milliseconds. */
	progress: z.number(),
});
export type SavedPause = z.output<typeof SavedPause>;

/**
 * What was stored before the pause, and why n8n could not pause the execution; undefined if there was no pause.
 *
 * `fault` says why nothing can be restored. The runs must not start again then, because that would charge them twice.
 */
export function savedPause(context: IExecuteFunctions) {
	const pause = pastPause(context);
	if (!pause) return undefined;
	const { data } = SavedPause.safeParse(pause.state);
	return { ...data, obstacle: pause.obstacle, fault: data ? undefined : unreadable() };
}

const unreadable = () =>
	new MaxunFault(
		'The stored state of this execution could not be read',
		'Its runs may continue in Maxun. Use Run: Get Many to find them, then start the workflow again. Temporary robots are deleted when the time in their names has passed',
		{ mayHaveHappened: true },
	);
