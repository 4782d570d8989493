import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { MaxunFault } from '../api/fault';
import { isTool } from '../core/tool';
import { cannotSuspend, suspend, wake } from '../core/suspension';
import type { Api, Job, Started } from '../core/operation';
import { unreachable } from '../core/address';
import { Callbacks, type Watched } from './callbacks';
import { discardOrphans } from './orphans';
import { Remembered } from './remembered';
import { fateOf } from './siblings';
import { discard } from './temporary';
import {
	deadlineOf,
	keptRunning,
	waitForRuns,
	type Awaited,
	type Outcome,
	type WaitLimits,
} from './wait';

/** A run that is waited for, with the input item that it belongs to. */
export interface Waiting extends Awaited {
	itemIndex: number;
	/** What the operation gave when it had started the run. */
	started: Started;
}

/** What a run of an earlier life is taken up with. */
interface Task {
	itemIndex: number;
	api: Api;
	job: Job;
}

/** Executions that nobody watches, so that they may take a rest. */
const UNWATCHED: WorkflowExecuteMode[] = ['trigger', 'webhook', 'retry', 'error'];

/**
 * A waiting execution looks by itself now and then, for no webhook tells of a run that was cancelled or whose robot was
 * deleted, and a delivery may be lost when n8n is away for long: after as much time as it has waited already, within
 * these limits. So nothing is noticed later than that, and a day of waiting costs some fifty looks.
 */
const LOOK = { soonest: 5 * 60_000, latest: 30 * 60_000 };

/** n8n wakes executions punctually only if they wait longer than this. */
const SHORTEST = 70_000;

/** Waits for runs: in process at first, then in n8n's database, with webhooks that wake the execution. */
export class Parking {
	/** Robots that have or may have a webhook of ours. */
	private watched: Watched[] = [];
	/** When the execution was woken, was its time up, or was it called? */
	private woken?: 'called' | 'by time';

	/** @param settle takes what came of a run as soon as it is known */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly response: EngineResponse | undefined,
		private readonly settle: (run: Waiting, outcome: Outcome) => Promise<void>,
	) {}

	/** The runs of an execution that has been woken; its webhooks are ours again. */
	takeOver(woken: Woken, tasks: Task[]): Waiting[] {
		this.woken = woken.byTime ? 'by time' : 'called';
		const runs = woken.runs.flatMap(({ itemIndex, since, started }) => {
			const task = tasks.find((candidate) => candidate.itemIndex === itemIndex);
			if (!task || !('start' in task.job)) return [];
			const { api, job } = task;
			return [{ ...started, started, itemIndex, since, api, settings: job.settings }];
		});
		this.watched = woken.robots.flatMap(({ scope, robotId }) => {
			const api = tasks.find((task) => task.api.scope === scope)?.api;
			return api ? [{ api, robotId }] : [];
		});
		return runs;
	}

	/**
	 * Waits until all runs are settled, or has the execution wait in n8n's database.
	 *
	 * @param runs those that are not settled yet; the set shrinks as they are
	 * @param output what came of the others, by input item
	 * @param parkAfter how many seconds to wait in process first; 0 to do so to the end
	 * @returns the request that makes n8n wait, which the node returns; undefined when all runs are settled
	 */
	async waitFor(
		runs: Set<Waiting>,
		output: INodeExecutionData[][],
		parkAfter: number,
	): Promise<EngineRequest | undefined> {
		const wait = async (limits?: WaitLimits) => await waitForRuns([...runs], this.settle, limits);
		if (parkAfter > 0) {
			const seconds = this.woken === 'by time' ? 0 : parkAfter;
			const atOnce = this.woken !== undefined;
			await wait({ until: Date.now() + seconds * 1000, atOnce });
			// A run with little time left keeps the others from their rest no longer than that.
			while (runs.size > 0 && earliestDeadline(runs) - Date.now() <= SHORTEST) {
				await wait({ until: earliestDeadline(runs) });
			}
			if (runs.size > 0) {
				const obstacle = await this.prepare([...runs]);
				if (obstacle === undefined) {
					await this.discardOrphans(runs);
					// A run may have ended before its webhook was there.
					await wait({ until: 0, atOnce: true });
					if (runs.size > 0 && !this.isCancelled()) return this.park(runs, output);
				} else {
					const [{ api }] = runs;
					api.hint(keptRunning(obstacle));
				}
			}
		}
		await wait();
		return undefined;
	}

	/** Removes the webhooks, and says what could not be removed. */
	async clear(): Promise<void> {
		const { watched } = this;
		this.watched = [];
		if (watched.length === 0) return;
		for (const left of await this.callbacks().remove(watched)) {
			watched[0].api.hint(`A webhook that woke this execution is left in Maxun, at ${left}`);
		}
	}

	/** Makes ready to wait in the database. @returns why that is not possible; undefined when it is */
	private async prepare(runs: Waiting[]): Promise<string | undefined> {
		const obstacle = this.obstacle(runs[0].api);
		if (obstacle !== undefined) return obstacle;
		const robots = new Map(runs.map((run) => [`${run.api.scope} ${run.robotId}`, run]));
		const before = this.watched;
		this.watched = [...robots.values()].map(({ api, robotId, temporary }) => ({
			api,
			robotId,
			temporary,
		}));
		const done = before.filter(({ api, robotId }) => !robots.has(`${api.scope} ${robotId}`));
		await this.callbacks().remove(done);
		const refusal = await this.callbacks().register(this.watched);
		return refusal && `no webhook could be registered on ${refusal}`;
	}

	/** Clears up after executions that could not; where that fails, the next one does. */
	private async discardOrphans(runs: Iterable<Waiting>): Promise<void> {
		const { origin } = new URL(addressOf(this.context));
		const { credentials } = this.context.getNode();
		const made = [...runs].filter(({ temporary }) => temporary !== undefined);
		for (const { api } of new Map(made.map((run) => [run.api.scope, run])).values()) {
			const account = JSON.stringify([origin, credentials, api.scope]);
			await discardOrphans(api, account, this.callbacks()).catch((fault: unknown) => {
				if (!(fault instanceof MaxunFault)) throw fault;
				this.context.logger.warn(
					`Robots of cancelled executions are not looked for: ${fault.message}`,
				);
			});
		}
	}

	private park(runs: Set<Waiting>, outputs: INodeExecutionData[][]): EngineRequest {
		const memory: Remembered = {
			outputs,
			runs: [...runs].map(({ itemIndex, api, since, started }) => ({
				itemIndex,
				scope: api.scope,
				since,
				started,
			})),
			robots: this.watched.map(({ api, robotId }) => ({ scope: api.scope, robotId })),
		};
		const until = Math.min(earliestDeadline(runs), nextLook(runs));
		const { watched, context } = this;
		const callbacks = this.callbacks();
		const left = [...runs];
		// n8n tells no node of an execution that is cancelled while it waits, but until the wait is stored it does.
		context.onExecutionCancellation(async () => {
			await callbacks.remove(watched);
			await Promise.all(left.map(async (run) => await discard(run)));
		});
		// Both are the business of the execution's next life now.
		runs.clear();
		this.watched = [];
		return suspend(context, new Date(until), memory);
	}

	private callbacks(): Callbacks {
		const { context } = this;
		return new Callbacks(addressOf(context), async (address) => await fateOf(context, address));
	}

	private isCancelled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted ?? false;
	}

	private obstacle({ baseUrl }: Api): string | undefined {
		const { context, response } = this;
		if (isTool(context)) return 'it works for an AI agent';
		// n8n resumes a parent when the first of its sub-workflows ends, and the results of the others are lost.
		if (context.getMode() === 'integrated') {
			return 'it is a sub-workflow, and its parent may wait for it';
		}
		if (!UNWATCHED.includes(context.getMode())) return 'it was started by hand';
		if (answersWithLastNode(context)) return 'a caller waits for the answer of the last node';
		const engine = cannotSuspend(context, response);
		if (engine !== undefined) return engine;
		const address = addressOf(context);
		const problem = unreachable(address, baseUrl);
		return problem && `Maxun cannot reach it: ${new URL(address).origin} ${problem}`;
	}
}

/** Where a call wakes the execution while it waits. */
const addressOf = (context: IExecuteFunctions) =>
	String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));

const earliestDeadline = (runs: Iterable<Waiting>) => Math.min(...[...runs].map(deadlineOf));

function nextLook(runs: Iterable<Waiting>): number {
	const waited = Date.now() - Math.min(...[...runs].map(({ since }) => since));
	return Date.now() + Math.min(Math.max(waited, LOOK.soonest), LOOK.latest);
}

/** n8n answers such a caller as soon as an execution begins to wait, with what it has got by then. */
function answersWithLastNode(context: IExecuteFunctions): boolean {
	return (
		context.getMode() === 'webhook' &&
		context
			.getParentNodes(context.getNode().name, { includeNodeParameters: true })
			.some(({ parameters }) => parameters?.responseMode === 'lastNode')
	);
}

/** What an execution remembers of the wait that it was woken from, and whether that was because its time had come. */
export type Woken = Remembered & { byTime: boolean };

/** @returns undefined where the execution has not waited */
export function wokenWith(context: IExecuteFunctions): Woken | undefined {
	const woken = wake(context);
	const memory = Remembered.safeParse(woken?.memory).data;
	return woken && memory && { ...memory, byTime: Date.now() >= woken.until };
}
