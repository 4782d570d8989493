import { z } from 'zod';
import { SELF_HOSTED_DEFAULTS, selfHostedSettings } from './self-hosted/settings.mts';

/** The form in which run events are sent to webhooks: documented envelope, camel-case forms, or a flat one. */
export const DELIVERY_SHAPES = ['snake', 'camel', 'camelNoId', 'flat'] as const;

const schema = z
	.object({
		/** Browser slots of each account or team: runs beyond them wait in a queue. */
		slots: z.number().int().min(0),
		/** Least duration of a run, in seconds; real work may take longer. */
		runSeconds: z.number().min(0),
		/** Requests for each key and category in one window. */
		rateLimitPerMinute: z.number().int().min(0),
		/** Length of the rate window in seconds (60 on the real service). */
		rateWindowSeconds: z.number().positive(),
		/** Delay before a delivery is first sent, in seconds. */
		webhookDelaySeconds: z.number().min(0),
		deliveryShape: z.enum(DELIVERY_SHAPES),
		/** How often each successful delivery is sent (1 = once), to imitate repeats. */
		deliveryCopies: z.number().int().min(1),
		/** Whether webhooks may point to this machine and to private networks. */
		allowPrivateWebhooks: z.boolean(),
		/** How long an agent stays `creating`, in seconds. */
		agentBuildSeconds: z.number().min(0),
		/** Whether there is a browser for screenshots; false imitates a machine without Chromium. */
		screenshots: z.boolean(),
		/** The undocumented answer to a deletion: `{data: {id}}`, `{success}` alone, or 204 without a body. */
		deleteAnswer: z.enum(['data', 'success', 'empty']),
		...selfHostedSettings,
	})
	.strict();

export type Settings = z.infer<typeof schema>;

export const settingsPatch = schema.partial();

/** The settings a sandbox starts with. */
export const DEFAULT_SETTINGS: Settings = {
	slots: 5,
	runSeconds: 0.3,
	rateLimitPerMinute: 6000,
	rateWindowSeconds: 60,
	webhookDelaySeconds: 0,
	deliveryShape: 'snake',
	deliveryCopies: 1,
	allowPrivateWebhooks: true,
	agentBuildSeconds: 0.5,
	screenshots: true,
	deleteAnswer: 'data',
	...SELF_HOSTED_DEFAULTS,
};
