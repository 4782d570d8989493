import { idOfNamed, isName } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import type { TriggerNode } from './triggerNode';
import { readWatch } from './watch';

/**
 * The settings with the IDs of robots in place of their names.
 *
 * @param known the robots to use in place of names; looks up each name if undefined
 * @throws MaxunFault if no robot or several robots have a name
 */
export async function withRobotIds<S extends { robotIds: string[] }>(
	settings: S,
	maxun: Pick<MaxunServer, 'robots'>,
	known?: string[],
): Promise<S> {
	const names = settings.robotIds.filter(isName);
	if (names.length === 0) return settings;
	const found =
		known ?? (await Promise.all(names.map(async (name) => await idOfNamed(maxun, name))));
	const ids = settings.robotIds.filter((robotId) => !isName(robotId));
	return { ...settings, robotIds: [...new Set([...ids, ...found])] };
}

/**
 * The robots that were found when the workflow was published, even if they have other names by now; undefined if there are
 * none.
 */
export function watchedRobots(trigger: TriggerNode): string[] | undefined {
	const ids = trigger.isTest ? [] : Object.keys(readWatch(trigger)?.robots ?? {});
	return ids.length > 0 ? ids : undefined;
}
