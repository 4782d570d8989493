import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../http/values';
import type { Hint } from '../results/hint';
import type { StartedRun, TemporaryRobot } from '../runs/types';

export type HintArguments = Parameters<Hint>;

interface ItemError {
	message: string;
	description?: string;
	/** The reason only, for a list of pages. */
	reason: string;
	/** The data that failed a check. The error item contains it instead of the description. */
	data?: IDataObject;
}

/** What a pause and the next attempt need to know about one of an input item's tasks. */
export type ItemState =
	| {
			todo: true;
			/** When the node first tried to start the run, in epoch milliseconds. */
			begunAt?: number;
			busy?: string;
			robot?: TemporaryRobot;
			/** What a repair of its robot has changed, after which its run starts again. */
			repaired?: string;
			earlier?: ItemError;
	  }
	| {
			run: StartedRun;
			/**
			 * When the node first saw that Maxun was working on the run; until then, when the run started. Epoch
			 * milliseconds.
			 */
			begunAt: number;
			isWorking?: true;
	  }
	| {
			items: INodeExecutionData[];
			runId?: string;
			isRead?: boolean;
			/** How long Maxun worked on the run, in milliseconds. */
			took?: number;
			hints?: HintArguments[];
	  }
	| {
			error: ItemError;
			hints?: HintArguments[];
			/** Whether no other attempt may begin, because it would fail, too, or could do something twice. */
			isLast?: true;
	  };

const KINDS = ['todo', 'run', 'items', 'error'];

/** What an execution remembers during a pause, and for the next attempt. n8n stores it while the execution is paused. */
export const ExecutionState = z.object({
	/** The states of each item's tasks. Only their kind is checked, because the data can be large. */
	states: z.array(
		z.array(z.custom<ItemState>((value) => isObject(value) && KINDS.some((kind) => kind in value))),
	),
	/** Robot IDs by the names that parameters contain. */
	names: z.record(z.string(), z.string()),
	/** Number of attempts with Retry On Fail so far. n8n's own count restarts after a pause. */
	attempts: z.number(),
	/** Missing until runs may start. */
	budget: z
		.object({
			/** The account's credits before the first run, for the hint at the end. Missing if they weren't read. */
			credits: z.number().optional(),
			/** Number of runs that the execution has started, in all attempts. */
			started: z.number(),
		})
		.optional(),
	/** When a run last started or ended, in epoch milliseconds. */
	lastActivity: z.number(),
});
export type ExecutionState = z.output<typeof ExecutionState>;
export type Budget = NonNullable<ExecutionState['budget']>;
