import { afterEach, beforeEach, vi } from 'vitest';

/** Lets a file's or block's tests set the date. Timers stay real. @returns moves the date forward */
export function useClock(): (minutes: number) => void {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
	afterEach(() => void vi.useRealTimers());
	return (minutes) => void vi.setSystemTime(Date.now() + minutes * 60_000);
}
