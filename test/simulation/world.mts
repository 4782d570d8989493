import { Clock } from './clock.mts';
import { Network } from './network.mts';
import { randomFrom } from './random.mts';

/** Simulated time and a network. Only one world exists at a time in a thread. */
export class World {
	readonly clock: Clock;
	readonly began: number;
	/** Determines latencies and everything else that a history leaves open. */
	readonly random: () => number;
	readonly network: Network;
	/** A description of what happens. */
	readonly trace: string[] = [];
	/** Unhandled rejections. */
	readonly unhandled: string[] = [];
	private readonly realRandom = Math.random;
	private readonly onUnhandled = (reason: unknown) => this.unhandled.push(String(reason));

	/** @param start epoch milliseconds; by default, the clock's own beginning */
	constructor(seed: number, start?: number) {
		this.clock = new Clock(start);
		this.began = this.clock.now;
		// The nodes spread requests out at random, and a seed must replay its history.
		Math.random = randomFrom(seed + 1);
		this.random = randomFrom(seed);
		this.network = new Network(this.clock, this.random);
		process.on('unhandledRejection', this.onUnhandled);
	}

	note(text: string): void {
		this.trace.push(`${((this.clock.now - this.began) / 1000).toFixed(3)} ${text}`);
	}

	close(): void {
		process.off('unhandledRejection', this.onUnhandled);
		Math.random = this.realRandom;
		this.network.close();
		this.clock.close();
	}
}
