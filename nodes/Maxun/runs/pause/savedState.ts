import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { StartedRun } from '../types';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An item. Its data isn't read, because it can be large. */
const Item = z.custom<INodeExecutionData>(
	(value) => isObject(value) && 'json' in value && isObject(value.json),
);

const Fields = z.custom<IDataObject>(isObject).optional();

const SavedRun: z.ZodType<StartedRun> = z.object({
	runId: z.string(),
	robotId: z.string(),
	temporary: z.enum(['robot', 'agent']).optional(),
	fields: Fields,
	response: Fields,
});

/** What n8n stores of an execution while it is paused. */
export const SavedState = z.object({
	/** The output of each input item; empty for items that wait for a run. */
	outputs: z.array(z.array(Item)),
	runs: z.array(
		z.object({
			itemIndex: z.number(),
			/** Empty for the credential's own team. */
			teamId: z.string(),
			/** When the run was started, in epoch milliseconds. */
			since: z.number(),
			started: SavedRun,
		}),
	),
	/** The robots with a webhook of this execution. */
	robots: z.array(z.object({ teamId: z.string(), robotId: z.string() })),
});
export type SavedState = z.output<typeof SavedState>;
