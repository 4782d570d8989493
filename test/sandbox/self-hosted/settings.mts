import { IANAZone } from 'luxon';
import { z } from 'zod';

/** The self-hosted API as documented, or as observed on a real server in mid-2026. */
export const SELF_HOSTED_FORMS = ['documented', 'observed'] as const;
export type SelfHostedForm = (typeof SELF_HOSTED_FORMS)[number];

/** Server versions: without `/api/sdk`, with it, and with monitoring and documents below it. */
export const SDK_VERSIONS = ['none', 'observed', 'newer'] as const;

/** How the server responds to an unknown path: like Express (a real server), or in another form. */
export const UNKNOWN_ROUTES = ['express', 'html', 'json', 'text'] as const;
export type UnknownRoute = (typeof UNKNOWN_ROUTES)[number];

export const selfHostedSettings = {
	/**
	 * `observed`: data as one object, HTML errors, `/api/sdk` instead of schedule endpoints, one error for all failed
	 * runs, unordered lists. This setting also affects deliveries and browsers.
	 */
	selfHostedForm: z.enum(SELF_HOSTED_FORMS).default('documented'),
	/** Browsers per user in the observed form. Further runs are rejected. */
	selfHostedSlots: z.number().int().min(0).default(2),
	/** Whether a start request returns at once instead of waiting for the run. */
	selfHostedAnswersAtOnce: z.boolean().default(false),
	/** How often a waiting request checks the run, in seconds (2 on a real server). */
	selfHostedStepSeconds: z.number().positive().default(0.1),
	/** Seconds until a waiting request loses its connection, as with a proxy; null = never. */
	selfHostedCutAfterSeconds: z.number().min(0).nullable().default(null),
	/**
	 * The server reads a robot's webhooks, waits this many seconds, and writes them back with a delivery's time. This
	 * undoes changes in the meantime (0 = never).
	 */
	selfHostedWriteBackSeconds: z.number().min(0).default(0),
	/** The server's time zone. Its local dates omit the zone. */
	selfHostedTimezone: z
		.string()
		.refine((zone) => IANAZone.isValidZone(zone), 'must be an IANA zone')
		.default('UTC'),
	/** Whether the database is down, so that the server can't check keys. */
	selfHostedDatabaseDown: z.boolean().default(false),
	/** How many seconds a run's browser needs to start. A run that is canceled earlier blocks its browser. */
	selfHostedAbortLosesSlotSeconds: z.number().min(0).default(0),
	/** The version of `/api/sdk`. Observed form only. */
	selfHostedSdk: z.enum(SDK_VERSIONS).default('observed'),
	selfHostedUnknownRoute: z.enum(UNKNOWN_ROUTES).default('express'),
	/** Whether the file store is down. Screenshots then stay data, and their URLs don't respond. */
	selfHostedFileStoreDown: z.boolean().default(false),
};
