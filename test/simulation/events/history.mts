import fc from 'fast-check';
import { faults, type FaultTime } from './faults.mts';
import type { Role } from '../maxun/service.mts';
import { often } from '../random.mts';
import type { PageState, Refusal } from './maxun/account.mts';
import { events, type EventPlan } from './people.mts';
import { DURATION, runs, type RunArrival } from './runs.mts';

/** Everything that happens in a simulation of the triggers. Plain data, so that it can be printed. */
export interface History {
	seed: number;
	/** The date on which it begins. */
	date: string;
	server: 'cloud' | 'selfHosted';
	/** The second account, team or server that the users have. */
	other: 'account' | 'team' | 'server';
	/** The user's role in the account or team. */
	role: Role;
	service: {
		/** The number of browsers. */
		slots: number;
		/** How late lists and runs show a change, in milliseconds. */
		lag: number;
		deliveries: 'snake' | 'camel' | 'flat' | 'without ID' | 'unknown field';
		rateLimit: number;
		/** A self-hosted server's time zone. */
		timezone: string;
		locale: string;
		/** By how many milliseconds its clock is ahead. */
		clockLead: number;
	};
	/** The second server's time zone. */
	otherTimezone: string;
	/** Whether the credentials of self-hosted servers contain the time zones. */
	knowsTimeZone: boolean;
	host: {
		/** The number of webhook processors. If there are none, the main process receives the events. */
		processors: number;
		/** How long n8n takes to store an execution at most, in seconds. */
		storing: number;
		/** Seconds between two polls. */
		pollInterval: number;
		/** The probability that n8n can't store an execution. */
		notStored: number;
		durableCursors: boolean;
		hooks: 'first' | 'apart' | 'not at start';
	};
	/** What is at the URL that n8n is configured with. */
	url: 'right' | 'nobody' | 'a page with 404' | 'a page with 502';
	/** The share of events that faults affect. */
	deliveries: DeliveryFaults;
	robots: number;
	/** How many webhooks of other programs each robot has. */
	foreignWebhooks: number;
	/** How many of each robot's runs ended before anything was published. */
	oldRuns: number;
	/** How many runs are queued when the first workflow is published. */
	queuedRuns: number;
	/** Robots whose lists contain odd entries. */
	oddRobots: number[];
	/** Robots whose lists are rejected during the whole history. */
	refused: Array<{ robot: number; status: Refusal }>;
	/** n8n is off for an hour, and this many runs end in the meantime. Seconds. */
	outage?: { at: number; runs: number };
	workflows: WorkflowPlan[];
	/** What happens to the watched pages; they change, unless a state is given. Seconds. */
	pages: Array<{ at: number; state?: PageState; seconds: number }>;
	runs: RunArrival[];
	faults: FaultTime[];
	events: EventPlan[];
}

/** Probabilities from 0 to 1. */
export interface DeliveryFaults {
	/** Maxun sends it twice at the same time. */
	twice: number;
	/** It doesn't arrive. */
	lost: number;
	/** It arrives, but Maxun has disconnected and gets no response. */
	responseLost: number;
}

export interface WorkflowPlan {
	/** Robots by number; empty for all robots. An expression may list a robot twice. */
	robots: number[];
	/** Watches a page instead. Minutes between two checks. */
	page?: { every: number; deletesRobot: boolean };
	failedToo: boolean;
	abortedToo: boolean;
	webhook: boolean;
	/** Whether another node in the workflow polls and stores data, too. */
	hasOtherPoll: boolean;
	/** Whether a node behind the trigger stores data, too. */
	writesData: boolean;
	/** Seconds. */
	publishedAt: number;
}

const someRobots = fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 });

const workflow: fc.Arbitrary<WorkflowPlan> = fc.record({
	robots: fc.oneof(
		{ weight: 5, arbitrary: someRobots },
		fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 4 }),
		{ weight: 2, arbitrary: fc.constant<number[]>([]) },
		fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
	),
	// A third of the histories watch a page.
	page: fc.option(fc.record({ every: fc.constantFrom(15, 20, 55), deletesRobot: fc.boolean() }), {
		freq: 3,
		nil: undefined,
	}),
	failedToo: fc.boolean(),
	abortedToo: often(false, true),
	webhook: often(true, false),
	hasOtherPoll: often(false, true),
	writesData: often(false, true),
	publishedAt: fc.integer({ min: 30, max: 600 }),
});

const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York'];

const service: fc.Arbitrary<History['service']> = fc.record({
	slots: fc.constantFrom(3, 20),
	lag: often(0, 300, 2_000),
	deliveries: fc.constantFrom('snake', 'camel', 'flat', 'without ID', 'unknown field'),
	rateLimit: often(100_000, 300, 60),
	timezone: often('UTC', ...ZONES),
	locale: often('en-US', 'en-GB', 'de-DE', 'sv-SE'),
	clockLead: often(0, -90_000, 40_000, 600_000),
});

const rarely = often(0, 0.1, 0.5);

/** A usual day, and the days on which New York's clocks are set forward and back. */
const date = often('2026-01-05T12:00:00Z', '2026-03-08T05:30:00Z', '2026-11-01T04:30:00Z');

const host = fc
	.record({
		processors: fc.constantFrom(0, 0, 1, 2, 3),
		storing: often(0, 2, 90),
		pollInterval: often(300, 60, 3600, 24 * 3600),
		notStored: often(0, 0.1),
		durableCursors: often(false, true),
		hooks: fc.constantFrom<History['host']['hooks']>('first', 'apart', 'not at start'),
	})
	// The versions that call hooks first have no durable cursors.
	.map((values) => ({
		...values,
		durableCursors: values.durableCursors && values.hooks !== 'first',
	}));

const anyHistory: fc.Arbitrary<History> = fc.record({
	seed: fc.integer(),
	date,
	server: often<History['server']>('cloud', 'selfHosted'),
	other: fc.constantFrom('account', 'team', 'server'),
	role: often<Role>('admin', 'member', 'viewer'),
	service,
	otherTimezone: fc.constantFrom(...ZONES),
	knowsTimeZone: fc.boolean(),
	host,
	url: often<History['url']>('right', 'right', 'nobody', 'a page with 404', 'a page with 502'),
	deliveries: fc.record({ twice: rarely, lost: rarely, responseLost: rarely }),
	robots: often(3, 12),
	foreignWebhooks: often(1, 0, 10),
	oldRuns: often(3, 0, 20, 120),
	queuedRuns: often(0, 5, 120),
	oddRobots: often<number[]>([], [0], [1]),
	refused: often<History['refused']>(
		[],
		[{ robot: 0, status: 403 }],
		[{ robot: 1, status: 404 }],
		[{ robot: 0, status: 500 }],
	),
	workflows: fc.array(workflow, { minLength: 1, maxLength: 2 }),
	pages: fc.array(
		fc.record({
			at: fc.integer({ min: 0, max: DURATION }),
			state: often<PageState | undefined>(undefined, 'failed', 'empty'),
			// In six hours, it is checked more often than runs are searched.
			seconds: often(1800, 60, 6 * 3600),
		}),
		{ maxLength: 5 },
	),
	runs,
	faults,
	events,
	outage: often<History['outage']>(
		undefined,
		undefined,
		{ at: 1200, runs: 20 },
		{ at: 1200, runs: 100 },
		{ at: 1200, runs: 400 },
	),
});

/** If each poll lists more runs than this, polling every minute takes a long time and shows nothing new. */
const MANY_RUNS = 150;

/** With daily polls, a history takes days. */
const DAY = 24 * 3600;

/** Histories in which nothing, one or several things go wrong. */
export const history: fc.Arbitrary<History> = anyHistory.map((any) => {
	const isLong = any.host.pollInterval >= DAY;
	const workflows = any.workflows.map(({ page, ...plan }) => ({
		...plan,
		page: page && { ...page, every: isLong ? 55 : page.every },
	}));
	const played = { ...any, workflows };
	const { host, oldRuns, queuedRuns, outage, runs: single } = played;
	const listed = oldRuns + queuedRuns + (outage?.runs ?? 0) + single.length;
	if (listed <= MANY_RUNS) return played;
	return { ...played, host: { ...host, pollInterval: Math.max(300, host.pollInterval) } };
});
