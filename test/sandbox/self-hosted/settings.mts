import { IANAZone } from 'luxon';
import { z } from 'zod';

export const selfHostedSettings = {
	/**
	 * The API as documented, or as observed on a real server in mid-2026: data as one object, HTML errors, `/api/sdk`
	 * instead of schedule endpoints, one error for all failed runs, unordered lists. It also affects deliveries and
	 * browsers.
	 */
	selfHostedForm: z.enum(['documented', 'observed']).default('documented'),
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
	/** Observed form only: without `/api/sdk`, with it, or with monitoring and documents below it. */
	selfHostedSdk: z.enum(['none', 'observed', 'newer']).default('observed'),
	/** How the server responds to an unknown path: like Express (a real server), or in another form. */
	selfHostedUnknownRoute: z.enum(['express', 'html', 'json', 'text']).default('express'),
	/** Whether the file store is down. Screenshots are then data, and their URLs don't respond. */
	selfHostedFileStoreDown: z.boolean().default(false),
};

export type SelfHostedForm = z.infer<(typeof selfHostedSettings)['selfHostedForm']>;
export type UnknownRoute = z.infer<(typeof selfHostedSettings)['selfHostedUnknownRoute']>;
