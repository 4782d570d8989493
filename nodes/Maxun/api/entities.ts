import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** Known fields are checked, all others kept as they came; nothing deeper is walked, as data can be large. */
const kept = z.custom<IDataObject[string]>().optional();

const id = z.union([z.string().min(1), z.number().transform(String)]);

/** A robot or an agent; `type`, `status` and the rest as in the API. */
export const Robot = z
	.object({
		id,
		name: z.string().catch(''),
		type: z.string().optional(),
		status: z.string().optional(),
	})
	.catchall(kept);
export type Robot = z.output<typeof Robot>;

/** A run, with `data` when it was read by its id. */
export const Run = z
	.object({
		id,
		status: z.string(),
		robotId: z.string().nullish(),
		robotName: z.string().nullish(),
	})
	.catchall(kept);
export type Run = z.output<typeof Run>;

/** The answer to starting a run. The id also stands at the end of `url`, should the field go by another name. */
export const StartedRun = z
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
		context.addIssue({ code: 'custom', message: 'holds no run ID' });
		return z.NEVER;
	});
export type StartedRun = z.output<typeof StartedRun>;

/**
 * A webhook of a robot. The name of its identifier is not documented; empty where there is none. Whatever others have
 * registered must not keep our own from being found.
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

/** The caller, with the teams that `x-team-id` accepts. */
export const Me = z
	.object({
		teams: z
			.array(
				z.object({ id, name: z.string().catch(''), role: z.string().optional() }).catchall(kept),
			)
			.catch([]),
	})
	.catchall(kept);

/** Any object, as it came. */
export const Anything = z.object({}).catchall(kept);

/** What the service may wrap an entry into. */
const WRAPPERS = ['robot', 'agent', 'run', 'schedule', 'monitoring', 'webhook', 'diff'];

/**
 * The entry in an answer whose form is not documented: the entry itself, one wrapped under its kind, or none at all,
 * which is an empty object.
 */
export const Reply = z.unknown().transform((value): IDataObject => {
	const reply = Anything.safeParse(Array.isArray(value) ? value[0] : value);
	if (!reply.success) return {};
	const keys = Object.keys(reply.data);
	const wrapper = WRAPPERS.find((name) => keys.includes(name) && !keys.includes('id'));
	if (!wrapper) return reply.data;
	const inner = Anything.safeParse(reply.data[wrapper]);
	return inner.success ? inner.data : {};
});

/** The id of an entry that was created, under whichever name it goes. */
export const idOf = (reply: IDataObject): string | undefined =>
	[reply.id, reply.robotId, reply.agentId, reply._id].find(
		(value): value is string => typeof value === 'string' && value !== '',
	);

/** A list in any of the forms it may come in: the array itself, or an object that holds it under some key. */
export function listOf<T>(entry: z.ZodType<T, z.ZodTypeDef, unknown>) {
	return z.preprocess((value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? [];
		return Object.values(value).find(Array.isArray) ?? value;
	}, z.array(entry));
}

const ENDED = ['success', 'failed', 'aborted'];
const UNDER_WAY = ['queued', 'scheduled', 'running', 'aborting'];

/** Whether the run is over: by its status, or, for a status that is not known, by its end time. */
export const hasEnded = (run: Run) =>
	ENDED.includes(run.status) || (!UNDER_WAY.includes(run.status) && Boolean(run.finishedAt));
