import FakeTimers from '@sinonjs/fake-timers';
import { busyTime } from '../helpers/busyTime.mts';

/** The process whose work a timer or a response continues. Once the process is dead, its work doesn't continue. */
export interface Owner {
	readonly alive: boolean;
}

const START = Date.UTC(2026, 0, 5, 12);

/** If code reads the clock more often than this in one turn, it is waiting for time that can't pass. */
const MOST_READS = 200_000;

/** Node.js waits at least this long, in milliseconds. Fake timers don't, so a loop with shorter delays never ends. */
const SHORTEST_DELAY = 1;

const RealDate = Date;
const realTime = performance.now.bind(performance);
const realTimeout = AbortSignal.timeout;

/** A date for a server. Creating a simulated date is slow. @param time epoch milliseconds */
export const dateOf = (time: number): Date => new RealDate(time);

/** The precision of measured turns, in milliseconds. Measuring is slow. */
const PRECISION = 5;

/** This thread's clock. Only one exists at a time. */
let installed: Clock | undefined;

/** The owner of the current turn; null for the world outside n8n. */
export const currentOwner = (): Owner | null => installed?.current ?? null;

/** Thrown in code that never lets the event loop continue. */
export class EndlessTurn extends Error {
	constructor() {
		super('The event loop is blocked: a turn does not end');
	}
}

/**
 * Simulated time. Replaces this thread's `Date`, `performance`, `setTimeout`, `setInterval` and `AbortSignal.timeout`, so that
 * n8n's engine and the nodes use it.
 *
 * Work is a sequence of turns: a timer fires, and then all promises that depend on it continue. Time passes only
 * between turns. Each turn belongs to its timer's owner.
 */
export class Clock {
	/** The longest turn so far, in real milliseconds. Other programs and the engine's other threads don't count. */
	longestTurn = 0;
	wasBlocked = false;
	private owner: Owner | null = null;
	/** By how many milliseconds n8n's clock was changed. */
	private set = 0;
	private reads = 0;
	/** The CPU time that was last measured, at some moment before the turn. */
	private measured = { at: -Infinity, busy: 0 };
	private readonly timers: ReturnType<typeof FakeTimers.install>;
	private readonly realNow: () => number;

	constructor(start = START) {
		this.timers = FakeTimers.install({
			now: start,
			toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
		});
		const { setTimeout: add } = this.timers;
		this.timers.setTimeout = (work, delay = 0) =>
			add(this.owned(work, this.owner), Math.max(delay, SHORTEST_DELAY));
		this.realNow = Date.now;
		Date.now = () => this.read();
		// A real one would continue the requests of an earlier history minutes later.
		AbortSignal.timeout = (milliseconds) => {
			const controller = new AbortController();
			this.after(milliseconds, () =>
				controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
			);
			return controller.signal;
		};
		installed = this;
	}

	get now(): number {
		return this.timers.now - this.set;
	}

	/** The time on n8n's clock, in epoch milliseconds. It is the true time until somebody changes the clock. */
	get shown(): number {
		return this.timers.now;
	}

	/** Changes n8n's clock, as NTP does. Timers keep their delays. @param milliseconds forward; back if negative */
	adjust(milliseconds: number): void {
		this.set += milliseconds;
		this.timers.setSystemTime(this.timers.now + milliseconds);
	}

	/** Lets time pass in which nothing happens. Timers keep their delays. */
	skip(milliseconds: number): void {
		this.timers.setSystemTime(this.timers.now + milliseconds);
	}

	/** The owner of the current turn; null for the world outside n8n. */
	get current(): Owner | null {
		return this.owner;
	}

	/** Does work later, for the current owner unless another owner is given. @returns a function that prevents it */
	after(milliseconds: number, work: () => void, owner: Owner | null = this.owner): () => void {
		const timer = this.as(owner, () => setTimeout(work, Math.max(0, milliseconds)));
		return () => clearTimeout(timer);
	}

	/** Resolves later, unless the current owner dies. */
	async pause(milliseconds: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(milliseconds, resolve));
	}

	private as<T>(owner: Owner | null, work: () => T): T {
		const before = this.owner;
		this.owner = owner;
		try {
			return work();
		} finally {
			this.owner = before;
		}
	}

	/**
	 * Runs turns until nothing is left to do or the limit is reached.
	 *
	 * @param limit epoch milliseconds
	 * @param isDone whether to stop earlier
	 */
	async run(limit: number, isDone: () => boolean = () => false): Promise<void> {
		await this.settle();
		while (this.timers.countTimers() > 0 && this.now < limit && !isDone()) {
			this.reads = 0;
			const began = realTime();
			if (began - this.measured.at > PRECISION) {
				this.measured = { at: began, busy: busyTime() };
			}
			this.timers.next();
			await this.settle();
			const real = realTime() - began;
			if (real <= this.longestTurn) continue;
			const busy = busyTime() - this.measured.busy;
			this.longestTurn = Math.max(this.longestTurn, Math.min(real, busy));
		}
	}

	/** Gives real time back to the thread. Work that is still going on never gets another turn. */
	close(): void {
		Date.now = this.realNow;
		AbortSignal.timeout = realTimeout;
		this.timers.uninstall();
		Object.assign(globalThis, { setTimeout: () => 0 });
		installed = undefined;
	}

	/** Lets all promises continue. Until then, the owner stays the same. */
	private async settle(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.owner = null;
	}

	private owned(work: () => void, owner: Owner | null) {
		return () => {
			if (owner?.alive === false) return;
			this.owner = owner;
			work();
		};
	}

	private read(): number {
		if (++this.reads < MOST_READS) return this.timers.now;
		this.wasBlocked = true;
		throw new EndlessTurn();
	}
}
