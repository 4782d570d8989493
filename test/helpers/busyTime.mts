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

export async function timeOf(work: () => unknown): Promise<number> {
	const began = busyTime();
	await work();
	return busyTime() - began;
}

/** The longest time for which work blocks the event loop, in milliseconds. */
export async function longestBlock(work: () => unknown): Promise<number> {
	let last = busyTime();
	let longest = 0;
	const look = () => {
		const now = busyTime();
		longest = Math.max(longest, now - last);
		last = now;
	};
	const timer = setInterval(look);
	await work();
	clearInterval(timer);
	look();
	return longest;
}
