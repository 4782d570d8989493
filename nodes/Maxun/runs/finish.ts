import type { Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { wordsOf } from '../api/answer';
import type { Item } from '../core/operation';
import { itemsOf } from './output';
import { withScreenshots } from './screenshots';
import type { Awaited, Outcome } from './wait';

/**
 * The items of a run that was waited for.
 *
 * @throws MaxunFault when it has not ended in time or not well, unless the settings ask to return it as it is
 */
export async function itemsOfRun(awaited: Awaited, outcome: Outcome): Promise<Item[]> {
	if ('fault' in outcome) throw outcome.fault;
	if ('ended' in outcome) return await itemsOfEnded(awaited, outcome.ended);
	const { settings, runId, robotId } = awaited;
	if (settings.onTimeout === 'error') throw timeout(awaited, outcome);
	return [{ json: { id: runId, robotId, status: outcome.lastStatus, timedOut: true } }];
}

async function itemsOfEnded({ api, settings, since }: Awaited, run: Run): Promise<Item[]> {
	if (run.status !== 'success' && settings.onFailure === 'error') throw failure(run, since);
	// A failed run has no rows that would tell of it: what is asked to be returned is then the run itself.
	const output =
		run.status !== 'success' && settings.output === 'rows' ? 'simplified' : settings.output;
	const items = itemsOf(run, output).map((json) => ({ json }));
	return settings.downloadScreenshots ? await withScreenshots(api, run, items) : items;
}

function timeout(
	{ runId, robotId, settings, since }: Awaited,
	{ lastStatus, unreachable }: { lastStatus: string; unreachable?: MaxunFault },
) {
	const contact = unreachable
		? `. Maxun could not be asked at last: ${unreachable.description}`
		: '';
	return new MaxunFault(
		`Run ${runId} of robot ${robotId} is not over after ${duration(Date.now() - since)} (status: ${lastStatus})`,
		`It goes on in Maxun, and Run: Get reads its data later. Raise Wait For (Minutes), now ${settings.waitFor}, or set On Timeout to return the run as it is${contact}`,
	);
}

function failure(run: Run, since: number) {
	const robot = run.robotName || run.robotId || 'its robot';
	const reason = wordsOf({ error: run.error }) || 'Maxun gives no reason';
	return new MaxunFault(
		`Run ${run.id} of robot '${robot}' ended as ${run.status} after ${duration(Date.now() - since)}`,
		`${reason}. Look at the run in Maxun; to go on with what it captured, set On Failure to return the run`,
	);
}

/** Milliseconds in words, e.g. `2 min 5 s`. */
function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
