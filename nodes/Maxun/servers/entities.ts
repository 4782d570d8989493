import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { ResponseSchema } from '../http/request';
import { isEmpty, isObject, isText } from '../http/values';

/** Keeps unknown fields unchanged, without reading their content, because data can be large. */
const other = z.custom<IDataObject[string]>().optional();

export const id = z.union([z.string().min(1), z.number().transform(String)]);

/** Undefined instead of an error, so that an odd field doesn't discard the whole list. */
const lenient = <S extends z.ZodTypeAny>(schema: S) => schema.optional().catch(undefined);

export const Robot = z
	.object({
		id,
		name: z.string().catch(''),
		type: lenient(z.string()),
		status: lenient(z.string()),
	})
	.catchall(other);
export type Robot = z.output<typeof Robot>;

export const Run = z
	.object({
		id,
		status: z.string().catch('unknown'),
		robotId: z.string().nullish().catch(undefined),
		robotName: z.string().nullish().catch(undefined),
	})
	.catchall(other);
export type Run = z.output<typeof Run>;

export const ListedRun = Run.transform((run) => {
	delete run.data;
	return run;
});
export type ListedRun = z.output<typeof ListedRun>;

const isSameId = (id: unknown, wanted = '') =>
	String(id).toLowerCase() === wanted.trim().toLowerCase();

const IDS = ['id', 'robotId', 'runId'] as const;
type Ids<T> = Partial<Record<(typeof IDS)[number], T>>;

/** Rejects a response about another entry. It may leave out its IDs. */
export const about = <T extends Ids<unknown>>(entry: ResponseSchema<T>, wanted: Ids<string>) =>
	entry.refine(
		(found) =>
			IDS.every((name) => !wanted[name] || !found[name] || isSameId(found[name], wanted[name])),
		`contains another ${Object.keys(wanted).join(' or ')}`,
	);

export const StartResponse = z.object({ id, status: lenient(z.string()) }).catchall(other);
export type StartResponse = z.output<typeof StartResponse>;

/** The ID field isn't documented. Accepts other clients' invalid webhooks, so that this node finds its own. */
export const Webhook = z
	.object({
		url: z.string().catch(''),
		active: lenient(z.boolean()),
		events: lenient(z.array(z.string())),
		retryAttempts: lenient(z.number()),
		retryDelay: lenient(z.number()),
		timeout: lenient(z.number()),
	})
	.catchall(other)
	.transform((webhook) => ({
		...webhook,
		id: id.catch('').parse(webhook.id ?? webhook.webhookId ?? webhook.webhook_id ?? webhook._id),
	}));
export type Webhook = z.output<typeof Webhook>;

export const AnyObject = z.object({}).catchall(other);

/** For what the documentation promises. An empty response would look like an entry without settings. */
export const AnyEntry = AnyObject.refine((entry) => !isEmpty(entry), 'contains nothing');

/** Without its ID, nothing can use or delete what was just created. */
export const Identified = AnyObject.refine((entry) => idOf(entry) !== undefined, 'contains no ID');

/** A page of a list: an array, or an object that contains an array. Prefers an array of objects. */
export function pageOf<T>(entry: ResponseSchema<T>) {
	return z.preprocess(
		(value) => {
			if (!isObject(value)) return value;
			const lists = Object.values(value).filter((inner) => Array.isArray(inner));
			return lists.find((list) => list.some(isObject)) ?? lists[0] ?? value;
		},
		// An odd entry must not discard the others. It keeps its place, because the length shows whether more entries follow.
		z
			.array(z.unknown())
			.transform((entries) => entries.map((given) => entry.safeParse(given).data))
			// Otherwise, a robot would seem to have no runs, and its old runs would be new in the next list.
			.refine(
				(entries) => entries.length === 0 || entries.some((found) => found !== undefined),
				'contains no readable entry',
			),
	);
}

export const listOf = <T>(entry: ResponseSchema<T>) =>
	pageOf(entry).transform((entries) => entries.filter((found) => found !== undefined));

/** The node deletes copies, but never the robot itself. */
export const copyOf = (entry: ResponseSchema<IDataObject>, robotId: string) =>
	entry.refine((copy) => !isSameId(idOf(copy), robotId), 'contains the robot itself');

export const idOf = (entry: IDataObject): string | undefined =>
	[entry.id, entry.robotId, entry.agentId, entry._id].find(isText);

export const ENDED = ['success', 'failed', 'aborted'];
export const ACTIVE = ['queued', 'scheduled', 'running', 'aborting'];

/** For an unknown status without an end time, both this and `hasEnded` are false. */
export const isActive = ({ status }: Run) => ACTIVE.includes(status);

export const hasEnded = (run: Run) =>
	ENDED.includes(run.status) || (!ACTIVE.includes(run.status) && Boolean(run.finishedAt));
