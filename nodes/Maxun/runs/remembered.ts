import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Started } from '../core/operation';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An item; its data, which can be large, is not walked. */
const Item = z.custom<INodeExecutionData>(
	(value) => isObject(value) && 'json' in value && isObject(value.json),
);

const Fields = z.custom<IDataObject>(isObject).optional();

const StartedEarlier: z.ZodType<Started> = z.object({
	runId: z.string(),
	robotId: z.string(),
	temporary: z.enum(['robot', 'agent']).optional(),
	fields: Fields,
	answer: Fields,
});

/** What an execution remembers of itself while it waits in n8n's database. */
export const Remembered = z.object({
	/** The output of each input item; empty for those that are waited for. */
	outputs: z.array(z.array(Item)),
	runs: z.array(
		z.object({
			itemIndex: z.number(),
			/** The team, empty for the credential's own. */
			scope: z.string(),
			/** Epoch milliseconds. */
			since: z.number(),
			started: StartedEarlier,
		}),
	),
	robots: z.array(z.object({ scope: z.string(), robotId: z.string() })),
});
export type Remembered = z.output<typeof Remembered>;
