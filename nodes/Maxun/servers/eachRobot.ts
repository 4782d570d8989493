import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { recover, type MaxunFault } from '../http/fault';

export interface ReadOfRobots<T> {
	entries: T[];
	unreadable: RobotFault[];
}

export interface RobotFault {
	robotId: string;
	fault: MaxunFault;
}

/** An unreadable robot doesn't affect the others. @throws MaxunFault if none can be read */
export async function readEachRobot<T>(
	robotIds: string[],
	read: (robotId: string) => Promise<T[]>,
): Promise<ReadOfRobots<T>> {
	const unreadable: RobotFault[] = [];
	const lists = await mapConcurrently(
		robotIds,
		CONCURRENCY,
		async (robotId) =>
			await recover(read(robotId), {
				any: (fault) => {
					unreadable.push({ robotId, fault });
					return [];
				},
			}),
	);
	const [first] = unreadable;
	if (first && unreadable.length === robotIds.length) throw first.fault;
	return { entries: lists.flat(), unreadable };
}
