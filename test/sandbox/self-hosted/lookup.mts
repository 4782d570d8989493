import { newestFirst } from '../api/fields.mts';
import { robotsOf } from '../api/lookup.mts';
import type { Robot, Run } from '../model.mts';
import type { World } from '../world.mts';
import { z } from 'zod';
import { read, type Refusal, refusal, sdkRefusal } from './refusals.mts';
import { secondId } from './ids.mts';
import type { Call } from './route.mts';
import type { SelfHostedForm } from './settings.mts';

const NOTHING = z.object({}).strict();

export function robotAt(world: World, { caller, params }: Call): Robot | undefined {
	return robotsOf(world, caller).find(({ id }) => id === params.id);
}

export function findRobot(world: World, call: Call): Robot {
	const robot = robotAt(world, call);
	if (robot !== undefined) return robot;
	throw refusal(404, 'not_found', `Robot with ID "${call.params.id ?? ''}" not found.`);
}

export function namesakeOf(world: World, { caller }: Call, wanted: string): Robot | undefined {
	return robotsOf(world, caller).find(({ name }) => name === wanted);
}

export function nameTaken(name: string): Refusal {
	const problem = `A robot named "${name}" already exists with a different configuration`;
	return sdkRefusal(409, `${problem}. Please choose a different name.`);
}

export function runAt(world: World, { caller, params }: Call): Run | undefined {
	return world.state.runs.find(
		(run) => run.scope === caller.scope && run.robotId === params.id && run.id === params.runId,
	);
}

/** A list, newest first. A real server's lists are unordered. */
export function listView<T extends { id: string; createdAt: string }, V>(
	items: T[],
	form: SelfHostedForm,
	view: (item: T) => V,
): { totalCount: number; items: V[] } {
	const sorted =
		form === 'observed'
			? [...items].sort((a, b) => (secondId('order', a.id) < secondId('order', b.id) ? -1 : 1))
			: newestFirst(items);
	return { totalCount: items.length, items: sorted.map(view) };
}

/** Documented endpoints reject unknown parameters. A real server ignores them. */
export function demandNothing({ form, query, body }: Call): void {
	if (form === 'observed') return;
	read(NOTHING, query ?? {});
	read(NOTHING, body ?? {});
}
