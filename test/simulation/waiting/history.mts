import fc from 'fast-check';
import type { OddEntry, Role, ServiceSettings } from '../maxun/service.mts';
import { faultPlan, outage, when, type Outage } from '../mishaps.mts';
import { often, type Generated } from '../random.mts';

/** More requests than any history needs. A history with more is stopped. */
export const MOST_REQUESTS = 20_000;

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
	status: often('success', 'failed', 'aborted'),
	rows: often(1, 0, 2),
};

/** A page. If Maxun rejects it, or if its URL is invalid, it has no run. */
const page = fc.record({
	...runPlan,
	url: often('usual', 'refused', 'invalid'),
});

const item = fc.record({
	...runPlan,
	timeoutMinutes,
	/** The outcome of the run on each page, for Run on Many URLs. */
	pages: fc.array(page, { minLength: 1, maxLength: 4 }),
});
export type ItemPlan = Generated<typeof item>;

const execution = fc.record({
	/** Seconds after the beginning. */
	at: fc.integer({ min: 0, max: 200 }),
	operation: fc.constantFrom(
		'run and wait',
		'run and wait',
		'run on many URLs',
		'run agent',
		'scrape',
		'extract rows',
		'extract rows',
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
	/** One node; one node in a loop over the items; or two nodes, one after the other. */
	shape: often('single', 'loop', 'two nodes'),
	/** The same timeout for all items, in minutes; null if each item has its own. */
	timeoutMinutes: fc.option(timeoutMinutes, { freq: 2 }),
	/** Whether all items use one robot. */
	sharesRobot: often(false, true),
	mode: often('trigger', 'webhook', 'manual'),
	/** Whether the other n8n instance executes it. */
	isElsewhere: often(false, true),
	/** Who is waiting for the execution's output. n8n would respond as soon as the execution pauses. */
	caller: often('nobody', 'webhook', 'chat', 'streaming'),
	/** Whether it is a sub-workflow, and how its parent calls it. */
	parent: often('none', 'once', 'each'),
	/** Whether a Wait node follows. */
	waitNode: often(false, true),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: fc.boolean(),
	pauseAfter: often(60, 0, 5, 20),
	onTimeout: fc.constantFrom('error', 'return'),
	onFailure: fc.constantFrom('error', 'return'),
	/** Whether operations on pages leave out pages that fail. Otherwise, `onFailure` says what they do. */
	skipsPages: fc.boolean(),
	maxRuns: fc.constantFrom(1, 3),
	cancelOnTimeout: fc.boolean(),
	keepRobot: often(false, true),
	/** Whether it leaves out pages that the node has read before, if the operation can. */
	skipsRead: fc.boolean(),
	/** Whether it repairs selectors, if the operation can. */
	repairs: fc.boolean(),
	/** Max Runs per Execution. */
	runLimit: often(0, 1, 3),
	/** How often the workflow starts, if its executions remember something, and the seconds between. */
	starts: fc.integer({ min: 1, max: 3 }),
	every: fc.constantFrom(20, 300, 1200),
});
export type ExecutionPlan = Generated<typeof execution>;

const anyExecution = fc.nat({ max: 2 });

const happening = fc.oneof(
	/** Kills processes. They start again after a few seconds. */
	fc.record({
		kill: fc.constantFrom('main', 'workers', 'all'),
		restartAfter: fc.constantFrom(1, 30, 300),
	}),
	fc.record({
		kill: fc.constantFrom('main', 'workers', 'all'),
		restartAfter: fc.constantFrom(1, 30),
	}),
	/** Somebody redesigns all pages, so that selectors don't find anything anymore. */
	fc.constant({ redesign: true as const }),
	/** Somebody stops an execution. */
	fc.record({ cancel: anyExecution }),
	fc.record({ cancel: anyExecution }),
	/** Somebody deletes an execution's robots, after canceling their runs. */
	fc.record({ deleteRobots: anyExecution }),
	/** A schedule starts an execution's robots. */
	fc.record({ schedule: anyExecution }),
	/** Another API client cancels an execution's runs. */
	fc.record({ clientCancels: anyExecution }),
	/** Runs of other robots use browsers, each for a few seconds. */
	fc.record({ occupy: fc.integer({ min: 1, max: 3 }), seconds: fc.constantFrom(20, 300, 1200) }),
	/** Somebody replaces the API key with another account's key, or with an invalid key. */
	fc.record({ replaceKey: fc.constantFrom('other account', 'invalid') }),
	/** The API key gets another role. */
	fc.record({ changeRole: fc.constantFrom<Role>('viewer', 'member') }),
	/** n8n's database is slow for a few seconds, and then fails for a few seconds. */
	fc.record({
		slowDatabase: fc.constantFrom(0, 20, 120),
		failing: fc.constantFrom(0, 5, 60, 300),
	}),
	/** Somebody changes n8n's clock by this many milliseconds. */
	fc.record({ setClock: fc.constantFrom(-120_000, -5_000, 5_000, 120_000) }),
	/** Maxun doesn't send events for runs that somebody cancels there. A parameter's value becomes invalid. */
	fc.constantFrom({ abortRuns: true }, { breakParameters: true }, { deleteCredentials: true }),
);
export type Happening = Generated<typeof happening>;

const event = fc.tuple(happening, when).map(([what, at]) => ({ ...what, when: at }));

const service: fc.Arbitrary<ServiceSettings> = fc.record({
	slots: fc.constantFrom(1, 3, 20),
	lag: often(0, 300, 2_000),
	deliveries: fc.constant('snake'),
	rateLimit: often(100_000, 120, 40),
	skew: often(0, -600_000, 5_000, 600_000),
	odd: often<OddEntry | undefined>(undefined, 'null status', 'null type', 'null'),
	timeless: often<ServiceSettings['timeless']>(undefined, 'queued', 'all'),
	mostRobots: often(undefined, 4, 8),
});

const some = <T,>(entries: fc.Arbitrary<T>, maxLength: number) =>
	fc.boolean().chain((any) => fc.array(entries, { maxLength: any ? maxLength : 0 }));

const anyHistory = fc.record({
	/** Determines latencies and everything else that the history leaves open. */
	seed: fc.integer(),
	server: often('cloud', 'selfHosted'),
	service,
	host: fc.record({ workers: fc.constantFrom(0, 0, 1, 2) }),
	/** The API key's role in its team. */
	role: often<Role>('admin', 'member', 'viewer'),
	/** Whether a second n8n instance exists. */
	hasOtherN8n: fc.constant<boolean>(false),
	executions: usually(
		2,
		fc.array(execution, { minLength: 1, maxLength: 1 }),
		fc.array(execution, { minLength: 2, maxLength: 3 }),
	),
	faults: some(faultPlan, 3),
	outages: fc.boolean().chain((any) => (any ? some(outage, 2) : fc.constant<Outage[]>([]))),
	events: some(event, 2),
	/** Another API client that runs the same robots with its own inputs from time to time; null if there is none. */
	client: fc.option(
		fc.record({
			/** How many seconds pass between its runs of each robot. */
			every: fc.constantFrom(5, 20, 60),
			/** Whether it cancels the robots' active runs before it starts a run. */
			cancels: often(false, true),
		}),
		{ freq: 3 },
	),
});

/** Everything that happens in a simulation of the waiting operations. Plain data, so that it can be printed. */
export type History = Generated<typeof anyHistory>;

/** A self-hosted server has no roles, and its robots have no inputs that would tell the items apart. */
export const history: fc.Arbitrary<History> = anyHistory.map((played) => {
	const isCloud = played.server === 'cloud';
	const executions = played.executions.map((plan) => {
		const repairs = plan.repairs && plan.operation === 'run and wait';
		const skipsRead = plan.skipsRead && ['run on many URLs', 'scrape'].includes(plan.operation);
		const given = { ...plan, repairs, skipsRead };
		const remembers = repairs || skipsRead || plan.operation === 'extract rows';
		// Histories with many items take a long time.
		const startsAgain = remembers && plan.parent === 'none' && plan.items.length <= 4;
		const sharesRobot = plan.sharesRobot && isCloud && !repairs;
		return { ...given, sharesRobot, starts: startsAgain ? plan.starts : 1 };
	});
	const hasOtherN8n = executions.some(({ isElsewhere }) => isElsewhere);
	return { ...played, hasOtherN8n, executions, role: isCloud ? played.role : 'admin' };
});

const TEMPORARY: string[] = [
	'run on many URLs',
	'scrape',
	'extract rows',
	'crawl',
	'search',
	'extract',
];

/** Whether an execution creates a robot for each run. */
export const isTemporary = ({ operation }: Pick<ExecutionPlan, 'operation'>) =>
	TEMPORARY.includes(operation);
