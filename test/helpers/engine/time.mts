import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import FakeTimers from '@sinonjs/fake-timers';

/*
 * Simulated time for the engine tests, which the nodes, n8n's engine and the sandbox share. It passes faster than real
 * time, but only while this process works. So a busy machine makes the tests slower, but they don't exceed a limit.
 * Sockets, `AbortSignal.timeout` and `performance` use real time.
 */

/** How much faster time passes while this process works, and at least while it only waits. */
let speed = 3;
const IDLE_SPEED = 20;
export const setSpeed = (factor = 3): void => void (speed = factor);

/** In milliseconds of real time: how often time passes, and how much passes at most before other work has its turn. */
const STEP = 2;
const MOST = 10;
/** In milliseconds of real time: how long the process has to wait until time passes faster. */
const IDLE = 10;

const RealDate = Date;
const repeat = setInterval;
const clock = FakeTimers.install({
	now: RealDate.now(),
	toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
});
const { setTimeout: wait } = clock;
let steppedAt = performance.now();
let workedAt = steppedAt;
let load = performance.eventLoopUtilization();
let factor = speed;
/** By how much a test has moved the date, in milliseconds. */
let moved = 0;

/** Time also passes during a step, so that code can measure itself. */
const sinceStep = () => Math.min(performance.now() - steppedAt, MOST) * factor;

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
	const { utilization } = performance.eventLoopUtilization(load);
	load = performance.eventLoopUtilization();
	if (utilization > 0.5) workedAt = steppedAt;
	factor = steppedAt - workedAt > IDLE ? Math.max(speed, IDLE_SPEED) : speed;
	clock.tick(passed);
}, STEP).unref();

/** A signal that aborts after some simulated milliseconds. */
export function abortAfter(milliseconds: number): AbortSignal {
	const controller = new AbortController();
	setTimeout(() => controller.abort(), milliseconds);
	return controller.signal;
}

/** Moves the date forward, for the rest of the test. Timers keep their delays. */
export const moveDate = (milliseconds: number): void => void (moved += milliseconds);

export const resetDate = (): void => void (moved = 0);
