import type { Pausing } from '../runs/pause/pausing';
import type { ResumedState } from '../runs/pause/savedState';
import type { ItemOutput } from './itemOutput';
import { changed, toWait, type Task } from './tasks';

/**
 * Restores the runs of a resumed execution or the try before. Items that can't be restored fail with the reason.
 *
 * @returns the items whose runs have not started
 */
export async function resumeRuns(
	state: ResumedState,
	tasks: Task[],
	pausing: Pausing,
	output: ItemOutput,
): Promise<Task[]> {
	const { fault } = state;
	if (fault) {
		for (const { itemIndex } of tasks)
			await output.attempt(itemIndex, async () => await Promise.reject(fault));
		return [];
	}
	const waiting = new Set(state.runs.map(({ itemIndex }) => itemIndex));
	const postponed = new Map(state.notStarted.map(({ itemIndex, since }) => [itemIndex, since]));
	const failed = new Set(state.failed);
	state.skipped.forEach((page) => output.skipped.add(page));
	state.unrepeatable.forEach((itemIndex) => output.unrepeatable.add(itemIndex));
	state.withoutData.forEach((page) => output.withoutData.add(page));
	for (const [itemIndex, items] of state.outputs.entries()) {
		if (waiting.has(itemIndex) || postponed.has(itemIndex)) continue;
		if (failed.has(itemIndex)) output.items[itemIndex] = items;
		else output.restore(itemIndex, items);
	}
	const resumed = await pausing.resume(state, tasks.map(toWait));
	for (const itemIndex of waiting) {
		// An item whose parameters or credential can't be read already has an error.
		if (resumed.has(itemIndex) || output.items[itemIndex].length > 0) continue;
		await output.attempt(itemIndex, async () => await Promise.reject(changed()));
	}
	return tasks
		.filter(({ itemIndex }) => postponed.has(itemIndex))
		.map((task) => ({ ...task, since: postponed.get(task.itemIndex) }));
}
