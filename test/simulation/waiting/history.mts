import fc from 'fast-check';
import type { OddEntry, Role, RunPlan, ServiceSettings } from '../maxun/service.mts';
import { faultPlan, outage, when, type FaultPlan, type Outage, type When } from '../mishaps.mts';
import { often } from '../random.mts';
import type { WorldSettings } from './world.mts';

/** More requests than any history needs. A history with more is stopped. */
export const MOST_REQUESTS = 20_000;

/** Everything that happens in a simulation of the waiting operations. Plain data, so that it can be printed. */
export interface History extends WorldSettings {
	executions: ExecutionPlan[];
	faults: FaultPlan[];
	outages: Outage[];
	events: EventPlan[];
	/** Another API client that runs the same robots with its own inputs from time to time; null if there is none. */
	client: ClientPlan | null;
}

export interface ClientPlan {
	/** How many seconds pass between its runs of each robot. */
	every: number;
	/** Whether it cancels the robots' active runs before it starts a run. */
	cancels: boolean;
}

export interface ItemPlan extends RunPlan {
	/** Minutes. */
	timeoutMinutes: number;
	/** The outcome of the run on each page, for Run on Many URLs. */
	pages: PagePlan[];
}

/** A page. If Maxun rejects it, or if its URL is invalid, it has no run. */
export interface PagePlan extends RunPlan {
	url: 'usual' | 'refused' | 'invalid';
}

/** Who is waiting for the execution's output. n8n would respond as soon as the execution pauses. */
export type Caller = 'nobody' | 'webhook' | 'chat' | 'streaming';

export type WaitingOperation =
	| 'run and wait'
	| 'run on many URLs'
	| 'run agent'
	| 'scrape'
	| 'crawl'
	| 'search'
	| 'extract';

export interface ExecutionPlan {
	/** Seconds after the beginning. */
	at: number;
	operation: WaitingOperation;
	items: ItemPlan[];
	/** One node; one node in a loop over the items; or two nodes, one after the other. */
	shape: 'single' | 'loop' | 'two nodes';
	/** The same timeout for all items, in minutes; null if each item has its own. */
	timeoutMinutes: number | null;
	/** Whether all items use one robot. */
	sharesRobot: boolean;
	mode: 'trigger' | 'webhook' | 'manual';
	/** Whether the other n8n instance executes it. */
	isElsewhere: boolean;
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
	/** Whether operations on pages leave out pages that fail. Otherwise, `onFailure` says what they do. */
	skipsPages: boolean;
	maxRuns: number;
	cancelOnTimeout: boolean;
	keepRobot: boolean;
}

export type Happening =
	/** Kills processes. They start again after a few seconds. */
	| { kill: 'main' | 'workers' | 'all'; restartAfter: number }
	/** Somebody stops an execution. */
	| { cancel: number }
	/** Somebody cancels the active runs in Maxun, which sends no events for them. */
	| { abortRuns: true }
	/** Somebody deletes an execution's robots, after canceling their runs. */
	| { deleteRobots: number }
	/** A schedule starts an execution's robots. */
	| { schedule: number }
	/** Another API client cancels an execution's runs. */
	| { clientCancels: number }
	/** Runs of other robots use browsers, each for a few seconds. */
	| { occupy: number; seconds: number }
	/** Somebody replaces the API key with another account's key, or with an invalid one. */
	| { replaceKey: 'other account' | 'invalid' }
	/** The API key gets another role. */
	| { changeRole: Role }
	/** A parameter's value becomes invalid. */
	| { breakParameters: true }
	| { deleteCredentials: true }
	/** n8n's database is slow for a few seconds, and then fails for a few seconds. */
	| { slowDatabase: number; failing: number }
	/** Somebody changes n8n's clock by this many milliseconds. */
	| { setClock: number };

export type EventPlan = Happening & { when: When };

/** One of two values; when shrinking, the first. */
const usually = <T,>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
	fc.oneof({ withCrossShrink: true }, { weight, arbitrary: usual }, other);

const timeoutMinutes = often(60, 0.5, 1, 1.5, 5, 20);

const runPlan = {
	// Each minute of waiting takes real time.
	seconds: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
		{ weight: 3, arbitrary: fc.integer({ min: 1, max: 200 }) },
		fc.integer({ min: 1, max: 1500 }),
	),
	status: often<RunPlan['status']>('success', 'failed', 'aborted'),
	rows: often(1, 0, 2),
};

const page: fc.Arbitrary<PagePlan> = fc.record({
	...runPlan,
	url: often<PagePlan['url']>('usual', 'refused', 'invalid'),
});

const item: fc.Arbitrary<ItemPlan> = fc.record({
	...runPlan,
	timeoutMinutes,
	pages: fc.array(page, { minLength: 1, maxLength: 4 }),
});

const execution: fc.Arbitrary<ExecutionPlan> = fc.record({
	at: fc.integer({ min: 0, max: 200 }),
	operation: fc.constantFrom<WaitingOperation>(
		'run and wait',
		'run and wait',
		'run on many URLs',
		'run agent',
		'scrape',
		'crawl',
		'search',
		'extract',
	),
	// Histories with many items take a long time.
	items: usually(
		60,
		fc.array(item, { minLength: 1, maxLength: 4 }),
		fc.array(item, { minLength: 11, maxLength: 22 }),
	),
	shape: often<ExecutionPlan['shape']>('single', 'loop', 'two nodes'),
	timeoutMinutes: fc.option(timeoutMinutes, { freq: 2 }),
	sharesRobot: often(false, true),
	mode: often<ExecutionPlan['mode']>('trigger', 'webhook', 'manual'),
	isElsewhere: often(false, true),
	caller: often<Caller>('nobody', 'webhook', 'chat', 'streaming'),
	parent: often<ExecutionPlan['parent']>('none', 'once', 'each'),
	waitNode: often(false, true),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: fc.boolean(),
	pauseAfter: often(60, 0, 5, 20),
	onTimeout: fc.constantFrom('error', 'return'),
	onFailure: fc.constantFrom('error', 'return'),
	skipsPages: fc.boolean(),
	maxRuns: fc.constantFrom(1, 3),
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
	fc.record({ clientCancels: anyExecution }),
	fc.record({ occupy: fc.integer({ min: 1, max: 3 }), seconds: fc.constantFrom(20, 300, 1200) }),
	fc.record({ replaceKey: fc.constantFrom('other account' as const, 'invalid' as const) }),
	fc.record({ changeRole: fc.constantFrom<Role>('viewer', 'member') }),
	fc.record({
		slowDatabase: fc.constantFrom(0, 20, 120),
		failing: fc.constantFrom(0, 5, 60, 300),
	}),
	fc.record({ setClock: fc.constantFrom(-120_000, -5_000, 5_000, 120_000) }),
	fc.constantFrom<Happening>(
		{ abortRuns: true },
		{ breakParameters: true },
		{ deleteCredentials: true },
	),
);

const event: fc.Arbitrary<EventPlan> = fc
	.tuple(happening, when)
	.map(([what, at]) => ({ ...what, when: at }));

const service: fc.Arbitrary<ServiceSettings> = fc.record({
	slots: fc.constantFrom(1, 3, 20),
	lag: often(0, 300, 2_000),
	deliveries: fc.constant('snake' as const),
	rateLimit: often(100_000, 120, 40),
	skew: often(0, -600_000, 5_000, 600_000),
	odd: often<OddEntry | undefined>(undefined, 'null status', 'null type', 'null'),
	timeless: often<ServiceSettings['timeless']>(undefined, 'queued', 'all'),
	mostRobots: often<number | undefined>(undefined, 4, 8),
});

const some = <T,>(entries: fc.Arbitrary<T>, maxLength: number) =>
	fc.boolean().chain((any) => fc.array(entries, { maxLength: any ? maxLength : 0 }));

const anyHistory: fc.Arbitrary<History> = fc.record({
	seed: fc.integer(),
	server: often<History['server']>('cloud', 'selfHosted'),
	service,
	host: fc.record({ workers: fc.constantFrom(0, 0, 1, 2) }),
	role: often<Role>('admin', 'member', 'viewer'),
	hasOtherN8n: fc.constant(false),
	executions: usually(
		2,
		fc.array(execution, { minLength: 1, maxLength: 1 }),
		fc.array(execution, { minLength: 2, maxLength: 3 }),
	),
	faults: some(faultPlan, 3),
	outages: fc.boolean().chain((any) => (any ? some(outage, 2) : fc.constant([]))),
	events: some(event, 2),
	client: fc.option(fc.record({ every: fc.constantFrom(5, 20, 60), cancels: often(false, true) }), {
		freq: 3,
	}),
});

/** A self-hosted server has no roles, and its robots have no inputs that would tell the items apart. */
export const history: fc.Arbitrary<History> = anyHistory.map((played) => {
	const hasOtherN8n = played.executions.some(({ isElsewhere }) => isElsewhere);
	if (played.server === 'cloud') return { ...played, hasOtherN8n };
	const executions = played.executions.map((plan) => ({ ...plan, sharesRobot: false }));
	return { ...played, hasOtherN8n, executions, role: 'admin' as const };
});

const TEMPORARY: WaitingOperation[] = ['run on many URLs', 'scrape', 'crawl', 'search', 'extract'];

/** Whether an execution creates a robot for each run. */
export const isTemporary = ({ operation }: Pick<ExecutionPlan, 'operation'>) =>
	TEMPORARY.includes(operation);
