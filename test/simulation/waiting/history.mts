import fc from 'fast-check';
import type { RunPlan, ServiceSettings } from '../maxun/service.mts';
import { faultPlan, when, type FaultPlan, type When } from '../mishaps.mts';
import type { WorldSettings } from '../world.mts';

/** Everything that happens in a simulation of the waiting operations. Plain data, so that it can be printed. */
export interface History extends WorldSettings {
	executions: ExecutionPlan[];
	faults: FaultPlan[];
	events: EventPlan[];
}

export interface ItemPlan extends RunPlan {
	/** Minutes. */
	waitFor: number;
}

/** Who waits for the execution's output. n8n would respond as soon as the execution pauses. */
export type Caller = 'nobody' | 'webhook' | 'chat' | 'streaming';

export interface ExecutionPlan {
	/** Seconds after the beginning. */
	at: number;
	operation: 'run and wait' | 'run agent' | 'scrape' | 'extract';
	items: ItemPlan[];
	/** The same for all items, in minutes; null if each has its own. */
	waitFor: number | null;
	/** Whether all items use one robot. */
	sharesRobot: boolean;
	mode: 'trigger' | 'webhook' | 'manual';
	caller: Caller;
	/** Whether it is a sub-workflow, and how its parent calls it. */
	parent: 'none' | 'once' | 'each';
	/** Whether a Wait node follows. */
	waitNode: boolean;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail: boolean;
	pauseAfter: number;
	onTimeout: 'error' | 'return';
	onFailure: 'error' | 'return';
	cancelOnTimeout: boolean;
	keepRobot: boolean;
}

export type Happening =
	/** Processes are killed, and start again after some seconds. */
	| { kill: 'main' | 'workers' | 'all'; restartAfter: number }
	/** Somebody stops an execution. */
	| { cancel: number }
	/** Somebody aborts the active runs in Maxun, which sends no events for them. */
	| { abortRuns: true }
	/** Somebody deletes the robots of an execution, whose runs are aborted first. */
	| { deleteRobots: number }
	/** A schedule starts the robots of an execution. */
	| { schedule: number }
	/** Somebody registers so many webhooks on the robots of an execution that no more are possible. */
	| { fillWebhooks: number }
	/** A parameter's value becomes invalid. */
	| { breakParameters: true }
	| { deleteCredentials: true }
	/** An upgrade of the package can't read what an earlier version stored, or only a part of it. */
	| { breakState: 'all' | 'outputs' };

export type EventPlan = Happening & { when: When };

const often = <T,>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));

/** Either of two, and when shrinking the first. */
const usually = <T,>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
	fc.oneof({ withCrossShrink: true }, { weight, arbitrary: usual }, other);

const waitFor = often(60, 0.1, 0.5, 1, 1.5, 5);

const item: fc.Arbitrary<ItemPlan> = fc.record({
	seconds: usually(2, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 400 })),
	status: often<RunPlan['status']>('success', 'failed', 'aborted'),
	rows: often(1, 0, 2),
	waitFor,
});

const execution: fc.Arbitrary<ExecutionPlan> = fc.record({
	at: fc.integer({ min: 0, max: 60 }),
	operation: fc.constantFrom('run and wait', 'run and wait', 'run agent', 'scrape', 'extract'),
	// Many items take long to play.
	items: usually(
		60,
		fc.array(item, { minLength: 1, maxLength: 4 }),
		fc.array(item, { minLength: 11, maxLength: 22 }),
	),
	waitFor: fc.option(waitFor, { freq: 2 }),
	sharesRobot: often(false, true),
	mode: often<ExecutionPlan['mode']>('trigger', 'webhook', 'manual'),
	caller: often<Caller>('nobody', 'webhook', 'chat', 'streaming'),
	parent: often<ExecutionPlan['parent']>('none', 'once', 'each'),
	waitNode: often(false, true),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: often(false, true),
	pauseAfter: often(1, 0, 20),
	onTimeout: fc.constantFrom('error', 'return'),
	onFailure: fc.constantFrom('error', 'return'),
	cancelOnTimeout: fc.boolean(),
	keepRobot: often(false, true),
});

const anyExecution = fc.nat({ max: 2 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({
		kill: fc.constantFrom('main' as const, 'workers' as const, 'all' as const),
		restartAfter: fc.constantFrom(1, 30, 300),
	}),
	fc.record({ cancel: anyExecution }),
	fc.record({ cancel: anyExecution }),
	fc.record({ deleteRobots: anyExecution }),
	fc.record({ schedule: anyExecution }),
	fc.record({ fillWebhooks: anyExecution }),
	fc.constantFrom<Happening>(
		{ abortRuns: true },
		{ breakParameters: true },
		{ deleteCredentials: true },
		{ breakState: 'all' },
		{ breakState: 'outputs' },
	),
);

const event: fc.Arbitrary<EventPlan> = fc
	.tuple(happening, when)
	.map(([what, at]) => ({ ...what, when: at }));

const service: fc.Arbitrary<ServiceSettings> = fc.record({
	slots: fc.constantFrom(1, 3, 20),
	lag: often(0, 300, 2_000),
	deliveries: fc.constantFrom('snake', 'camel', 'flat', 'without ID', 'unknown field'),
	rateLimit: often(100_000, 120, 40),
});

const anyHistory: fc.Arbitrary<History> = fc.record({
	seed: fc.integer(),
	server: often<History['server']>('cloud', 'selfHosted'),
	service,
	host: fc.record({ workers: fc.constantFrom(0, 0, 1, 2) }),
	executions: usually(
		3,
		fc.array(execution, { minLength: 1, maxLength: 1 }),
		fc.array(execution, { minLength: 2, maxLength: 3 }),
	),
	faults: often(false, true).chain((hasFaults) =>
		fc.array(faultPlan, { maxLength: hasFaults ? 3 : 0 }),
	),
	events: often(false, true).chain((hasEvents) =>
		fc.array(event, { maxLength: hasEvents ? 2 : 0 }),
	),
});

/** A self-hosted server offers one of the operations, and its robots have no parameters. */
export const history: fc.Arbitrary<History> = anyHistory.map((played) => {
	if (played.server === 'cloud') return played;
	const executions = played.executions.map((plan) => ({
		...plan,
		operation: 'run and wait' as const,
		sharesRobot: false,
	}));
	return { ...played, executions };
});

/** Whether an execution creates a robot for each run. */
export const isTemporary = ({ operation }: ExecutionPlan) =>
	operation === 'scrape' || operation === 'extract';
