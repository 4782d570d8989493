import type { EngineRequest, EngineResponse, IExecuteFunctions } from 'n8n-workflow';
import { SHORTEST_PAUSE } from '../n8n/internals';
import type { Memory } from './state';
import { isCanceled, waitingCaller } from './caller';
import { engineObstacle, requestPause, type SavedPause } from './engineRequest';

const LONGEST_PAUSE = 5 * 60_000;

/**
 * The length of a pause, as a fraction of the time waited so far. n8n stores all data of the execution twice for each
 * pause.
 */
const PART = 1 / 20;
const PART_OF_LARGE = 1 / 10;

/** The size from which data is large, in characters. */
const LARGE = 5_000_000;

interface Waiting {
	/** When a run last started or ended, in epoch milliseconds. */
	progress: number;
	/** The next time at which an item times out, in epoch milliseconds. */
	nextDeadline: number;
}

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
	 * @param pauseAfter seconds after a run last started or ended; never if 0
	 */
	request(waiting: Waiting, pauseAfter: number, memory: Memory): EngineRequest | undefined {
		const { context } = this;
		const { progress, nextDeadline } = waiting;
		const now = Date.now();
		const isDue = pauseAfter > 0 && now - progress >= pauseAfter * 1000;
		// If an item times out soon, the pause is only delayed.
		if (!isDue || this.obstacle !== undefined || nextDeadline - now < SHORTEST_PAUSE) {
			return undefined;
		}
		this.obstacle = waitingCaller(context) ?? engineObstacle(context, this.response);
		if (this.obstacle !== undefined) this.hint(notPaused(this.obstacle));
		if (this.obstacle !== undefined || isCanceled(context)) return undefined;
		const saved: SavedPause = { ...memory, progress };
		const pause = pauseLength(now - progress, JSON.stringify(saved).length);
		return requestPause(context, new Date(Math.min(now + pause, nextDeadline)), saved);
	}
}

/** The length of a pause in milliseconds. @param waited milliseconds since a run last started or ended */
function pauseLength(waited: number, size: number): number {
	const part = waited * (size > LARGE ? PART_OF_LARGE : PART);
	return Math.min(Math.max(part, SHORTEST_PAUSE), LONGEST_PAUSE);
}

const notPaused = (reason: string) =>
	`n8n kept this execution running while it waited, because ${reason}`;
