import { MaxunFault, recover } from '../../http/fault';
import { path, withoutEmpty } from '../../http/request';
import { AnyObject } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { readStoredRobot, updateStoredRobot } from '../sdk/storedRobot';

const diffPath = (robotId: string, runId: string) =>
	path`/sdk/robots/${robotId}/runs/${runId}/diff`;

export const monitoring = (api: ServerConnection): ServerParts['monitoring'] => ({
	async get(robotId) {
		const { recording_meta } = await readStoredRobot(api, robotId);
		if (recording_meta.compareRuns === undefined) await checkMonitoringSupport(api);
		return { compareRuns: recording_meta.compareRuns === true };
	},
	async getDiff(runId, format, robotId) {
		if (!robotId)
			throw new MaxunFault('No robot selected', 'Select the robot that the run belongs to');
		return await api.get(diffPath(robotId, runId), AnyObject, withoutEmpty({ format }));
	},
	async update(robotId, { compareRuns }) {
		await checkMonitoringSupport(api);
		const { recording_meta } = await updateStoredRobot(api, robotId, { meta: { compareRuns } });
		return { compareRuns: recording_meta.compareRuns === true };
	},
});

const NONE = '00000000-0000-0000-0000-000000000000';

/** Earlier versions accept the setting and ignore it, but lack the route for diffs. */
export async function checkMonitoringSupport(api: ServerConnection): Promise<void> {
	// A server with this route responds that it doesn't find the run.
	await recover(api.get(diffPath(NONE, NONE), AnyObject), { notFound: () => undefined });
}
