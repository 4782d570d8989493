import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';

/** How much faster time passes. `TEST_SPEED=1` suits a very busy machine. */
const SPEED = Number(process.env.TEST_SPEED ?? 3);

/**
 * Makes time pass faster in a test file: nodes, n8n's engine and the sandbox wait less and agree on the date. Call it
 * before `useSandbox`. Sockets and `AbortSignal.timeout` keep real time.
 */
export function useFastTime(): void {
	const { Date: RealDate, setTimeout, setInterval } = globalThis;
	const wait = timersPromises.setTimeout;
	const now = performance.now;

	beforeAll(() => {
		globalThis.Date = hurryDate(RealDate);
		performance.now = () => now.call(performance) * SPEED;
		setTimers(hurry(setTimeout, 1), hurry(setInterval, 1), hurry(wait, 0));
	});

	afterAll(() => {
		globalThis.Date = RealDate;
		performance.now = now;
		setTimers(setTimeout, setInterval, wait);
	});
}

function setTimers(
	timeout: typeof setTimeout,
	interval: typeof setInterval,
	wait: typeof timersPromises.setTimeout,
): void {
	for (const target of [globalThis, timers]) {
		target.setTimeout = timeout;
		target.setInterval = interval;
	}
	timersPromises.setTimeout = wait;
	syncBuiltinESMExports();
}

/** The function, with the delay in this argument shortened. */
function hurry<F extends (...args: never[]) => unknown>(wait: F, position: number): F {
	const shorten = (value: unknown, index: number) =>
		index === position && typeof value === 'number' ? value / SPEED : value;
	return new Proxy(wait, {
		apply: (target, self, args: unknown[]) => Reflect.apply(target, self, args.map(shorten)),
	});
}

function hurryDate(RealDate: DateConstructor): DateConstructor {
	const began = RealDate.now();
	const now = () => Math.round(began + (RealDate.now() - began) * SPEED);
	return new Proxy(RealDate, {
		construct: (target, args, newTarget) =>
			Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
		apply: () => new RealDate(now()).toString(),
		get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
	});
}
