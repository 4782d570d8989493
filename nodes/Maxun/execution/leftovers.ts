import { mapConcurrently } from '../http/concurrency';
import { forCleanup } from '../http/context';
import { faultOf } from '../http/fault';
import { deleteRobot } from '../runs/temporary';
import { leftover } from './hints';
import { temporaryRobotsOf, type Task } from './tasks';

export const CLEANUPS = 10;

/** Deletes temporary robots, or adds hints about them. If the execution is canceled, also cancels kept robots' runs. */
export async function deleteLeftovers(tasks: Task[], isCanceled: boolean): Promise<void> {
	// All deletions share the time for cleanup, which begins now.
	const options = isCanceled ? forCleanup() : {};
	await mapConcurrently(tasks, CLEANUPS, async ({ state, context, failure, hints }) => {
		const robots = temporaryRobotsOf(state);
		const { run, isLesson } = state;
		// Without valid settings, the node can't delete them.
		if (!context) return robots.forEach(({ robotId }) => hints.push(leftover(`robot ${robotId}`)));
		if (robots.length > 0 && run && failure && !isLesson && !isCanceled)
			return context.onLeftover(`Run: Get can return run ${run.runId}`);
		const own = { ...context, maxun: context.maxun.with(options) };
		if (run?.isReused && isCanceled) await faultOf(own.maxun.runs.cancel(run.runId, run.robotId));
		await mapConcurrently(robots, CLEANUPS, async (robot) => {
			await deleteRobot(own, robot, run?.robotId === robot.robotId ? run.runId : undefined);
		});
	});
}
