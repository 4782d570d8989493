import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';

/** What was read from several robots. */
export interface ReadOfRobots<T> {
	entries: T[];
	/** Robots that no longer exist. */
	missingRobotIds: string[];
}

/**
 * Reads something from each robot. Skips robots that no longer exist.
 *
 * @throws MaxunFault with status 404 if none of them exists
 */
export async function readEachRobot<T>(
	robotIds: string[],
	read: (robotId: string) => Promise<T[]>,
): Promise<ReadOfRobots<T>> {
	const missing: Array<{ robotId: string; fault: MaxunFault }> = [];
	const lists = await mapConcurrently(
		robotIds,
		CONCURRENCY,
		async (robotId) =>
			await recover(read(robotId), {
				notFound: (fault) => {
					missing.push({ robotId, fault });
					return [];
				},
				missingRoute: (fault) => {
					throw fault;
				},
			}),
	);
	const [first] = missing;
	if (first && missing.length === robotIds.length) throw first.fault;
	return { entries: lists.flat(), missingRobotIds: missing.map(({ robotId }) => robotId) };
}
