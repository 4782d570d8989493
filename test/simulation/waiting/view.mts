import { parse } from 'flatted';
import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import { hasEnded, type Robot, type Run } from '../maxun/service.mts';
import { isFinal, type StoredExecution } from '../../helpers/engine/execution-store.mts';
import type { N8n } from '../n8n/host.mts';
import { kindOf } from '../mishaps.mts';
import type { Exchange } from '../network.mts';
import { SENDER } from '../origins.mts';
import { isReading } from '../maxun/page.mts';
import type { WaitingWorld } from './world.mts';
import { Excuses } from './exceptions.mts';
import { isTemporary, type ExecutionPlan, type Happening, type History } from './history.mts';
import { firstWorkflowOf, hostOf, NODES, nodesOf, workflowOf, type MaxunNode } from './setup.mts';

/** A result that an input item should have: one run's data. An item of Run on Many URLs has several. */
export interface Wanted {
	/** Identifies the run. */
	key: string;
	/** The input item. */
	item: number;
	/** Minutes. */
	timeoutMinutes: number;
	/** Whether the key is a page's. */
	isPage: boolean;
}

/** A visit of n8n's engine to a Maxun node. */
export class Visit {
	readonly wanted: Wanted[];

	constructor(
		readonly plan: ExecutionPlan,
		readonly node: MaxunNode,
		readonly input: INodeExecutionData[],
		/** The visit's entries in n8n's log. More than one would be an error. */
		readonly entries: ITaskData[],
	) {
		this.wanted = input.flatMap(({ json }, item) => wantedOf(plan, json[NODES[node]], item));
	}

	/** The log entry's items, by output. */
	get output(): INodeExecutionData[][] {
		return lastOutput(this.entries);
	}

	/** An input item's results, in all outputs. */
	resultsOf(item: number): INodeExecutionData[] {
		return this.output.flat().filter((result) => pairOf(result) === item);
	}
}

/** The items of the last log entry, by output. */
const lastOutput = (entries: ITaskData[]): INodeExecutionData[][] =>
	(entries.at(-1)?.data?.main ?? []).map((items) => items ?? []);

function wantedOf({ operation }: ExecutionPlan, given: unknown, item: number): Wanted[] {
	const { key, timeoutMinutes, urls }: IDataObject = Object.fromEntries(
		Object.entries(given ?? {}),
	);
	const about = { item, timeoutMinutes: Number(timeoutMinutes) };
	if (operation !== 'run on many URLs') return [{ key: String(key), isPage: false, ...about }];
	const pages = String(urls).split('\n');
	return pages.map((url) => ({ key: url.split('/').pop() ?? '', isPage: true, ...about }));
}

/** The shortest pause is twice as long, in milliseconds. */
const MUCH_TOO_EARLY = 30_000;

/** An execution of a workflow with Maxun nodes, after a history. */
export class Waiter {
	readonly data: IRunExecutionData;
	readonly isTemporary: boolean;
	/** The sender, as in the header of its requests. */
	readonly sender: string;
	readonly exchanges: Exchange[];
	readonly visits: Visit[];
	/** The expected results of all items. */
	readonly wanted: Wanted[];
	/** Everything that people can read about the execution: items, errors and hints. */
	readonly text: string;

	constructor(
		readonly plan: ExecutionPlan,
		readonly stored: StoredExecution,
		readonly n8n: N8n,
		private readonly world: WaitingWorld,
	) {
		this.data = parse(stored.data);
		this.isTemporary = isTemporary(plan);
		this.sender = n8n.executions.senderOf(stored.id);
		this.exchanges = world.network.exchanges.filter(
			({ request }) => request.headers[SENDER] === this.sender,
		);
		this.visits = nodesOf(plan).flatMap((name) => this.visitsOf(name));
		this.wanted = this.visits.flatMap(({ wanted }) => wanted);
		this.text = this.read();
	}

	get name(): string {
		return `execution ${this.sender}`;
	}

	entries(node: string): ITaskData[] {
		return this.data.resultData.runData[node] ?? [];
	}

	/** The items of a node's last log entry, by output. */
	output(node = 'Maxun'): INodeExecutionData[][] {
		return lastOutput(this.entries(node));
	}

	/** The runs that it started for a key's data, even if they don't exist anymore. */
	runsOf(key: string): Run[] {
		return this.runs.filter((run) => run.key === key && !isReading(this.robotOf(run)));
	}

	/** The runs from which it learned what a key's page looks like. */
	readingsOf(key: string): Run[] {
		return this.runs.filter((run) => run.key === key && isReading(this.robotOf(run)));
	}

	get runs(): Run[] {
		return [...this.world.maxun.past.runs.values()].filter(
			({ starter }) => starter === this.sender,
		);
	}

	/** The robots that it created, even if they don't exist anymore. */
	get robots(): Robot[] {
		const all = [...this.world.maxun.past.robots.values()];
		return all.filter(({ creator }) => creator === this.sender);
	}

	/** A run's robot, even if it doesn't exist anymore. */
	robotOf({ robotId }: Run): Robot {
		const robot = this.world.maxun.past.robots.get(robotId);
		if (!robot) throw new Error(`No robot ${robotId}`);
		return robot;
	}

	get hasEnded(): boolean {
		return isFinal(this.stored);
	}

	get hasPaused(): boolean {
		return this.stored.trail.some(({ status }) => status === 'waiting');
	}

	get wasCanceled(): boolean {
		return this.stored.trail.some(({ status }) => status === 'canceled');
	}
	/** n8n has continued it much earlier than it should, which only happens with data from before the pause. */
	get wasContinuedTooEarly(): boolean {
		const { trail } = this.stored;
		return trail.some(({ status, at }, index) => {
			const next = trail[index + 1];
			return status === 'waiting' && next?.status === 'running' && next.at < at + MUCH_TOO_EARLY;
		});
	}

	/** Whether it was canceled while paused, or while n8n was just pausing or resuming it. n8n doesn't tell the node. */
	get wasCanceledWhilePaused(): boolean {
		const { trail, wasCanceledWhilePausing = false } = this.stored;
		const index = trail.findIndex(({ status }) => status === 'canceled');
		const isBetween = wasCanceledWhilePausing || this.outlivesCancellation;
		return index > 0 && (trail[index - 1]?.status === 'waiting' || isBetween);
	}

	/** Whether it continues despite its cancellation, because n8n was just starting or resuming it. */
	get outlivesCancellation(): boolean {
		const { trail, wasCanceledUnnoticed = false } = this.stored;
		const index = trail.findIndex(({ status }) => status === 'canceled');
		return wasCanceledUnnoticed && trail[index - 1]?.status === 'running';
	}

	/** Whether a process was killed while it worked on the execution. */
	get wasKilled(): boolean {
		return this.n8n.executions.lost.has(this.stored.id) && !this.stored.wasNotStored;
	}

	/** Whether it didn't end by itself. */
	get wasStopped(): boolean {
		return this.wasKilled || this.wasCanceled || this.stored.wasNotStored === true;
	}

	/** Whether it can pause: nobody is waiting for its output or watching it in the editor. */
	get canPause(): boolean {
		const { mode, caller, parent, pauseAfter } = this.plan;
		return mode !== 'manual' && caller === 'nobody' && parent === 'none' && pauseAfter > 0;
	}

	/** When it ended, in epoch milliseconds. */
	get endedAt(): number {
		return this.stored.trail.at(-1)?.at ?? Infinity;
	}

	private visitsOf(name: MaxunNode): Visit[] {
		const { plan } = this;
		const entries = this.entries(name);
		if (plan.shape !== 'loop') {
			const input = this.entries('Start').at(-1)?.data?.main[0] ?? [];
			return [new Visit(plan, name, input, entries)];
		}
		const batches = this.entries('Loop').map(({ data }) => data?.main[1] ?? []);
		const given = batches.filter(({ length }) => length > 0);
		return given.map(
			(input, index) => new Visit(plan, name, input, entries.slice(index, index + 1)),
		);
	}

	private read(): string {
		const { error } = this.data.resultData;
		const entries = nodesOf(this.plan).flatMap((name) => this.entries(name));
		return JSON.stringify([
			this.visits.map(({ output }) => output),
			error && [error.message, Reflect.get(error, 'description')],
			entries.map(({ hints, error: cause }) => [hints, cause?.message, cause?.description]),
		]);
	}
}

/** What happened, and when, in epoch milliseconds. */
export type Happened = Happening & { time: number };

/** A history after its end. */
export class Played {
	readonly excuses = new Excuses();
	readonly waiters: Waiter[];
	/** All executions, in any n8n instance, that should have ended. */
	readonly all: StoredExecution[];

	constructor(
		readonly history: History,
		readonly world: WaitingWorld,
		readonly happened: Happened[],
		/** The robots that existed before the next day. */
		readonly left: Robot[],
		/** When the next day's execution started, in epoch milliseconds; undefined if no robots were left. */
		readonly nextDay: number | undefined,
	) {
		this.all = world.hosts.flatMap(({ database }) => database.executions.all);
		this.waiters = history.executions.flatMap((plan, index) => {
			const n8n = hostOf(world, plan);
			return n8n.database.executions.all
				.filter(({ workflowId }) => workflowId === workflowOf(index))
				.map((stored) => new Waiter(plan, stored, n8n, world));
		});
	}

	/** Whether something of this kind has happened. */
	didHappen(...kinds: string[]): boolean {
		return this.happened.some((what) => kinds.some((kind) => kind in what));
	}

	/** By how many milliseconds n8n's clock was changed in all. */
	get clockError(): number {
		return this.happened.reduce(
			(sum, what) => sum + ('setClock' in what ? Math.abs(what.setClock) : 0),
			0,
		);
	}
}

/** The parent executions, with their children's workflow. */
export const parentsOf = ({ history, world }: Played) =>
	history.executions.flatMap((plan, index) =>
		plan.parent === 'none'
			? []
			: hostOf(world, plan)
					.database.executions.all.filter(
						({ workflowId }) => workflowId === firstWorkflowOf(plan, index),
					)
					.map((stored) => ({ plan, stored, children: workflowOf(index) })),
	);

/** The input item of an item. */
export const pairOf = ({ pairedItem }: INodeExecutionData): number | undefined =>
	typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : undefined;

const ERROR_FIELDS = ['error', 'message', 'details', 'pageUrl', 'url', 'query'];

/**
 * Whether an item is an error. Also true for an input item that n8n added to an error, or passed on because the whole
 * node failed.
 */
export const isErrorItem = ({ json, error }: INodeExecutionData) =>
	error !== undefined ||
	('error' in json && Object.keys(json).every((field) => ERROR_FIELDS.includes(field))) ||
	Object.values(NODES).some((field) => field in json);

export const succeeded = (run: Run) => hasEnded(run) && run.status === 'success';

/** Whether a request didn't get a successful response. */
export const hasFailed = ({ fault, response }: Exchange) =>
	fault !== undefined || response === undefined || response.status >= 300;

export const lineOf = ({ method, url }: Exchange['request']) => `${method} ${url.pathname}`;

/** The request that created a robot. */
export const creationOf = ({ id }: Robot, { exchanges }: Waiter) =>
	exchanges.find(
		({ request, response }) =>
			kindOf(request) === 'create' && JSON.stringify(response?.body)?.includes(`"${id}"`),
	);

/**
 * The requests that delete a robot. On a self-hosted server, this includes the node's earlier search for an active run.
 */
export const deletionsOf = ({ id }: Robot, { exchanges }: Waiter) =>
	exchanges.filter(
		(exchange) =>
			(exchange.request.method === 'DELETE' && exchange.request.url.pathname.endsWith(`/${id}`)) ||
			(kindOf(exchange.request) === 'list' &&
				exchange.request.url.pathname.endsWith(`/${id}/runs`) &&
				hasFailed(exchange)),
	);
