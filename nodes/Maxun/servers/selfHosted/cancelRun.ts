import type { IDataObject } from 'n8n-workflow';
import { SECOND } from '../../http/time';
import { AnyObject } from '../entities';
import type { ServerConnection } from '../types';
import { readRunRecord, recordPath } from './readRuns';

// Canceling a run before its browser has started blocks this browser until the server restarts.

/** A run without a log may be starting its browser, which usually takes three seconds. */
const BROWSER_START = 10 * SECOND;

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
