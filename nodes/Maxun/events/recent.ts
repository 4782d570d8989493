/** How many runs a trigger remembers. */
const CAPACITY = 1000;

/**
 * The runs that this process has emitted lately, by trigger, so that a repeated delivery starts nothing twice.
 *
 * Kept in memory on purpose: a repeat that reaches another process, or this one after a crash, may be the only trace
 * of a run whose execution was never stored, and is emitted again.
 */
const recent = new Map<string, Set<string>>();

/** Notes a run. @returns false when it has been noted before */
export function remember(trigger: string, runId: string): boolean {
	const runs = recent.get(trigger) ?? new Set();
	recent.set(trigger, runs);
	if (runs.has(runId)) return false;
	runs.add(runId);
	if (runs.size > CAPACITY) {
		for (const oldest of runs) {
			runs.delete(oldest);
			break;
		}
	}
	return true;
}

/** Takes a note back: the run was not emitted after all, a repeat is welcome. */
export function forget(trigger: string, runId: string): void {
	recent.get(trigger)?.delete(runId);
}
