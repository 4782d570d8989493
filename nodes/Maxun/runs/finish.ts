import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { wordsOf } from '../api/answer';
import { cancelRun } from '../api/runs';
import type { Item } from '../core/operation';
import { itemsOf } from './items';
import { discard } from './temporary';
import type { Awaited, Outcome } from './wait';

/**
 * The items of a run that was waited for; a robot that was made for it alone is deleted.
 *
 * @throws MaxunFault when it has not ended in time or not well, unless the settings ask to return it as it is
 */
export async function finishRun(awaited: Awaited, outcome: Outcome): Promise<Item[]> {
	const result = await itemsOfOutcome(awaited, outcome).then(
		(items) => ({ items }),
		(error: unknown) => ({ error }),
	);
	const left = await discard(awaited);
	if ('error' in result) {
		const { error } = result;
		throw left && error instanceof MaxunFault ? error.adding(left) : error;
	}
	const items = withFields(result.items, awaited.fields);
	if (!left) return items;
	const told = items.length > 0 ? items : [{ json: { hasData: false } }];
	return told.map((item) => ({ ...item, json: { ...item.json, warning: left } }));
}

/** The items with the fields of the operation in front; where these are all there is, they say so. */
function withFields(items: Item[], fields?: IDataObject): Item[] {
	if (!fields) return items;
	if (items.length === 0) return [{ json: { ...fields, hasData: false } }];
	return items.map((item) => ({ ...item, json: { ...fields, ...item.json } }));
}

async function itemsOfOutcome(awaited: Awaited, outcome: Outcome): Promise<Item[]> {
	if ('fault' in outcome) throw outcome.fault;
	if ('ended' in outcome) return await itemsOfEnded(awaited, outcome.ended);
	const { settings, runId, robotId } = awaited;
	const note = await stop(awaited);
	if (settings.onTimeout === 'error') throw timeout(awaited, outcome, note);
	return [{ json: { id: runId, robotId, status: outcome.lastStatus, timedOut: true, note } }];
}

/** Ends a run that is out of time, if that is wanted. @returns what becomes of it */
async function stop({ api, runId, settings, temporary }: Awaited): Promise<string> {
	if (temporary) return 'It has been cancelled, and the robot made for it deleted';
	if (!settings.cancelOnTimeout) return 'It goes on in Maxun, and Run: Get reads its data later';
	return await api.call(cancelRun(runId), z.unknown()).then(
		() => 'It has been cancelled',
		(error: unknown) => {
			if (!(error instanceof MaxunFault)) throw error;
			return `It could not be cancelled (${error.message})`;
		},
	);
}

async function itemsOfEnded(awaited: Awaited, run: Run): Promise<Item[]> {
	const { api, settings } = awaited;
	if (run.status !== 'success' && settings.onFailure === 'error') throw failure(awaited, run);
	// A failed run has no rows that would tell of it: what is asked to be returned is then the run itself.
	const isRow = run.status === 'success' || settings.output !== 'rows';
	return await itemsOf(api, run, isRow ? settings : { ...settings, output: 'simplified' });
}

function timeout(
	{ runId, robotId, settings, since }: Awaited,
	{ lastStatus, unreachable }: { lastStatus: string; unreachable?: MaxunFault },
	fate: string,
) {
	const contact = unreachable
		? `. Maxun could not be asked at last: ${unreachable.description}`
		: '';
	return new MaxunFault(
		`Run ${runId} of robot ${robotId} is not over after ${duration(Date.now() - since)} (status: ${lastStatus})`,
		`${fate}. Raise Wait For (Minutes), now ${settings.waitFor}, or set On Timeout to return the run as it is${contact}`,
	);
}

function failure({ since, temporary }: Awaited, run: Run) {
	const robot = run.robotName || run.robotId || 'its robot';
	const reason = wordsOf({ error: run.error }) || 'Maxun gives no reason';
	return new MaxunFault(
		`Run ${run.id} of robot '${robot}' ended as ${run.status} after ${duration(Date.now() - since)}`,
		`${reason}. ${temporary ? 'Switch on Keep Robot to look at such a run in Maxun' : 'Look at the run in Maxun'}; to go on with what it captured, set On Failure to return the run`,
	);
}

/** Milliseconds in words, e.g. `2 min 5 s`. */
function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
