import { readFileSync } from 'node:fs';

/**
 * The CPU time of a process's main thread in milliseconds. Other programs and garbage collection in other threads don't count. Only
 * Linux reports this. On other systems, all time counts.
 */
export function busyTime(pid = process.pid): number {
	if (process.platform !== 'linux') return performance.now();
	const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
	return Number(nanoseconds) / 1e6;
}
