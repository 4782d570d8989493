import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { MaxunFault } from '../../http/fault';
import { isObject } from '../../http/values';
import type { ItemState } from '../types';
import { pastPause } from './engineRequest';

const KINDS = ['todo', 'run', 'items', 'error'];

/** A state, of which only the kind is checked. Data can be large. */
const State = z.custom<ItemState>(
	(value) => isObject(value) && KINDS.some((kind) => kind in value),
);

/** What n8n stores of the node while the execution is paused. */
const SavedPause = z.object({
	/** The states of each item's entries. */
	states: z.array(z.array(State)),
	/** When a run last started or ended, in epoch milliseconds. */
	progress: z.number(),
	/** Number of earlier attempts with Retry On Fail. */
	attempts: z.number(),
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
		'Its runs may continue in Maxun. Use Run: Get Many to find them, then start the workflow again. Temporary robots are deleted once they have expired',
		{ mayHaveHappened: true },
	);
