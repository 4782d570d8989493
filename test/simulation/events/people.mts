import fc from 'fast-check';
import type { Refusal } from './maxun/account.mts';
import { DURATION } from './runs.mts';

/** What people and servers do. Workflows and robots are given by number. */
export type Happening =
	| { kill: 'main' | 'processors' | 'all'; restartAfter: number }
	/** n8n is off for this many seconds. */
	| { stop: number }
	| { unpublish: number; publishAfter: number }
	| { publishAgain: number }
	| { rename: number }
	/** Somebody replaces the node by a new one with the same name. */
	| { replaceNode: number }
	/** Somebody copies the workflow with its saved data, and publishes it in the same n8n instance or another one. */
	| { copy: number; to: 'same' | 'other' }
	/** Somebody unpublishes the workflow's copies. */
	| { unpublishCopies: number }
	| { changeRobots: number; robots: number[] }
	/** Other events start the workflow. */
	| { changeEvents: number; events: Array<'run_completed' | 'run_failed' | 'run_aborted'> }
	/** The workflow uses the other account, team or server, or the first one again. */
	| { changeAccount: number }
	/** The workflow watches another page, or the first one again. */
	| { editPage: number }
	/** The page is checked this often, in minutes. */
	| { changeChecks: number; every: number }
	/** Somebody removes the schedule of the page's robot in Maxun, or deletes the robot. */
	| { removeSchedule: number }
	| { deletePageRobot: number }
	/** The editor listens for an event. */
	| { test: number }
	| { createRobot: true }
	| { deleteRobot: number }
	/** Maxun doesn't find the robot for a few seconds. */
	| { hideRobot: number; seconds: number }
	/** The list of the robot's runs is rejected for a few seconds. */
	| { refuseList: number; status: Refusal; seconds: number }
	/** For a few seconds, or for good, no ended run of the robot can be read on its own. */
	| { breakRuns: number; status: 404 | 500; seconds?: number }
	/** All webhook routes fail for a few seconds, or only those that change something. */
	| { refuseWebhooks: Refusal; isOfChanges: boolean; seconds: number }
	/** Somebody adds the self-hosted server's time zone to the credential. */
	| { correctTimeZone: true }
	/** Somebody sends events with and without the IDs of real runs. */
	| { forge: number }
	/** All earlier events arrive again. */
	| { replay: true }
	/** Somebody removes the webhooks of a robot in Maxun. */
	| { removeWebhooks: number }
	/** n8n's database is slow for a few seconds, and fails for the last of them. */
	| { slowDatabase: number; seconds: number; failsFor: number }
	/** Somebody sets n8n's clock forward or back. Seconds. */
	| { setClock: number }
	/** The same for Maxun's clock. */
	| { setServerClock: number };

export type EventPlan = Happening & {
	at: number;
	/** Whether it happens while a poll reads a run. */
	waitsForPoll: boolean;
};

const workflow = fc.nat(1);
const robot = fc.nat({ max: 2 });

const robots = fc.oneof(
	{ weight: 5, arbitrary: fc.uniqueArray(robot, { minLength: 1, maxLength: 3 }) },
	fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
	fc.constant<number[]>([]),
);

const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({
		kill: fc.constantFrom('main' as const, 'processors' as const, 'all' as const),
		restartAfter: fc.constantFrom(1, 60),
	}),
	fc.record({ stop: fc.constantFrom(60, 600, 3600) }),
	fc.record({ unpublish: workflow, publishAfter: fc.constantFrom(1, 600, 86_400, 7 * 86_400) }),
	fc.record({ publishAgain: workflow }),
	fc.record({ rename: workflow }),
	fc.record({ replaceNode: workflow }),
	fc.record({ copy: workflow, to: fc.constantFrom('same' as const, 'other' as const) }),
	fc.record({ unpublishCopies: workflow }),
	fc.record({ changeRobots: workflow, robots }),
	fc.record({
		changeEvents: workflow,
		events: fc.subarray<'run_completed' | 'run_failed' | 'run_aborted'>(
			['run_completed', 'run_failed', 'run_aborted'],
			{ minLength: 1 },
		),
	}),
	fc.record({ changeAccount: workflow }),
	fc.record({ editPage: workflow }),
	fc.record({ changeChecks: workflow, every: fc.constantFrom(15, 55) }),
	fc.record({ removeSchedule: workflow }),
	fc.record({ deletePageRobot: workflow }),
	fc.record({ test: workflow }),
	fc.constant({ createRobot: true } as const),
	fc.record({ deleteRobot: robot }),
	fc.record({ hideRobot: robot, seconds: fc.constantFrom(30, 600) }),
	fc.record({
		refuseList: robot,
		status: fc.constantFrom<Refusal>(403, 404, 500),
		seconds: fc.constantFrom(600, 3600),
	}),
	fc.record({
		breakRuns: robot,
		status: fc.constantFrom(404 as const, 500 as const),
		seconds: fc.constantFrom(60, 600, undefined),
	}),
	fc.record({
		refuseWebhooks: fc.constantFrom<Refusal>(403, 404, 500),
		isOfChanges: fc.boolean(),
		seconds: fc.constantFrom(60, 600),
	}),
	fc.constant({ correctTimeZone: true } as const),
	fc.record({ forge: fc.integer({ min: 1, max: 80 }) }),
	fc.constant({ replay: true } as const),
	fc.record({ removeWebhooks: robot }),
	fc.record({
		slowDatabase: fc.constantFrom(2_000, 20_000),
		seconds: fc.constantFrom(60, 600),
		failsFor: fc.constantFrom(0, 10, 60),
	}),
	fc.record({ setClock: fc.constantFrom(-3600, -60, 60, 3600) }),
	fc.record({ setServerClock: fc.constantFrom(-3600, -60, 60, 3600) }),
);

const event: fc.Arbitrary<EventPlan> = fc
	.tuple(happening, fc.integer({ min: 700, max: DURATION }), fc.boolean())
	.map(([what, at, waitsForPoll]) => ({ ...what, at, waitsForPoll }));

/** Every second history has none. */
export const events: fc.Arbitrary<EventPlan[]> = fc
	.boolean()
	.chain((hasEvents) => fc.array(event, { maxLength: hasEvents ? 4 : 0 }));
