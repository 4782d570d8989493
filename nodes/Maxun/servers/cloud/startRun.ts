import { recover } from '../../http/fault';
import { withoutEmpty } from '../../http/request';
import { ListedRun, listOf, StartResponse } from '../entities';
import { subjectOf } from '../explain';
import { findLost, mayHaveStarted } from '../lost';
import type { ServerConnection, StartOptions } from '../types';

const Runs = listOf(ListedRun);

/**
 * Starts a run of a robot or an agent. Maxun charges for it, so a request with a lost response is never retried. The
 * run is then among the latest runs, but a listed run doesn't show its inputs. So the run is certain only if nobody
 * else uses the robot.
 */
export async function startOrFind(
	api: ServerConnection,
	runsPath: string,
	{ formats, params = {}, isExclusive = false }: StartOptions,
): Promise<StartResponse> {
	const sentAt = api.serverTime();
	const hasParams = Object.keys(params).length > 0;
	const body = withoutEmpty({ formats, params: hasParams ? params : undefined });
	return await recover(api.post(runsPath, StartResponse, body), {
		mayHaveHappened: async (fault) => {
			const found = await findLost(api, async (reading) => {
				const runs = await reading.get(runsPath, Runs, { limit: 100, offset: 0 });
				return runs.filter((run) => isOf(runsPath, run) && isCandidate(run, sentAt));
			});
			if (isExclusive && found?.length === 1) return found[0];
			const subject = subjectOf({ method: 'GET', path: runsPath });
			throw mayHaveStarted(fault, subject, found, sentAt);
		},
	});
}

/** Whether this run belongs to that robot or agent. A run that doesn't show this counts, too. */
const isOf = (runsPath: string, { robotId }: ListedRun) =>
	!robotId || runsPath.split('/').includes(encodeURIComponent(robotId));

/** Whether the start at this time may have created this run. A queued run may have no start time yet. */
function isCandidate({ source, startedAt, finishedAt }: ListedRun, sentAt: number): boolean {
	if (source !== undefined && source !== 'api') return false;
	const time = Date.parse(String(startedAt));
	// The server's clock may differ by a few seconds.
	return Number.isNaN(time) ? !finishedAt : time >= sentAt - 5_000;
}
