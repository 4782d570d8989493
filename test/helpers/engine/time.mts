import { syncBuiltinESMExports } from 'node:module';
import FakeTimers from '@sinonjs/fake-timers';

/*
 * Simulated time for the engine tests, which the nodes, n8n's engine and the sandbox share. It passes faster than real
 * time, but only while this process works. So a busy machine makes the tests slower, but they don't exceed a limit.
 * Sockets, `AbortSignal.timeout` and `performance` use real time.
 */

/** How much faster time passes. */
let speed = 3;
export const setSpeed = (factor = 3): void => void (speed = factor);

/** In milliseconds of real time: how often time passes, and how much passes at most before other work has its turn. */
const STEP = 2;
const MOST = 10;

const RealDate = Date;
const repeat = setInterval;
const clock = FakeTimers.install({
	now: RealDate.now(),
	toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
});
const { setTimeout: wait } = clock;
let steppedAt = performance.now();
/** By how much a test has moved the date, in milliseconds. */
let moved = 0;

/** Time also passes during a step, so that code can measure itself. */
const sinceStep = () => Math.min(performance.now() - steppedAt, MOST) * speed;

const now = () => Math.floor(clock.now + sinceStep()) + moved;

clock.setTimeout = (work, delay = 0, ...args) => wait(work, delay + sinceStep(), ...args);

globalThis.Date = new Proxy(RealDate, {
	construct: (target, args, newTarget) =>
		Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
	apply: () => new RealDate(now()).toString(),
});
RealDate.now = now;
syncBuiltinESMExports();

repeat(() => {
	const passed = sinceStep();
	steppedAt = performance.now();
	clock.tick(passed);
}, STEP).unref();

/** Moves the date forward, for the rest of the test. Timers keep their delays. */
export const moveDate = (milliseconds: number): void => void (moved += milliseconds);

export const resetDate = (): void => void (moved = 0);
