import { recover } from '../../http/fault';
import { withoutEmpty } from '../../http/request';
import { ListedRun, listOf, StartResponse } from '../entities';
import { subjectOf } from '../explain';
import { findLost, mayHaveStarted } from '../lost';
import type { ServerConnection, StartOptions } from '../types';

const Runs = listOf(ListedRun);

/** Never retries a start with a lost response, because Maxun charges for it. A listed run doesn't show its inputs. */
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

/** A run that doesn't show its robot counts, too. */
const isOf = (runsPath: string, { robotId }: ListedRun) =>
	!robotId || runsPath.split('/').includes(encodeURIComponent(robotId));

/** A queued run may have no start time yet. */
function isCandidate({ source, startedAt, finishedAt }: ListedRun, sentAt: number): boolean {
	if (source !== undefined && source !== 'api') return false;
	const time = Date.parse(String(startedAt));
	// The server's clock may differ by a few seconds.
	return Number.isNaN(time) ? !finishedAt : time >= sentAt - 5_000;
}
