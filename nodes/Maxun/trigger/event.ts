import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { isRateLimited } from '../http/retry';
import { MINUTE } from '../http/time';
import { documentsOf } from '../results/ragDocuments';
import { foundChanges } from '../results/foundChanges';
import { capturedNothing, noData } from '../results/noData';
import { simplified } from '../results/rows';
import { withScreenshots } from '../results/screenshots';
import { tableOf } from '../results/table';
import type { Item } from '../results/types';
import type { Run } from '../servers/entities';
import { ageOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import type { RunEvent, TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';

const EVENTS: Record<string, RunEvent> = {
	success: 'run_completed',
	failed: 'run_failed',
	aborted: 'run_aborted',
};

export const RUN_EVENTS = Object.values(EVENTS);

/** The event of a run; undefined if the run hasn't ended, or its status is unknown. */
export const eventOf = ({ status }: Pick<Run, 'status'>): RunEvent | undefined => EVENTS[status];

/** The statuses of runs with these events. */
export const statusesOf = (events: RunEvent[]): string[] =>
	Object.entries(EVENTS).flatMap(([status, event]) => (events.includes(event) ? status : []));

/** How long a run's own delivery may take, in milliseconds. */
export const DELIVERY_TIME = 5 * MINUTE;

/** When a run that can't be read starts the workflow without its data, in milliseconds. The last delivery comes after 43 minutes. */
export const RETRY_TIME = 30 * MINUTE;

/** Whether a run ended so long ago that it starts the workflow even if it can't be read. */
export const isLate = (run: Run) => (ageOf(run) ?? 0) > RETRY_TIME;

/** What shows in a list whether a run starts the workflow. */
export type RunCriteria = Pick<TriggerSettings, 'events' | 'robotIds' | 'onlyChanges' | 'sources'>;

type Selection = Omit<RunCriteria, 'robotIds'> & Pick<TriggerSettings, 'needsChanges'>;

/** What decides about runs, without the robots, as text. If it changes, a webhook trigger begins another watch. */
export function selectionOf({ events, onlyChanges, needsChanges, sources }: Selection): string {
	const texts: Record<keyof Selection, string[]> = {
		events: [...events].sort(),
		onlyChanges: onlyChanges ? ['changes'] : [],
		needsChanges: needsChanges ? ['compared'] : [],
		sources: [...sources].sort(),
	};
	return Object.values(texts).flat().join();
}

/** Why a run doesn't start the workflow; undefined if it does. */
export function mismatchOf(run: Run, criteria: RunCriteria): string | undefined {
	const { events, robotIds, onlyChanges, sources } = criteria;
	const event = eventOf(run);
	if (!event || !events.includes(event)) return `run has status ${run.status}`;
	if (robotIds.length > 0 && !robotIds.includes(run.robotId ?? '')) return 'run of another robot';
	if (sources.length > 0 && !sources.some((source) => source === run.source))
		return 'run of another source';
	// Lists of self-hosted servers don't show it. The run is then compared when it is read.
	return onlyChanges && run.hasChanges === false ? 'run without changes' : undefined;
}

/** What reading a run and making its items uses. */
export interface Reading {
	trigger: Pick<TriggerNode, 'toBinary'>;
	maxun: MaxunServer;
	settings: TriggerSettings;
}

/** The parts of a run that become the items. If there are none, the event is the only item. */
const PARTS: Record<
	TriggerSettings['output'],
	(run: Run, settings: TriggerSettings) => IDataObject[]
> = {
	documents: (run) => documentsOf(run),
	raw: () => [],
	rows: rowsOfEvent,
	simplified: () => [],
};

/**
 * The items of a run event: one with the event, the robot and the run, or the run's rows.
 *
 * @param isLastTry whether to leave out a diff that can't be read now
 * @throws MaxunFault for such a diff otherwise
 */
async function itemsOfEvent(
	run: Run,
	{ trigger: { toBinary }, maxun, settings }: Reading,
	isLastTry = false,
): Promise<Item[]> {
	const { output, includeDiff, downloadScreenshots, needsChanges } = settings;
	const isUnknown = settings.onlyChanges && run.hasChanges !== true;
	if (isUnknown && eventOf(run) !== 'run_completed') return [];
	const isCompared = isUnknown || (needsChanges && eventOf(run) === 'run_completed');
	const changes = isCompared ? await foundChanges(maxun, run) : undefined;
	if (isCompared && !changes) return [];
	const parts = PARTS[output](run, settings);
	const event: IDataObject = {
		...originOf(run),
		...(needsChanges && changes && { event: 'run_changed', changes }),
		run: output === 'raw' ? run : simplified(run),
	};
	if (includeDiff) Object.assign(event, await diffOf(run, maxun, isLastTry));
	const items = (parts.length > 0 ? parts : [event]).map((json) => ({ json }));
	return downloadScreenshots ? await withScreenshots({ maxun, toBinary }, run, items) : items;
}

/**
 * Reads a run and makes its items. Any error of one run, whatever its cause, stays with that run.
 *
 * @param run as far as it is known
 * @param isLastTry whether to leave out what can't be read, with the reason, unless Maxun refuses all requests now
 * @returns the items, none if the run doesn't match after all, or the error
 */
export async function tryItems(
	run: Run,
	read: () => Promise<Run>,
	reading: Reading,
	isLastTry: boolean,
): Promise<Item[] | Error> {
	const { settings } = reading;
	try {
		const complete = await read();
		if (mismatchOf(complete, settings) !== undefined) return [];
		if (settings.ifNoData !== 'item' && capturedNothing(complete)) {
			return settings.ifNoData === 'error' ? itemsOfEmpty(complete) : [];
		}
		return await itemsOfEvent(complete, reading, isLastTry);
	} catch (cause) {
		const error = cause instanceof Error ? cause : new Error(String(cause));
		return isLastTry && !isRateLimit(error) ? itemsWithoutData(run, error) : error;
	}
}

/** The items of a run whose data can't be read, with the reason. */
const itemsWithoutData = (listed: Run, error: Error): Item[] => {
	const dataError = error instanceof MaxunFault ? error.text : error.message;
	return [{ json: { ...originOf(listed), run: simplified(listed), dataError } }];
};

/** The property of an item whose run has no data, so that its execution fails. n8n ignores it. */
const FAILS = 'maxunFails';

/** The item of a run without data, which fails its execution. */
const itemsOfEmpty = (run: Run): Item[] => {
	const fault = noData(run, "To ignore such runs, change 'If No Data'");
	return itemsWithoutData(run, fault).map((item) => ({ ...item, [FAILS]: fault.message }));
};

/** Why an item fails its execution; undefined if it doesn't. */
export const failureIn = (item: object): string | undefined =>
	FAILS in item && typeof item[FAILS] === 'string' ? item[FAILS] : undefined;

const isRateLimit = (error: Error): boolean => error instanceof MaxunFault && isRateLimited(error);

const originOf = (run: Run) => ({
	event: eventOf(run),
	robot: { id: run.robotId, name: run.robotName },
});

function rowsOfEvent(run: Run, settings: TriggerSettings): IDataObject[] {
	const { robotIds, addRobotAndRun } = settings;
	const rows = tableOf(run, settings);
	if (!(addRobotAndRun ?? robotIds.length !== 1)) return rows;
	const { id, status, startedAt, finishedAt, isPartial } = run;
	const origin = { ...originOf(run), run: { id, status, startedAt, finishedAt, isPartial } };
	return rows.map((row) => ({ ...row, ...origin }));
}

/** The run's diff, or null if there is none. `diffError` contains the reason if it could not be read. */
async function diffOf(
	run: Run,
	{ monitoring }: MaxunServer,
	isLastTry: boolean,
): Promise<IDataObject> {
	const noDiff: IDataObject = { diff: null };
	if (run.hasChanges !== true || !monitoring) return noDiff;
	const reading = monitoring
		.getDiff(run.id)
		.then((diff): IDataObject => (Object.keys(diff).length > 0 ? { diff } : noDiff));
	return await recover(reading, {
		notFound: () => noDiff,
		any: (fault) => {
			if (!isLastTry) throw fault;
			return { diff: null, diffError: fault.text };
		},
	});
}
