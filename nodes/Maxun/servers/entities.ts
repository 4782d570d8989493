import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** Keeps unknown fields unchanged, without reading their content, because data can be large. */
const kept = z.custom<IDataObject[string]>().optional();

const id = z.union([z.string().min(1), z.number().transform(String)]);

/** A robot or an agent, with the fields of the API. */
export const Robot = z
	.object({
		id,
		name: z.string().catch(''),
		type: z.string().optional(),
		status: z.string().optional(),
	})
	.catchall(kept);
export type Robot = z.output<typeof Robot>;

/** A run. Listed runs have all fields except `data`. */
export const Run = z
	.object({
		id,
		status: z.string(),
		robotId: z.string().nullish(),
		robotName: z.string().nullish(),
	})
	.catchall(kept);
export type Run = z.output<typeof Run>;

/** The response to a start. If the ID field has another name, the ID is the end of `url`. */
export const StartResponse = z
	.object({
		id: id.optional(),
		runId: id.optional(),
		status: z.string().optional(),
		url: z.string().optional(),
	})
	.catchall(kept)
	.transform((run, context) => {
		const found = run.id ?? run.runId ?? run.url?.split('/').filter(Boolean).pop();
		if (found) return { ...run, id: found };
		context.addIssue({ code: 'custom', message: 'contains no run ID' });
		return z.NEVER;
	});
export type StartResponse = z.output<typeof StartResponse>;

/**
 * A webhook of a robot. The name of its ID field isn't documented. `id` is empty if there is none. Accepts invalid
 * webhooks of others, so that ours are found.
 */
export const Webhook = z
	.object({
		url: z.string().catch(''),
		active: z.boolean().optional().catch(undefined),
		events: z.array(z.string()).optional().catch(undefined),
		retryAttempts: z.number().optional().catch(undefined),
		retryDelay: z.number().optional().catch(undefined),
		timeout: z.number().optional().catch(undefined),
	})
	.catchall(kept)
	.transform((webhook) => ({
		...webhook,
		id: id.catch('').parse(webhook.id ?? webhook.webhookId ?? webhook.webhook_id ?? webhook._id),
	}));
export type Webhook = z.output<typeof Webhook>;

/** Any object, unchanged. */
export const AnyObject = z.object({}).catchall(kept);

/** A list: an array, or an object that contains one. */
export function listOf<T>(entry: z.ZodType<T, z.ZodTypeDef, unknown>) {
	return z.preprocess((value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? [];
		return Object.values(value).find(Array.isArray) ?? value;
	}, z.array(entry));
}

/** The ID of a new entry, regardless of the field's name. */
export const idOf = (entry: IDataObject): string | undefined =>
	[entry.id, entry.robotId, entry.agentId, entry._id].find(
		(value): value is string => typeof value === 'string' && value !== '',
	);

const ENDED = ['success', 'failed', 'aborted'];
const ACTIVE = ['queued', 'scheduled', 'running', 'aborting'];

/** Whether the run has ended: by its status, or by its end time if the status is unknown. */
export const hasEnded = (run: Run) =>
	ENDED.includes(run.status) || (!ACTIVE.includes(run.status) && Boolean(run.finishedAt));
