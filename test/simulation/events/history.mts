import fc from 'fast-check';
import { faults } from './faults.mts';
import type { Role } from '../maxun/service.mts';
import { often, type Generated } from '../random.mts';
import type { Refusal } from './maxun/account.mts';
import { events } from './people.mts';
import { runs } from './runs.mts';

const someRobots = fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 });

const workflow = fc.record({
	/** Robots by number; empty for all robots. An expression may list a robot twice. */
	robots: fc.oneof(
		{ weight: 5, arbitrary: someRobots },
		fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 4 }),
		{ weight: 2, arbitrary: fc.constant<number[]>([]) },
		fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
	),
	failedToo: fc.boolean(),
	abortedToo: often(false, true),
	webhook: often(true, false),
	/** Whether another node in the workflow also polls and stores data. */
	hasOtherPoll: often(false, true),
	/** Whether a node behind the trigger also stores data. */
	writesData: often(false, true),
	/** Seconds. */
	publishedAt: fc.integer({ min: 30, max: 600 }),
});
export type WorkflowPlan = Generated<typeof workflow>;

const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York'];

const service = fc.record({
	/** The number of browsers. */
	slots: fc.constantFrom(3, 20),
	/** How late lists and runs show a change, in milliseconds. */
	lag: often(0, 300, 2_000),
	deliveries: fc.constantFrom('snake', 'camel', 'flat', 'without ID', 'unknown field'),
	rateLimit: often(100_000, 300, 60),
	/** A self-hosted server's time zone. */
	timezone: often('UTC', ...ZONES),
	locale: often('en-US', 'en-GB', 'de-DE', 'sv-SE'),
	/** By how many milliseconds its clock is ahead. */
	clockLead: often(0, -90_000, 40_000, 600_000),
});

const rarely = often(0, 0.1, 0.5);

/** The share of events that a fault affects, from 0 to 1. */
const deliveries = fc.record({
	/** Maxun sends it twice at the same time. */
	twice: rarely,
	/** It doesn't arrive. */
	lost: rarely,
	/** It arrives, but Maxun has disconnected and doesn't get a response. */
	responseLost: rarely,
});
export type DeliveryFaults = Generated<typeof deliveries>;

/** A usual day, and the days on which New York's clocks are set forward and back. */
const date = often('2026-01-05T12:00:00Z', '2026-03-08T05:30:00Z', '2026-11-01T04:30:00Z');

const host = fc
	.record({
		/** The number of webhook processors. If there are none, the main process receives the events. */
		processors: fc.constantFrom(0, 0, 1, 2, 3),
		/** How long n8n takes to store an execution at most, in seconds. */
		storing: often(0, 2, 90),
		/** Seconds between two polls. */
		pollInterval: often<number>(300, 60, 3600, 24 * 3600),
		/** The probability that n8n can't store an execution. */
		notStored: often(0, 0.1),
		durableCursors: often(false, true),
		hooks: fc.constantFrom('first', 'apart', 'not at start'),
	})
	// The versions that call hooks first don't have durable cursors.
	.map((values) => ({
		...values,
		durableCursors: values.durableCursors && values.hooks !== 'first',
	}));

const anyHistory = fc.record({
	seed: fc.integer(),
	/** When it begins. */
	date,
	server: often('cloud', 'selfHosted'),
	/** The second account, team or server that the users have. */
	other: fc.constantFrom('account', 'team', 'server'),
	/** The user's role in the account or team. */
	role: often<Role>('admin', 'member', 'viewer'),
	service,
	/** The second server's time zone. */
	otherTimezone: fc.constantFrom(...ZONES),
	/** Whether the credentials of self-hosted servers contain the time zones. */
	knowsTimeZone: fc.boolean(),
	host,
	/** What is at the URL that n8n is configured with. */
	url: often('right', 'right', 'nobody', 'a page with 404', 'a page with 502'),
	deliveries,
	robots: often(3, 12),
	/** How many webhooks of other programs each robot has. */
	foreignWebhooks: often(1, 0, 10),
	/** How many of each robot's runs ended before anything was published. */
	oldRuns: often(3, 0, 20, 120),
	/** How many runs are queued when the first workflow is published. */
	queuedRuns: often(0, 5, 120),
	/** Robots whose lists contain odd entries. */
	oddRobots: often<number[]>([], [0], [1]),
	/** Robots whose lists are rejected during the whole history. */
	refused: often<Array<{ robot: number; status: Refusal }>>(
		[],
		[{ robot: 0, status: 403 }],
		[{ robot: 1, status: 404 }],
		[{ robot: 0, status: 500 }],
	),
	workflows: fc.array(workflow, { minLength: 1, maxLength: 2 }),
	runs,
	faults,
	events,
	/** n8n is off for an hour, and this many runs end in the meantime. Seconds. */
	outage: often(
		undefined,
		undefined,
		{ at: 1200, runs: 20 },
		{ at: 1200, runs: 100 },
		{ at: 1200, runs: 400 },
	),
});

/** Everything that happens in a simulation of the triggers. Plain data, so that it can be printed. */
export type History = Generated<typeof anyHistory>;

/** If each poll lists more runs than this, polling every minute takes a long time and doesn't show anything new. */
const MANY_RUNS = 150;

/** Histories in which nothing, one or several things go wrong. */
export const history: fc.Arbitrary<History> = anyHistory.map((any) => {
	const { host, oldRuns, queuedRuns, outage, runs: single } = any;
	const listed = oldRuns + queuedRuns + (outage?.runs ?? 0) + single.length;
	if (listed <= MANY_RUNS) return any;
	return { ...any, host: { ...host, pollInterval: Math.max(300, host.pollInterval) } };
});
