import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { liveEntry } from '../n8n/internals';
import { isTool } from './caller';
import { isLeftover } from './hints';
import type { ExecutionState, StoredState } from './state';

/**
 * With Retry On Fail, n8n runs the node again for all items. Each attempt saves its items and active runs for the
 * next one, because starting them again would charge for them twice. n8n passes the same entry to all attempts, and
 * another entry to each execution and each loop iteration. All calls of a tool share the agent's entry, so tools
 * don't store anything.
 */

interface EndState extends ExecutionState {
	/** Set if no other attempt may begin. The next attempt only throws it again. */
	failure?: unknown;
}

const latest = new WeakMap<IExecuteData, EndState>();

export class Attempt {
	readonly earlier: number;

	private constructor(
		/** From before a pause or the current attempt. */
		readonly saved: ExecutionState | undefined,
		private readonly allowed: number,
		private readonly entry?: IExecuteData,
	) {
		this.earlier = saved?.attempts ?? 0;
	}

	static of(context: IExecuteFunctions, paused: ExecutionState | undefined): Attempt {
		const { retryOnFail, maxTries } = context.getNode();
		const entry = retryOnFail && !isTool(context) ? liveEntry(context) : undefined;
		if (!entry) return new Attempt(paused, 1);
		const before = paused ? undefined : latest.get(entry);
		if (before?.failure !== undefined) throw before.failure;
		return new Attempt(before ?? paused, Math.min(5, Math.max(2, maxTries || 3)), entry); // as n8n's engine does
	}

	get isLast(): boolean {
		return this.earlier + 1 >= this.allowed;
	}

	save(state: ExecutionState, isLast: boolean, failure: unknown): void {
		if (!this.entry) return;
		const states = isLast ? state.states : state.states.map((item) => item.map(nextState));
		const attempts = this.earlier + 1;
		latest.set(this.entry, { ...state, states, attempts, failure: isLast ? failure : undefined });
	}
}

const nextState = (state: StoredState): StoredState =>
	state.error && !state.isLast
		? { todo: true, earlier: state.error, hints: state.hints?.filter(isLeftover) }
		: state;
