import { parse } from 'flatted';
import type { INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import { hasEnded, type Robot, type Run } from '../maxun/service.mts';
import { isFinal, type StoredExecution } from '../n8n/database.mts';
import { SENDER } from '../n8n/credentials.mts';
import type { Exchange } from '../network.mts';
import type { World } from '../world.mts';
import { isTemporary, type ExecutionPlan, type History } from './history.mts';
import { firstWorkflowOf, workflowOf } from './setup.mts';

/** One execution of a workflow with the Maxun node, after a history. */
export class Waiter {
	readonly data: IRunExecutionData;
	/** The keys of the input items. */
	readonly keys: string[];
	readonly isTemporary: boolean;
	/** Requests of its node, and of the calls that resume it. */
	readonly exchanges: Exchange[];

	constructor(
		readonly plan: ExecutionPlan,
		readonly stored: StoredExecution,
		private readonly world: World,
	) {
		this.data = parse(stored.data);
		const input = this.entries('Start').at(-1)?.data?.main[0] ?? [];
		this.keys = input.map(({ json }) => String(json.key));
		this.isTemporary = isTemporary(plan);
		const senders = [stored.id, `webhook of ${stored.id}`];
		this.exchanges = world.network.exchanges.filter(({ request }) =>
			senders.includes(request.headers[SENDER] ?? ''),
		);
	}

	get name(): string {
		return `execution ${this.stored.id}`;
	}

	entries(node: string): ITaskData[] {
		return this.data.resultData.runData[node] ?? [];
	}

	/** The items of a node's last log entry, by output. */
	output(node = 'Maxun'): INodeExecutionData[][] {
		return (this.entries(node).at(-1)?.data?.main ?? []).map((items) => items ?? []);
	}

	/** The items for one input item, in all outputs. */
	resultsOf(item: number): INodeExecutionData[] {
		return this.output()
			.flat()
			.filter((result) => pairOf(result) === item);
	}

	/** Everything that people can read about the execution: items, errors and hints. */
	get text(): string {
		const { error } = this.data.resultData;
		const entries = this.entries('Maxun');
		return JSON.stringify([
			this.output(),
			error && [error.message, Reflect.get(error, 'description')],
			entries.map(({ hints, error: cause }) => [hints, cause?.message, cause?.description]),
		]);
	}

	/** Runs that were started for an item, whether or not they still exist. */
	runsOf(key: string): Run[] {
		const all = [...this.world.maxun.past.runs.values()];
		return all.filter((run) => run.key === key && run.source === 'api');
	}

	/** The robot of a run, whether or not it still exists. */
	robotOf({ robotId }: Run): Robot {
		const robot = this.world.maxun.past.robots.get(robotId);
		if (!robot) throw new Error(`No robot ${robotId}`);
		return robot;
	}

	get runs(): Run[] {
		return this.keys.flatMap((key) => this.runsOf(key));
	}

	get hasEnded(): boolean {
		return isFinal(this.stored);
	}

	get wasCancelled(): boolean {
		return this.stored.trail.some(({ status }) => status === 'canceled');
	}

	/** Whether it was cancelled while it paused, or while n8n was just resuming it. n8n doesn't tell the node. */
	get wasCancelledWhilePaused(): boolean {
		const { trail } = this.stored;
		const index = trail.findIndex(({ status }) => status === 'canceled');
		return index > 0 && (trail[index - 1]?.status === 'waiting' || this.outlivesCancellation);
	}

	/** Whether it continues despite its cancellation, because n8n was just starting or resuming it. */
	get outlivesCancellation(): boolean {
		const { trail, wasCancelledUnnoticed = false } = this.stored;
		const index = trail.findIndex(({ status }) => status === 'canceled');
		return wasCancelledUnnoticed && trail[index - 1]?.status === 'running';
	}

	/** How many minutes an item waits for its run. */
	waitForOf(key: string): number {
		return this.plan.waitFor ?? this.plan.items[Number(key.split('i')[1])]?.waitFor ?? 0;
	}

	/** Whether a process was killed while it worked on the execution. */
	get wasKilled(): boolean {
		return this.world.n8n.lost.has(this.stored.id);
	}

	get hadFaults(): boolean {
		return this.exchanges.some(({ fault, response }) => fault ?? response?.status === 429);
	}

	/** When it ended, in epoch milliseconds. */
	get endedAt(): number {
		return this.stored.trail.at(-1)?.at ?? Infinity;
	}
}

/** A history after its end. */
export interface Played {
	history: History;
	world: World;
	waiters: Waiter[];
	/** Executions that started and should have ended. */
	all: StoredExecution[];
	/** Rejections that nothing handles. */
	unhandled: unknown[];
	dataOf(stored: StoredExecution): IRunExecutionData;
}

export function view(history: History, world: World, unhandled: unknown[]): Played {
	const { all } = world.n8n.database;
	const waiters = history.executions.flatMap((plan, index) =>
		all
			.filter(({ workflowId }) => workflowId === workflowOf(index))
			.map((stored) => new Waiter(plan, stored, world)),
	);
	return { history, world, waiters, all, unhandled, dataOf: ({ data }) => parse(data) };
}

/** The parent executions, with the keys of all items that they should return. */
export const parentsOf = ({ history, all }: Played) =>
	history.executions.flatMap((plan, index) =>
		plan.parent === 'none'
			? []
			: all
					.filter(({ workflowId }) => workflowId === firstWorkflowOf(plan, index))
					.map((stored) => ({ plan, stored, children: workflowOf(index) })),
	);

/** The input item of an item. */
export const pairOf = ({ pairedItem }: INodeExecutionData): number | undefined =>
	typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : undefined;

export const isErrorItem = ({ json, error }: INodeExecutionData) =>
	error !== undefined || ('error' in json && 'details' in json);

export const succeeded = (run: Run) => hasEnded(run) && run.status === 'success';
