import type { IDataObject } from 'n8n-workflow';
import { DAY, MINUTE, SECOND } from '../../http/time';
import { AnyObject } from '../entities';
import type { ServerConnection } from '../types';
import { order } from '../dates';
import { readRecord, recordPath, type RunRecord } from './readRuns';

// If a run is canceled before its browser has started, it blocks one of the server's browsers until the server
// restarts.

/** How long the browser of a run without a log may take to start, in milliseconds. It usually takes three seconds. */
const BROWSER_START = 10 * SECOND;

/**
 * Cancels a run as soon as its browser has started. @returns its robot and status; the run may still be completed later
 */
export async function cancelRun(
	api: ServerConnection,
	robotId: string,
	runId: string,
): Promise<IDataObject> {
	const until = Date.now() + BROWSER_START;
	for (;;) {
		const run = await readRecord(api, robotId, runId);
		const left = Math.min(BROWSER_START - leastAge(run, api.serverTime()), until - Date.now());
		if (run.log !== '' || run.status !== 'running' || left <= 0) break;
		await api.sleep(Math.min(SECOND, left));
	}
	const { status } = await api.post(`${recordPath(robotId, runId)}/abort`, AnyObject);
	return { robotId, status };
}

/**
 * How long ago a run started, in milliseconds, even if the server's time zone is unknown: all zones differ by multiples
 * of 15 minutes. An older run may look younger, which only delays its end. Servers round times down to seconds.
 */
const leastAge = ({ startedAt }: RunRecord, now: number): number =>
	(now + SECOND + DAY - order(startedAt)) % (15 * MINUTE);
