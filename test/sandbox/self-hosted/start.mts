import { setTimeout as sleep } from 'node:timers/promises';
import { isFinished, type Robot, type Run } from '../model.mts';
import type { StartOptions } from '../runner.mts';
import type { World } from '../world.mts';
import type { Call } from './route.mts';

/** How long a start request waits for its run, in milliseconds. The run then continues. */
const LONGEST_WAIT = 3 * 60 * 60_000;

/** Starts a run. @returns undefined if a real server has no free browser */
export function launch(
	world: World,
	robot: Robot,
	{ form, caller }: Call,
	options: Omit<StartOptions, 'payer'>,
): Run | undefined {
	const start = { ...options, payer: caller.payer };
	if (form === 'documented') return world.runner.start(robot, start);
	if (world.runner.slotsTaken(caller.scope) >= world.slots) return undefined;
	return world.runner.start(robot, start);
}

/** @returns whether the run has ended; false if the run no longer exists or the connection is closed */
export async function waitForEnd(world: World, run: Run, { signal, cut }: Call): Promise<boolean> {
	const { selfHostedCutAfterSeconds: cutAfter, selfHostedStepSeconds: step } = world.settings;
	const latest = Date.now() + LONGEST_WAIT;
	const timer = cutAfter === null ? undefined : setTimeout(cut, cutAfter * 1000);
	while (!isFinished(run) && Date.now() < latest && world.state.runs.includes(run)) {
		await sleep(step * 1000, undefined, { signal }).catch(() => undefined);
		if (signal.aborted) break;
	}
	clearTimeout(timer);
	return isFinished(run);
}
