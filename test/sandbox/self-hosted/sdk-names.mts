import { robotsOf } from '../api/lookup.mts';
import type { Robot } from '../model.mts';
import type { World } from '../world.mts';
import { type Refusal, sdkRefusal } from './refusals.mts';
import type { Call } from './route.mts';

export function namesakeOf(world: World, { caller }: Call, wanted: string): Robot | undefined {
	return robotsOf(world, caller).find(({ name }) => name === wanted);
}

export function nameTaken(name: string): Refusal {
	const problem = `A robot named "${name}" already exists with a different configuration`;
	return sdkRefusal(409, `${problem}. Please choose a different name.`);
}
