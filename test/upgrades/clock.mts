import { vi } from 'vitest';

const RealDate = Date;

/** Sets the time, in epoch milliseconds. The clock continues at the timers' speed. */
export function setTime(time: number): void {
	const shift = time - RealDate.now();
	const now = () => RealDate.now() + shift;
	const shifted = new Proxy(RealDate, {
		construct: (target, args) => Reflect.construct(target, args.length > 0 ? args : [now()]),
		get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
	});
	vi.stubGlobal('Date', shifted);
}

export const resetTime = (): void => void vi.unstubAllGlobals();
