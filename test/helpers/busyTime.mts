import { readFileSync } from 'node:fs';

/**
 * The main thread's CPU time in milliseconds. Other programs and garbage collection in other threads don't count. Only
 * Linux reports this. On other systems, all time counts.
 */
export function busyTime(): number {
	if (process.platform !== 'linux') return performance.now();
	const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
	return Number(nanoseconds) / 1e6;
}
