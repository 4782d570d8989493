import { MaxunFault } from '../http/fault';
import type { Pausing, ResumedState } from '../runs/pause/pausing';
import type { ItemOutput } from './itemOutput';
import type { Task } from './tasks';

/** Restores the runs of a resumed execution. Items that can't be restored fail with the reason. */
export async function resumeRuns(
	state: ResumedState,
	tasks: Task[],
	pausing: Pausing,
	output: ItemOutput,
): Promise<void> {
	const waiting = new Set(state.runs.map(({ itemIndex }) => itemIndex));
	for (const [itemIndex, items] of state.outputs.entries()) {
		if (!waiting.has(itemIndex)) output.items[itemIndex] = items;
	}
	const resumable = tasks.map(({ job, ...task }) => ({
		...task,
		settings: 'start' in job ? job.settings : undefined,
	}));
	const resumed = await pausing.resume(state, resumable);
	for (const itemIndex of waiting) {
		// An item whose parameters or credential can't be read already has an error.
		if (resumed.has(itemIndex) || output.items[itemIndex].length > 0) continue;
		await output.attempt(itemIndex, async () => await Promise.reject(changed()));
	}
}

const changed = () =>
	new MaxunFault(
		'The settings of this item changed while it waited',
		'An expression now returns another value, so the node stopped waiting. Use Run: Get Many to find the run',
	);
