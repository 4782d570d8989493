import type { Clock } from '../../clock.mts';

/** A clock that is wrong by a number of milliseconds. This doesn't affect timers. */
export const serverTime = (clock: Clock, lead: () => number): Clock =>
	Object.create(clock, {
		now: { get: () => clock.now + lead() },
		after: { value: clock.after.bind(clock) },
		pause: { value: clock.pause.bind(clock) },
	});

const formats = new Map<string, Intl.DateTimeFormat>();

/** By how many milliseconds a time zone is ahead of UTC at a time. */
export function offsetOf(timeZone: string, time: number): number {
	if (timeZone === 'UTC') return 0;
	const format =
		formats.get(timeZone) ??
		new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
	formats.set(timeZone, format);
	const second = Math.floor(time / 1000) * 1000;
	return Date.parse(`${format.format(second).replace(' ', 'T')}Z`) - second;
}
