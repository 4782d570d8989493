import { path } from '../../http/request';
import { readEachRobot, type ReadOfRobots } from '../eachRobot';
import { listOf, Robot, Run } from '../entities';
import type { ServerConnection } from '../types';

/** All runs of a robot, with their data, in no particular order. */
export const readRuns = async (api: ServerConnection, robotId: string): Promise<Run[]> =>
	await api.get(path`/robots/${robotId}/runs`, listOf(Run));

/** The runs of all robots. */
export async function readAllRuns(api: ServerConnection): Promise<ReadOfRobots<Run>> {
	const robots = await api.get('/robots', listOf(Robot));
	const robotIds = robots.map(({ id }) => id);
	return await readEachRobot(robotIds, async (robotId) => await readRuns(api, robotId));
}
