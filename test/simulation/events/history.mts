import fc from 'fast-check';
import type { ServiceSettings } from '../maxun/service.mts';
import { faultPlan, type FaultPlan } from '../mishaps.mts';

/** Everything that happens in a simulation of the triggers. Plain data, so that it can be printed. */
export interface History {
	seed: number;
	server: 'cloud' | 'selfHosted';
	service: ServiceSettings & { timezone: string };
	/** Whether the credential of a self-hosted server has its time zone. */
	knowsTimeZone: boolean;
	/** Number of webhook processors. With none, the main process receives the deliveries. */
	processors: number;
	/** The longest time that n8n takes to store an execution, in seconds. */
	storing: number;
	/** Seconds between two polls. */
	pollInterval: number;
	/** The share of deliveries that something happens to. */
	deliveries: DeliveryFaults;
	/** Number of robots. */
	robots: number;
	workflows: WorkflowPlan[];
	runs: RunArrival[];
	faults: FaultPlan[];
	events: EventPlan[];
}

/** Probabilities from 0 to 1. */
export interface DeliveryFaults {
	/** It arrives twice at the same time. */
	twice: number;
	/** It doesn't arrive. */
	lost: number;
	/** It arrives, but its response doesn't. */
	responseLost: number;
	/** n8n can't store the execution that it starts. */
	notStored: number;
}

export interface WorkflowPlan {
	trigger: 'webhook' | 'polling';
	/** Robots by number. An expression may list a robot twice. */
	robots: number[];
	failedToo: boolean;
	catchUp: boolean;
	/** Whether another node of the workflow polls and stores data, too. */
	hasOtherPoll: boolean;
	/** Seconds. */
	publishedAt: number;
}

/** A run that something else starts, such as a schedule. */
export interface RunArrival {
	/** Seconds. */
	at: number;
	robot: number;
	seconds: number;
	status: 'success' | 'failed' | 'aborted';
}

export type Happening =
	| { kill: 'main' | 'processors' | 'all'; restartAfter: number }
	/** n8n is off for some seconds. */
	| { stop: number }
	/** The credential gets the time zone of the self-hosted server. */
	| { correctTimeZone: true }
	| { unpublish: number; publishAfter: number }
	| { publishAgain: number }
	| { rename: number }
	/** The workflow is copied with its saved data and published in the same n8n or another one. */
	| { copy: number; to: 'same' | 'other' }
	| { changeRobots: number; robots: number[] }
	| { deleteRobot: number }
	/** Maxun doesn't find the robot for some seconds. */
	| { hideRobot: number; seconds: number }
	/** For some seconds, or for good, no ended run of the robot can be read on its own. */
	| { breakRuns: number; status: 404 | 500; seconds?: number }
	/** Somebody without the secret sends deliveries. */
	| { forge: number }
	/** All earlier deliveries arrive again. */
	| { replay: true }
	/** Somebody removes the webhooks of a robot in Maxun. */
	| { removeWebhooks: number };

export type EventPlan = Happening & { at: number };

const often = <T,>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));

const HOUR = 3600;

/** The last run starts by then, and the last event happens. Seconds. */
const DURATION = 2 * HOUR;

const robot = fc.nat({ max: 2 });

const someRobots = fc.uniqueArray(robot, { minLength: 1, maxLength: 3 });

const workflow: fc.Arbitrary<WorkflowPlan> = fc.record({
	trigger: fc.constantFrom('webhook', 'polling'),
	robots: fc.oneof(
		{ weight: 5, arbitrary: someRobots },
		fc.array(robot, { minLength: 2, maxLength: 4 }),
	),
	failedToo: fc.boolean(),
	catchUp: often(true, false),
	hasOtherPoll: often(false, true),
	publishedAt: fc.integer({ min: 0, max: 600 }),
});

const arrival: fc.Arbitrary<RunArrival> = fc.record({
	at: fc.integer({ min: 0, max: DURATION }),
	robot,
	seconds: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: HOUR })),
	status: often<RunArrival['status']>('success', 'failed', 'aborted'),
});

/** Many runs in a short time, which may end at the same moment. */
const burst: fc.Arbitrary<RunArrival[]> = fc
	.tuple(fc.integer({ min: 0, max: DURATION }), robot, fc.constantFrom(5, 20, 70), fc.nat(10))
	.map(([at, of, count, gap]) => runsOf(of, count, at, gap));

const runsOf = (of: number, count: number, at: number, gap: number): RunArrival[] =>
	Array.from({ length: count }, (_, index) => ({
		at: at + index * gap,
		robot: of,
		seconds: 5,
		status: 'success',
	}));

/** A server that is busy for hours. Playing it takes as long as playing 100 others, so it is rare. */
const steady: fc.Arbitrary<RunArrival[]> = fc
	.tuple(robot, fc.constantFrom(400, 1200), fc.constantFrom(2, 8))
	.map(([of, count, gap]) => runsOf(of, count, 0, gap));

const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({
		kill: fc.constantFrom('main' as const, 'processors' as const, 'all' as const),
		restartAfter: fc.constantFrom(1, 60),
	}),
	fc.record({ stop: fc.constantFrom(60, HOUR, 2 * HOUR) }),
	fc.record({ unpublish: fc.nat(1), publishAfter: fc.constantFrom(1, 600, HOUR) }),
	fc.record({ publishAgain: fc.nat(1) }),
	fc.record({ rename: fc.nat(1) }),
	fc.record({ copy: fc.nat(1), to: fc.constantFrom('same' as const, 'other' as const) }),
	fc.record({ changeRobots: fc.nat(1), robots: someRobots }),
	fc.record({ deleteRobot: robot }),
	fc.record({ hideRobot: robot, seconds: fc.constantFrom(30, 600) }),
	fc.record({
		breakRuns: robot,
		status: fc.constantFrom(404 as const, 500 as const),
		seconds: fc.constantFrom(60, 600, undefined),
	}),
	fc.constant({ correctTimeZone: true } as const),
	fc.record({ forge: fc.integer({ min: 1, max: 20 }) }),
	fc.constant({ replay: true } as const),
	fc.record({ removeWebhooks: robot }),
);

const event: fc.Arbitrary<EventPlan> = fc
	.tuple(happening, fc.integer({ min: 700, max: DURATION }))
	.map(([what, at]) => ({ ...what, at }));

const service: fc.Arbitrary<History['service']> = fc.record({
	slots: fc.constantFrom(3, 20),
	lag: often(0, 300, 2_000),
	deliveries: fc.constantFrom('snake', 'camel', 'flat', 'without ID', 'unknown field'),
	rateLimit: often(100_000, 300),
	timezone: often('UTC', 'Asia/Tokyo', 'America/New_York'),
});

const rarely = often(0, 0.1, 0.5);

/** Histories in which nothing, one or several things go wrong. */
const anyHistory: fc.Arbitrary<History> = fc.record({
	seed: fc.integer(),
	server: often<History['server']>('cloud', 'selfHosted'),
	service,
	knowsTimeZone: fc.boolean(),
	processors: fc.constantFrom(0, 0, 1, 2, 3),
	storing: often(0, 2, 90),
	pollInterval: often(300, 120),
	deliveries: fc.record({
		twice: rarely,
		lost: rarely,
		responseLost: rarely,
		notStored: often(0, 0.1),
	}),
	robots: fc.constant(3),
	workflows: fc.array(workflow, { minLength: 1, maxLength: 2 }),
	runs: fc
		.tuple(
			fc.array(arrival, { maxLength: 25 }),
			fc.oneof(
				{ weight: 1000, arbitrary: fc.array(burst, { maxLength: 1 }) },
				steady.map((runs) => [runs]),
			),
		)
		.map(([single, many]) => [...single, ...many.flat()]),
	faults: often(false, true).chain((hasFaults) =>
		fc.array(faultPlan, { maxLength: hasFaults ? 3 : 0 }),
	),
	events: fc.boolean().chain((hasEvents) => fc.array(event, { maxLength: hasEvents ? 3 : 0 })),
});

/** How many runs to read for each event without an ID, on a server that always lists all runs. More take minutes. */
const MOST_LISTED = 500;

/** Runs that end while n8n replaces a renamed trigger, so that no event reaches it. */
const runsDuringRenames = ({ events, workflows }: Pick<History, 'events' | 'workflows'>) =>
	events.flatMap((what) => {
		const [of] = ('rename' in what && workflows[what.rename]?.robots) || [];
		return of === undefined ? [] : runsOf(of, 1, what.at - 4.7, 0);
	});

const usualHistory = anyHistory.map(({ runs, ...fields }): History => {
	const readsAll = fields.server === 'selfHosted' && fields.service.deliveries === 'without ID';
	const listed = readsAll ? runs.slice(0, MOST_LISTED) : runs;
	return { ...fields, runs: [...listed, ...runsDuringRenames(fields)] };
});

const longRun = fc.record({
	robot,
	other: robot,
	seconds: fc.integer({ min: HOUR, max: 9 * HOUR }),
	/** Seconds between the runs that end after the long one. */
	gap: fc.constantFrom(10, 200),
	/** What happens immediately before the long run ends. */
	mishap: fc.constantFrom<Mishap>('unreadable', 'unreadable for long', 'stop', 'none'),
});

type Mishap = 'unreadable' | 'unreadable for long' | 'stop' | 'none';

const happeningOf = (mishap: Mishap, of: number): Happening[] => {
	if (mishap === 'none') return [];
	if (mishap === 'stop') return [{ stop: 600 }];
	return [{ breakRuns: of, status: 500, seconds: mishap === 'unreadable' ? 60 : 1200 }];
};

/** A run takes hours. Meanwhile and afterwards, runs of a robot end. */
const withLongRun = fc
	.tuple(usualHistory, longRun)
	.map(([usual, { robot: of, other, seconds, gap, mishap }]): History => {
		const at = DURATION / 2;
		const end = at + seconds;
		const during = runsOf(other, Math.floor(seconds / HOUR), at, HOUR);
		const after = runsOf(other, 5, end, gap);
		const long: RunArrival = { at, robot: of, seconds, status: 'success' };
		return {
			...usual,
			runs: [...usual.runs, long, ...during, ...after],
			events: [
				...usual.events,
				...happeningOf(mishap, of).map((what) => ({ ...what, at: end - 1 })),
			],
		};
	});

export const history: fc.Arbitrary<History> = fc.oneof(
	{ weight: 9, arbitrary: usualHistory },
	withLongRun,
);
