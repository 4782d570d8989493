import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { liveEntry } from '../n8n/internals';
import { isTool } from './caller';
import type { ItemState } from './types';

/*
 * With Retry On Fail, n8n runs the node again for all items if one of them fails. Starting runs again that finished or
 * still continue would charge them twice. So each attempt leaves its states to the next one.
 *
 * n8n passes the same entry to all attempts, and another one to each execution and each loop iteration. If it doesn't,
 * an attempt finds no states and starts all items. All calls of a tool share the agent's entry, so tools remember nothing.
 */

/** What an attempt begins with. */
interface Before {
	/** The states from before a pause or the current attempt. */
	states?: ItemState[][];
	/** Number of earlier attempts. n8n itself counts anew after a pause. */
	attempts?: number;
}

/** What the latest attempt of an entry has left. */
interface Left extends Before {
	states: ItemState[][];
	attempts: number;
	/** The error that failed the node. */
	failure?: unknown;
	/** Whether no other attempt may begin. */
	isOver: boolean;
}

/** The latest attempt of each entry. Without it, each attempt would start and charge all runs again. */
const latest = new WeakMap<IExecuteData, Left>();

/** One of the times that n8n runs the node for the same items. */
export class Attempt {
	/** Number of earlier attempts. */
	readonly earlier: number;
	readonly states?: ItemState[][];
	/** Whether n8n makes no other attempt. */
	readonly isLast: boolean;

	private constructor(
		/** How often n8n tries the node. */
		readonly allowed: number,
		{ states, attempts = 0 }: Before,
		private readonly entry?: IExecuteData,
	) {
		this.states = states;
		this.earlier = attempts;
		this.isLast = attempts + 1 >= allowed;
	}

	/**
	 * The current attempt.
	 *
	 * @param paused what was stored before a pause
	 * @throws the error of the attempt before if no other one may begin
	 */
	static of(context: IExecuteFunctions, paused: Before | undefined): Attempt {
		const { retryOnFail, maxTries } = context.getNode();
		const entry = retryOnFail && !isTool(context) ? liveEntry(context) : undefined;
		if (!entry) return new Attempt(1, paused ?? {});
		const allowed = Math.min(5, Math.max(2, maxTries || 3)); // as in n8n's engine
		const before = paused ? undefined : latest.get(entry);
		if (!before) return new Attempt(allowed, paused ?? {}, entry);
		const { isOver, failure, states, attempts } = before;
		if (!isOver) {
			const next = states.map((item) => item.map(nextState));
			return new Attempt(allowed, { states: next, attempts }, entry);
		}
		if (failure !== undefined) throw failure;
		return new Attempt(allowed, before, entry);
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
		const left = { states, failure, isOver, attempts: this.earlier + 1 };
		if (this.entry) latest.set(this.entry, left);
		return isOver;
	}

	/** Leaves nothing, after a cancellation. @returns that no other attempt may begin */
	forget(): true {
		if (this.entry) latest.delete(this.entry);
		return true;
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
