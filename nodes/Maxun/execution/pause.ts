import type { EngineRequest, IExecuteFunctions } from 'n8n-workflow';
import { SHORTEST_PAUSE } from '../n8n/internals';
import { isCanceled, waitingCaller } from './caller';
import { engineObstacle, requestPause } from './engineRequest';
import type { Jobs } from './jobs';
import type { ExecutionState, HintArguments } from './state';

const LONGEST_PAUSE = 5 * 60_000;

/** Fractions of the time waited so far. n8n stores all data of the execution twice for each pause. */
const PART = 1 / 20;
const PART_OF_LARGE = 1 / 10;

/** In characters. */
const LARGE = 5_000_000;

export class Pausing {
	constructor(
		private readonly context: IExecuteFunctions,
		private obstacle?: string,
	) {}

	get notes(): HintArguments[] {
		const { obstacle } = this;
		if (obstacle === undefined) return [];
		return [[`n8n kept this execution running while it waited, because ${obstacle}`]];
	}

	/** Undefined if it can't pause yet. @param pauseAfter seconds; 0: never */
	request(
		state: ExecutionState,
		pauseAfter: number,
		{ nextDeadline, isLongWork }: Pick<Jobs, 'nextDeadline' | 'isLongWork'>,
	): EngineRequest | undefined {
		const { context } = this;
		const { lastActivity } = state;
		const now = Date.now();
		const isDue = pauseAfter > 0 && (isLongWork || now - lastActivity >= pauseAfter * 1000);
		// If an item times out soon, the pause is only delayed.
		if (!isDue || this.obstacle !== undefined || nextDeadline - now < SHORTEST_PAUSE) {
			return undefined;
		}
		this.obstacle = waitingCaller(context) ?? engineObstacle(context);
		if (this.obstacle !== undefined || isCanceled(context)) return undefined;
		const pause = pauseLength(now - lastActivity, JSON.stringify(state).length);
		return requestPause(context, new Date(Math.min(now + pause, nextDeadline)), state);
	}
}

/** In milliseconds, like `waited`. */
function pauseLength(waited: number, size: number): number {
	const part = waited * (size > LARGE ? PART_OF_LARGE : PART);
	return Math.min(Math.max(part, SHORTEST_PAUSE), LONGEST_PAUSE);
}
