import { z } from 'zod';
import { selfHostedSettings } from './self-hosted/settings.mts';

const schema = z
	.object({
		/** Browsers per account or team. Further runs wait in a queue. */
		slots: z.number().int().min(0).default(5),
		/** A run's minimum duration, in seconds. */
		runSeconds: z.number().min(0).default(0.3),
		rateLimitPerMinute: z.number().int().min(0).default(6000),
		/** The rate window's length in seconds (60 on the real service). */
		rateWindowSeconds: z.number().positive().default(60),
		webhookDelaySeconds: z.number().min(0).default(0),
		/** A run event's format: documented envelope, camel-case formats or flat. */
		deliveryShape: z.enum(['snake', 'camel', 'camelNoId', 'flat']).default('snake'),
		/** How often each successful delivery is sent (1 = once). */
		deliveryCopies: z.number().int().min(1).default(1),
		allowPrivateWebhooks: z.boolean().default(true),
		/** How long an agent stays `creating`, in seconds. */
		agentBuildSeconds: z.number().min(0).default(0.5),
		/** The undocumented response to a deletion: `{data: {id}}`, only `{success}`, or an empty 204. */
		deleteAnswer: z.enum(['data', 'success', 'empty']).default('data'),
		/** Whether agents are only found under `/agents`, and not under `/robots`. */
		agentsApart: z.boolean().default(false),
		/** After how many rows or pages a run stops early and is partial; null = never. */
		runsStopAfterRows: z.number().int().min(0).nullable().default(null),
		hostedSdk: z.boolean().default(true),
		...selfHostedSettings,
	})
	.strict();

export type Settings = z.infer<typeof schema>;

export const settingsPatch = schema.partial();

export const DEFAULT_SETTINGS: Settings = schema.parse({});
