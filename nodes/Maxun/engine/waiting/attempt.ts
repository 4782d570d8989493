import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { liveEntry } from '../../n8n/internals';
import { isTool } from './caller';
import type { ItemState } from '../../runs/types';

/*
 * With Retry On Fail, n8n runs the node again for all items if one of them fails. Starting runs again that ended or
 * still continue would charge them twice. So each attempt leaves its states to the next one.
 *
 * n8n passes the same entry to all attempts, and another one to each execution and each loop iteration. If it doesn't,
 * an attempt finds no states and starts all items. All calls of a tool share the agent's entry, so tools remember nothing.
 */

/** What the latest attempt of an entry has left. */
interface Left {
	/** With which the next attempt begins. If no other one may begin, it only returns them again. */
	states: ItemState[][];
	/** Number of attempts so far. n8n itself counts anew after a pause. */
	attempts: number;
	/** The error that failed the node, if no other attempt may begin. */
	failure?: unknown;
}

/** The latest attempt of each entry. Without it, each attempt would start and charge all runs again. */
const latest = new WeakMap<IExecuteData, Left>();

/** One of the times that n8n runs the node for the same items. */
export class Attempt {
	/** Whether n8n makes no other attempt. */
	readonly isLast: boolean;

	private constructor(
		/** How often n8n tries the node. */
		readonly allowed: number,
		/** The states from before a pause or the current attempt. */
		readonly states?: ItemState[][],
		/** Number of earlier attempts. */
		readonly earlier = 0,
		private readonly entry?: IExecuteData,
	) {
		this.isLast = earlier + 1 >= allowed;
	}

	/**
	 * The current attempt.
	 *
	 * @param paused what was stored before a pause
	 * @throws the error of the attempt before if no other one may begin
	 */
	static of(context: IExecuteFunctions, paused: Partial<Left> | undefined): Attempt {
		const { retryOnFail, maxTries } = context.getNode();
		const entry = retryOnFail && !isTool(context) ? liveEntry(context) : undefined;
		if (!entry) return new Attempt(1, paused?.states);
		const allowed = Math.min(5, Math.max(2, maxTries || 3)); // as in n8n's engine
		const before = paused ? undefined : latest.get(entry);
		if (!before) return new Attempt(allowed, paused?.states, paused?.attempts, entry);
		if (before.failure !== undefined) throw before.failure;
		return new Attempt(allowed, before.states, before.attempts, entry);
	}

	/**
	 * Leaves the states to the next attempt.
	 *
	 * @param failure the error that fails the node
	 * @param isEnough whether n8n has no reason for another attempt
	 * @returns whether no other attempt may begin
	 */
	leave(states: ItemState[][], failure?: unknown, isEnough = false): boolean {
		const isFailedForGood = failure !== undefined && states.flat().some(isFinal);
		const isOver = this.isLast || isEnough || isFailedForGood;
		const next = isOver
			? { states, failure }
			: { states: states.map((item) => item.map(nextState)) };
		if (this.entry) latest.set(this.entry, { ...next, attempts: this.earlier + 1 });
		return isOver;
	}
}

const isFinal = (state: ItemState) => 'error' in state && state.final === true;

/** The state with which the next attempt begins. */
function nextState(state: ItemState): ItemState {
	if (!('error' in state) || state.final) return state;
	const { continuing: run, leftover } = state;
	// A robot that could not be deleted serves the next run.
	return run ? { run, since: Date.now() } : { todo: true, robot: leftover };
}
