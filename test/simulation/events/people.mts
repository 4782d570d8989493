import fc from 'fast-check';
import type { Generated } from '../random.mts';
import { DURATION } from './runs.mts';

/** Workflows and robots by number. */
const workflow = fc.nat(1);
const robot = fc.nat({ max: 2 });

const robots = fc.oneof(
	{ weight: 5, arbitrary: fc.uniqueArray(robot, { minLength: 1, maxLength: 3 }) },
	fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
	fc.constant<number[]>([]),
);

const refusal = fc.constantFrom(403, 404, 500);

const happening = fc.oneof(
	fc.record({
		kill: fc.constantFrom('main', 'processors', 'all'),
		restartAfter: fc.constantFrom(1, 60),
	}),
	/** n8n is off for this many seconds. */
	fc.record({ stop: fc.constantFrom(60, 600, 3600) }),
	fc.record({ unpublish: workflow, publishAfter: fc.constantFrom(1, 600, 86_400, 7 * 86_400) }),
	fc.record({ publishAgain: workflow }),
	fc.record({ rename: workflow }),
	/** Somebody replaces the node by a new node with the same name. */
	fc.record({ replaceNode: workflow }),
	/** Somebody copies the workflow with its saved data, and publishes it in the same or another n8n instance. */
	fc.record({ copy: workflow, to: fc.constantFrom('same', 'other') }),
	/** Somebody unpublishes the workflow's copies. */
	fc.record({ unpublishCopies: workflow }),
	fc.record({ changeRobots: workflow, robots }),
	/** Other events start the workflow. */
	fc.record({
		changeEvents: workflow,
		events: fc.subarray(['run_completed', 'run_failed', 'run_canceled'], { minLength: 1 }),
	}),
	/** The workflow uses the other account, team or server, or returns to the first account. */
	fc.record({ changeAccount: workflow }),
	/** The editor listens for an event. */
	fc.record({ test: workflow }),
	fc.constant({ createRobot: true }),
	fc.record({ deleteRobot: robot }),
	/** Maxun doesn't find the robot for a few seconds. */
	fc.record({ hideRobot: robot, seconds: fc.constantFrom(30, 600) }),
	/** The list of the robot's runs is rejected for a few seconds. */
	fc.record({ refuseList: robot, status: refusal, seconds: fc.constantFrom(600, 3600) }),
	/** For a few seconds, or for good, no ended run of the robot can be read on its own. */
	fc.record({
		breakRuns: robot,
		status: fc.constantFrom(404, 500),
		seconds: fc.constantFrom(60, 600, undefined),
	}),
	/** All webhook routes fail for a few seconds, or only the routes that change something. */
	fc.record({
		refuseWebhooks: refusal,
		isOfChanges: fc.boolean(),
		seconds: fc.constantFrom(60, 600),
	}),
	/** Somebody adds the self-hosted server's time zone to the credential. */
	fc.constant({ correctTimeZone: true }),
	/** Somebody sends events with and without the IDs of real runs. */
	fc.record({ forge: fc.integer({ min: 1, max: 80 }) }),
	/** All earlier events arrive again. */
	fc.constant({ replay: true }),
	/** Somebody removes the webhooks of a robot in Maxun. */
	fc.record({ removeWebhooks: robot }),
	/** n8n's database is slow for a few seconds, and fails for the last of them. */
	fc.record({
		slowDatabase: fc.constantFrom(2_000, 20_000),
		seconds: fc.constantFrom(60, 600),
		failsFor: fc.constantFrom(0, 10, 60),
	}),
	/** Somebody sets n8n's clock forward or back. Seconds. */
	fc.record({ setClock: fc.constantFrom(-3600, -60, 60, 3600) }),
	/** A proxy sends the responses of the first account's server with a wrong date. Seconds. */
	fc.record({
		misdate: fc.constantFrom(-365 * 86_400, -3600, 3600, 365 * 86_400),
		seconds: fc.constantFrom(60, 3600),
	}),
	/** The same for Maxun's clock. */
	fc.record({ setServerClock: fc.constantFrom(-3600, -60, 60, 3600) }),
);

/** What people and servers do. */
export type Happening = Generated<typeof happening>;

const event = fc
	.tuple(happening, fc.integer({ min: 700, max: DURATION }), fc.boolean())
	// In some histories, it happens while a poll reads a run.
	.map(([what, at, waitsForPoll]) => ({ ...what, at, waitsForPoll }));

/** Every second history doesn't have any. */
export const events = fc
	.boolean()
	.chain((hasEvents) => fc.array(event, { maxLength: hasEvents ? 4 : 0 }));
