import { IANAZone } from 'luxon';
import { z } from 'zod';

/** What the self-hosted API follows: its document, or the behaviour of a real server of mid-2026. */
export const SELF_HOSTED_FORMS = ['documented', 'observed'] as const;
export type SelfHostedForm = (typeof SELF_HOSTED_FORMS)[number];

/** The settings of the self-hosted API. */
export const selfHostedSettings = {
	/**
	 * `observed`: data as one object, HTML errors, `/api/sdk` instead of the schedule routes, one answer
	 * to all failures of a run, lists without order. It also governs deliveries and browser slots.
	 */
	selfHostedForm: z.enum(SELF_HOSTED_FORMS),
	/** Browser slots of each user in the observed form; a run beyond them is refused. */
	selfHostedSlots: z.number().int().min(0),
	/** Whether starting a run is answered at once; otherwise the answer waits for the run's end. */
	selfHostedAnswersAtOnce: z.boolean(),
	/** A waiting request looks for the run's end every so many seconds (2 on the real server). */
	selfHostedStepSeconds: z.number().positive(),
	/** Longest wait for the end of a run, in seconds; the run goes on after it. */
	selfHostedWaitSeconds: z.number().positive(),
	/** After so many seconds the connection of a waiting request is cut, as a proxy does; null = never. */
	selfHostedCutAfterSeconds: z.number().min(0).nullable(),
	/**
	 * A run started less than this many seconds after the end of another one of the user hangs until it
	 * is aborted and keeps its slot (observed form only); 0 = never.
	 */
	selfHostedHangsWithinSeconds: z.number().min(0),
	/** The server's time zone: its dates are local and do not name it. */
	selfHostedTimezone: z
		.string()
		.refine((zone) => IANAZone.isValidZone(zone), 'must be an IANA zone'),
	/** Whether the server's database cannot be reached, so that no key can be checked. */
	selfHostedDatabaseDown: z.boolean(),
};

type SelfHostedSettings = z.infer<z.ZodObject<typeof selfHostedSettings>>;

export const SELF_HOSTED_DEFAULTS: SelfHostedSettings = {
	selfHostedForm: 'documented',
	selfHostedSlots: 2,
	selfHostedAnswersAtOnce: false,
	selfHostedStepSeconds: 0.1,
	selfHostedWaitSeconds: 3 * 60 * 60,
	selfHostedCutAfterSeconds: null,
	selfHostedHangsWithinSeconds: 0,
	selfHostedTimezone: 'UTC',
	selfHostedDatabaseDown: false,
};
