import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { isRateLimited } from '../http/retry';
import { DataCheckFault, checkedItems } from '../results/dataChecks';
import { foundChanges } from '../results/foundChanges';
import { capturedNothing, noData } from '../results/noData';
import { pageOfLinks } from '../results/output';
import { formOf } from '../results/outputForms';
import { simplified } from '../results/rows';
import type { Item, RunReader } from '../results/types';
import { isTemporaryName } from '../runs/expiry';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { z } from 'zod';
import type { RunEvent, TriggerSettings } from './settings';

const EVENTS: Record<string, RunEvent> = {
	success: 'run_completed',
	failed: 'run_failed',
	aborted: 'run_aborted',
};

export const RUN_EVENTS = Object.values(EVENTS);

/** A run's event; undefined if the run hasn't ended, or if its status is unknown. */
export const eventOf = ({ status }: Pick<Run, 'status'>): RunEvent | undefined => EVENTS[status];

/** The run statuses for these events. */
export const statusesFor = (events: RunEvent[]): string[] =>
	Object.entries(EVENTS).flatMap(([status, event]) => (events.includes(event) ? status : []));

/** The settings that decide whether a listed run starts the workflow. */
export type RunCriteria = Pick<TriggerSettings, 'events' | 'robotIds' | 'sources'>;

/** The criteria for any robot. The cursor keeps those of the previous poll, perhaps of an earlier version. */
export const Criteria = z.object({
	events: z.array(z.enum(['run_completed', 'run_failed', 'run_aborted'])),
	sources: z.array(z.string()).catch([]),
});
export type Criteria = z.output<typeof Criteria>;

/** Why a run doesn't start the workflow; undefined if it does. */
export function mismatchOf(
	run: Run,
	{ events, robotIds = [], sources }: Criteria & { robotIds?: string[] },
): string | undefined {
	const event = eventOf(run);
	if (!event || !events.includes(event)) return `run has status ${run.status}`;
	if (robotIds.length > 0 && !robotIds.includes(run.robotId ?? '')) return 'run of another robot';
	// A workflow that uses temporary robots would start itself.
	if (isTemporaryName(run.robotName ?? '')) return 'run of a temporary robot';
	const isSource = sources.length === 0 || sources.some((source) => source === run.source);
	return isSource ? undefined : 'run of another source';
}

/** What is needed to read a run and make its items. */
export interface Reading {
	maxun: MaxunServer;
	settings: TriggerSettings & { fromNothing?: boolean };
	/** See `RunReader`. */
	usual?: RunReader['usual'];
	/** By robot: the last run with data, as far as it is known. */
	baselines?: Map<string, string>;
}

/** A run event's items: the run's rows or changes, or else one item with the event, the robot and the run. */
async function itemsOfEvent(run: Run, reading: Reading): Promise<Item[]> {
	const { maxun, settings } = reading;
	const isCompared = settings.needsChanges && eventOf(run) === 'run_completed';
	const changes = isCompared ? await changesOfEvent(run, reading) : undefined;
	if (isCompared && !changes) return [];
	const event = changes ? 'run_changed' : eventOf(run);
	const parts = changes ?? (await partsOfEvent(run, reading));
	const shown = settings.output === 'raw' && !changes ? run : simplified(run);
	const items = parts.length > 0 ? parts : [{ ...originOf(run), event, run: shown }];
	const hasOrigin = settings.addRobotAndRun ?? settings.robotIds.length !== 1;
	const isRows =
		parts.length > 0 && (changes !== undefined || formOf(settings.output).hasColumns === true);
	const made = items.map((json) => ({
		json: isRows && hasOrigin ? withOrigin(json, run, event) : json,
	}));
	const usual = (reading.usual ??= new Map());
	return await checkedItems({ maxun, usual, hint: () => undefined }, run, made, {
		checks: settings.dataChecks,
		// Changes are only some of the run's rows.
		isRows: isRows && !changes,
	});
}

async function partsOfEvent(run: Run, { maxun, settings }: Reading): Promise<IDataObject[]> {
	const { isRun, hasColumns, make } = formOf(settings.output);
	if (isRun) return [];
	const base = hasColumns ? await pageOfLinks(maxun, run, settings) : undefined;
	return make(run, { ...settings, base }, () => undefined);
}

/** The rows that a run has changed; undefined if there are none. */
async function changesOfEvent(run: Run, { maxun, settings }: Reading) {
	const { keyFields: key, ignoreFields: ignore } = settings;
	return await foundChanges(maxun, run, { ...settings, key, ignore });
}

/** The items of a run that has been read; none if the run doesn't match after all. */
export async function itemsOfRun(run: Run, reading: Reading): Promise<Item[]> {
	const { settings } = reading;
	if (mismatchOf(run, settings) !== undefined) return [];
	if (settings.ifNoData !== 'item' && capturedNothing(run)) {
		return settings.ifNoData === 'error' ? itemsOfEmpty(run) : [];
	}
	return await itemsOfEvent(run, reading);
}

/**
 * Makes a run's items. An error affects only its own run, whatever the cause.
 *
 * @param run as far as it is known
 * @param isLastTry whether an error becomes the run's item, unless Maxun rejects all requests now
 * @returns the items, or the error
 */
export async function tryItems(
	run: Run,
	making: Promise<Item[]>,
	isLastTry: boolean,
): Promise<Item[] | Error> {
	try {
		return await making;
	} catch (cause) {
		if (cause instanceof DataCheckFault) return failing(cause.items, cause);
		const error = cause instanceof Error ? cause : new Error(String(cause));
		return isLastTry && !isRefused(error) ? [itemOfError(run, error)] : error;
	}
}

/** Whether Maxun rejects all requests for now. */
export const isRefused = (error: Error | undefined): boolean =>
	error instanceof MaxunFault && isRateLimited(error);

/** The item of a run that can't be read, with the reason. It must not look like a run without data. */
const itemOfError = (listed: Run, error: Error): Item => ({
	json: {
		...originOf(listed),
		run: simplified(listed),
		error: error.message,
		...(error instanceof MaxunFault && { details: error.description }),
	},
});

/** The property of an item that fails its execution, because its run has no data or fails a check. n8n ignores it. */
const FAILS = 'maxunFails';

/** The item of a run without data, which fails its execution. */
function itemsOfEmpty(run: Run): Item[] {
	const fault = noData(run, "Check the run in Maxun. To ignore such runs, change 'If No Data'");
	return failing([itemOfError(run, fault)], fault);
}

/** Items that fail their execution. */
const failing = (items: Item[], { message }: MaxunFault): Item[] =>
	items.map((item) => ({ ...item, [FAILS]: message }));

/** Why an item fails its execution; undefined if it doesn't. */
export const failureIn = (item: object): string | undefined =>
	FAILS in item && typeof item[FAILS] === 'string' ? item[FAILS] : undefined;

const originOf = (run: Run) => ({
	event: eventOf(run),
	robot: { id: run.robotId, name: run.robotName },
});

/** A row with the event, the robot and the run, unless it has columns with these names. */
function withOrigin(row: IDataObject, run: Run, event: string | undefined): IDataObject {
	const { id, status, startedAt, finishedAt, isPartial } = run;
	const origin = { ...originOf(run), event, run: { id, status, startedAt, finishedAt, isPartial } };
	return { ...row, ...origin, ...row };
}
