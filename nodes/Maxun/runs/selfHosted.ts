import { hasEnded, Run } from '../api/entities';
import { PARK_AFTER } from '../core/options';
import type { Api, Item, WaitSettings } from '../core/operation';
import { finishRun } from './finish';
import { OutOfTime, startAndFind } from './lateAnswer';
import { deadlineOf, keptRunning, waitForRuns } from './wait';

/**
 * Runs a robot on a self-hosted server and waits for its end.
 *
 * @param settle milliseconds to let the server come to rest before the start
 * @throws MaxunFault as `startAndFind` and `finishRun` do
 */
export async function runOnOwnServer(
	api: Api,
	robotId: string,
	settings: WaitSettings,
	settle: number,
): Promise<Item[]> {
	const since = Date.now();
	return await startAndFinish(api, robotId, settings, { since, settle }).finally(() => {
		const waited = Date.now() - since;
		if (waited > PARK_AFTER * 1000) api.hint(keptRunning('self-hosted servers cannot wake it'));
	});
}

async function startAndFinish(
	api: Api,
	robotId: string,
	settings: WaitSettings,
	{ since, settle }: { since: number; settle: number },
): Promise<Item[]> {
	const until = deadlineOf({ since, settings });
	const started = await startAndFind(api, robotId, { until, settle }).catch((fault: unknown) => {
		if (fault instanceof OutOfTime && settings.onTimeout === 'return') return fault;
		throw fault;
	});
	if (started instanceof OutOfTime) return [{ json: withoutRun(robotId, started) }];
	const awaited = { api, settings, since, robotId, runId: started.id };
	const seen = Run.safeParse(started);
	if (seen.success && hasEnded(seen.data)) return await finishRun(awaited, { ended: seen.data });
	let items: Item[] = [];
	await waitForRuns([awaited], async (run, outcome) => {
		items = await finishRun(run, outcome);
	});
	return items;
}

/** What is returned where the time was up before there was a run. */
const withoutRun = (robotId: string, { runStatus, message, description }: OutOfTime) => ({
	robotId,
	status: runStatus,
	timedOut: true,
	note: `${message}. ${description}`,
});
