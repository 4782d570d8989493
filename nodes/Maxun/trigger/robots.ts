import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { recover, type MaxunFault } from '../http/fault';
import type { RobotFault } from '../servers/eachRobot';
import { idOfNamed, isName } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import type { IdsByName } from './cursor';
import { LOOK_INTERVAL, memoryOf } from './memory';
import { pageRobot } from './page';
import { PAGE_ROBOT, type TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';

/** Settings with robot IDs instead of names. A name without a known ID stays, and Maxun doesn't find it. */
export const withIds = (settings: TriggerSettings, names: IdsByName): TriggerSettings => ({
	...settings,
	robotIds: [...new Set(settings.robotIds.map((id) => names[id] ?? id))],
});

/**
 * Looks up robots' names, at most once an hour. A renamed robot keeps the ID that it had. A name that nobody has, or
 * that several robots have, doesn't affect the other robots.
 *
 * @throws MaxunFault if no robot is known
 */
export async function findNamed(
	trigger: TriggerNode,
	{ robotIds, page }: TriggerSettings,
	maxun: MaxunServer,
	known: IdsByName,
): Promise<IdsByName> {
	if (page) return { [PAGE_ROBOT]: await pageRobot(trigger, page, maxun) };
	const memory = memoryOf(trigger);
	const wanted = robotIds.filter(isName);
	const isRecent = Math.abs(Date.now() - (memory.namesAt ?? -Infinity)) < LOOK_INTERVAL;
	if (wanted.length === 0 || isRecent) return known;
	const unknown: RobotFault[] = [];
	const found = await mapConcurrently(wanted, CONCURRENCY, async (name) => {
		const keep = (fault: MaxunFault) => {
			if (!known[name]) unknown.push({ robotId: name, fault });
			return known[name];
		};
		return [name, await recover(idOfNamed(maxun, name), { any: keep })] as const;
	});
	const [first] = unknown;
	if (first && unknown.length === robotIds.length) throw first.fault;
	memory.namesAt = Date.now();
	memory.unknown = unknown;
	return Object.fromEntries(found.filter(([, id]) => id !== undefined));
}

/** Logs robots that can't be found or whose runs can't be listed, once. */
export function warnOfUnreadable(trigger: TriggerNode, unreadable: RobotFault[]): void {
	const memory = memoryOf(trigger);
	const faults = new Map(
		[...unreadable, ...memory.unknown].map(({ robotId, fault }) => [robotId, fault.message]),
	);
	const robots = [...faults.keys()].sort().join();
	if (robots !== '' && robots !== memory.reported) {
		trigger.warn(`${[...faults.values()].join('. ')}. The trigger continues with its other robots`);
	}
	memory.reported = robots;
}
