import type { EngineRequest, EngineResponse, IExecuteFunctions } from 'n8n-workflow';
import { SHORTEST_PAUSE } from '../n8n/internals';
import { isCanceled, waitingCaller } from './caller';
import { engineObstacle, requestPause } from './engineRequest';
import type { ExecutionState } from './state';

const LONGEST_PAUSE = 5 * 60_000;

/**
 * The length of a pause, as a fraction of the time waited so far. n8n stores all data of the execution twice for each
 * pause.
 */
const PART = 1 / 20;
const PART_OF_LARGE = 1 / 10;

/** The size from which data is large, in characters. */
const LARGE = 5_000_000;

/** Pauses an execution in n8n's database, where it uses no worker. */
export class Pausing {
	/**
	 * @param response the argument of `execute`
	 * @param obstacle why the execution can't pause, phrased to end a sentence
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly response: EngineResponse | undefined,
		private readonly hint: (message: string) => void,
		private obstacle?: string,
	) {
		if (obstacle !== undefined) hint(notPaused(obstacle));
	}

	/**
	 * The request that pauses the execution; undefined if the execution has to wait longer first, or can't pause.
	 *
	 * @param state what to store
	 * @param pauseAfter seconds after a run last started or ended; never if 0
	 * @param nextDeadline the next time at which an item times out, in epoch milliseconds
	 */
	request(
		state: ExecutionState,
		pauseAfter: number,
		nextDeadline: number,
	): EngineRequest | undefined {
		const { context } = this;
		const { lastActivity } = state;
		const now = Date.now();
		const isDue = pauseAfter > 0 && now - lastActivity >= pauseAfter * 1000;
		// If an item times out soon, the pause is only delayed.
		if (!isDue || this.obstacle !== undefined || nextDeadline - now < SHORTEST_PAUSE) {
			return undefined;
		}
		this.obstacle = waitingCaller(context) ?? engineObstacle(context, this.response);
		if (this.obstacle !== undefined) this.hint(notPaused(this.obstacle));
		if (this.obstacle !== undefined || isCanceled(context)) return undefined;
		const pause = pauseLength(now - lastActivity, JSON.stringify(state).length);
		return requestPause(context, new Date(Math.min(now + pause, nextDeadline)), state);
	}
}

/** The length of a pause in milliseconds. @param waited milliseconds since a run last started or ended */
function pauseLength(waited: number, size: number): number {
	const part = waited * (size > LARGE ? PART_OF_LARGE : PART);
	return Math.min(Math.max(part, SHORTEST_PAUSE), LONGEST_PAUSE);
}

const notPaused = (reason: string) =>
	`n8n kept this execution running while it waited, because ${reason}`;
