import type { IDataObject } from 'n8n-workflow';
import { SECOND } from '../../http/time';
import { AnyObject } from '../entities';
import type { ServerConnection } from '../types';
import { readRunRecord, recordPath } from './readRuns';

// If a run is canceled before its browser has started, it blocks one of the server's browsers until the server
// restarts.

/** How long the browser of a run without a log may take to start, in milliseconds. It usually takes three seconds. */
const BROWSER_START = 10 * SECOND;

/** Cancels a run as soon as its browser has started. The run may still be completed later. */
export async function cancelRun(
	api: ServerConnection,
	robotId: string,
	runId: string,
): Promise<IDataObject> {
	const until = Date.now() + BROWSER_START;
	for (;;) {
		const { log, status } = await readRunRecord(api, robotId, runId);
		if (log !== '' || status !== 'running' || Date.now() >= until) break;
		await api.sleep(SECOND);
	}
	const { status } = await api.post(`${recordPath(robotId, runId)}/abort`, AnyObject);
	return { robotId, status };
}
