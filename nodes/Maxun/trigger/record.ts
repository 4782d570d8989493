import { z } from 'zod';

/** The trigger's webhooks in Maxun, as n8n stores them. They don't say which runs are processed. */
const TriggerRecord = z.object({
	/** The webhook URL of the last publication, which a copy of the database doesn't share. Polls can't read it. */
	url: z.string().optional().catch(undefined),
	/** `url` and `events` are empty if a webhook may be turned off. */
	webhooks: z
		.array(z.object({ robotId: z.string(), id: z.string(), url: z.string(), events: z.string() }))
		.catch([]),
	/** Whether a sample event has reached the URL; undefined if the server doesn't say. */
	isReached: z.boolean().optional().catch(undefined),
	/** Robot IDs by name, and the server and team that have them. */
	names: z
		.object({ server: z.string(), ids: z.record(z.string(), z.string()) })
		.catch({ server: '', ids: {} }),
	removedAt: z.number().optional().catch(undefined),
});
export type TriggerRecord = z.output<typeof TriggerRecord>;
export type Registered = TriggerRecord['webhooks'][number];

/** Replaces missing and damaged parts of saved data. */
export const readRecord = (saved: unknown): TriggerRecord =>
	TriggerRecord.safeParse(saved).data ?? TriggerRecord.parse({});

/** An event's sender can't choose the robot in it. */
export const webhookUrl = (url: string, robotId: string): string =>
	`${url}?${new URLSearchParams({ robot: robotId }).toString()}`;

/** The robots without a webhook that has the current URL and these events. */
export const robotsWithout = (
	{ url = '', webhooks }: TriggerRecord,
	robotIds: string[],
	events: string[],
): string[] =>
	robotIds.filter((robotId) => {
		const own = webhooks.find((webhook) => webhook.robotId === robotId);
		return own?.url !== webhookUrl(url, robotId) || own.events !== events.join();
	});
