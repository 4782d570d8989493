import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { isRateLimited } from '../http/retry';
import { capturedInTurns, capturedOf, type Captured } from '../results/captured';
import { rowsChanged } from '../results/changeOutput';
import { runBefore } from '../results/baseline';
import type { Hint } from '../results/hint';
import { outcomeOf } from '../results/outcome';
import { isUsable, verdictOf } from '../results/verdict';
import { formOf } from '../results/outputForms';
import { simplified } from '../results/rows';
import { RunFault } from '../results/runFault';
import type { Item, RunReader } from '../results/types';
import { isTemporaryName } from '../runs/expiry';
import { endOf, latestFirst } from '../servers/dates';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { z } from 'zod';
import type { RunEvent, TriggerSettings } from './settings';

const EVENTS: Record<string, RunEvent> = {
	success: 'run_completed',
	failed: 'run_failed',
	aborted: 'run_canceled',
};

/** Undefined if the run hasn't ended, or if its status is unknown. */
export const eventOf = ({ status }: Pick<Run, 'status'>): RunEvent | undefined => EVENTS[status];

export const statusesFor = (events: RunEvent[]): string[] =>
	Object.entries(EVENTS).flatMap(([status, event]) => (events.includes(event) ? status : []));

/** The criteria for any robot. The cursor keeps the criteria of the previous poll, perhaps of an earlier version. */
export const Criteria = z.object({
	events: z.array(z.enum(['run_completed', 'run_failed', 'run_canceled'])),
	sources: z.array(z.string()).catch([]),
	needsChanges: z.boolean().catch(false),
});
export type Criteria = z.output<typeof Criteria>;
export type RunCriteria = Criteria & { robotIds: string[] };

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

export interface Reading {
	maxun: MaxunServer;
	settings: TriggerSettings;
	usual?: RunReader['usual'];
	/** By robot: the last run with data, as far as it is known. */
	baselines?: Readonly<Record<string, string>>;
	/** The runs with data that have been read. Several runs are read at the same time, so a later run may come first. */
	goodRuns?: Run[];
}

/** The items of a run that has been read; none if the run doesn't match after all, or has changed nothing. */
export async function itemsOfRun(run: Run, reading: Reading, hint: Hint): Promise<Item[]> {
	const { maxun, settings } = reading;
	if (mismatchOf(run, settings) !== undefined) return [];
	const captured = await capturedInTurns(run);
	const verdict = verdictOf(captured);
	if (settings.needsChanges && verdict === 'empty' && settings.ifNoData !== 'error') return [];
	const isCompared = settings.needsChanges && isUsable(verdict);
	const changes = isCompared ? await foundChanges(captured, reading, hint) : undefined;
	if (isCompared && !run.isPartial) reading.goodRuns?.push(run);
	if (isCompared && !changes) return [];
	const event = changes ? 'run_changed' : eventOf(run);
	const shown = settings.output === 'raw' && !changes ? run : simplified(captured);
	const item = { ...originOf(run), event, run: shown };
	const hasOrigin = settings.addRobotAndRun ?? settings.robotIds.length !== 1;
	const isRows = changes !== undefined || formOf(settings.output).hasColumns === true;
	const withOrigins = (items: Item[]) =>
		isRows && hasOrigin ? items.map((made) => withOrigin(made, run, event)) : items;
	const usual = (reading.usual ??= new Map());
	const { items, fault } = await outcomeOf({ maxun, usual, hint }, captured, {
		...settings,
		onFailure: verdict === 'failed' ? 'return' : 'error',
		rows: changes,
		itemOfRun: item,
		itemOfEmpty: item,
		// The execution downloads them.
		downloadScreenshots: false,
	});
	if (!fault) return withOrigins(items);
	fault.items = withOrigins(fault.items);
	throw fault;
}

/**
 * The rows that changed since the previous run. If Maxun compares the robot's runs, its result decides whether
 * something changed.
 * @returns undefined if nothing changed, or nothing can be compared; an empty list if only Maxun sees a change
 */
async function foundChanges(
	captured: Captured,
	{ maxun, settings, baselines, goodRuns = [] }: Reading,
	hint: Hint,
): Promise<IDataObject[] | undefined> {
	const { run, unread } = captured;
	const { robotId } = run;
	if (!robotId) return undefined;
	const { missingOnce, ignoreQuery, onlyIf } = settings;
	// Only the service compares crawled pages.
	const canCompare = maxun.features.has('alerts') || !isCrawl(captured);
	const isSaid = run.hasChanges === false && canCompare && !missingOnce;
	if (isSaid && (await isComparedByMaxun(maxun, robotId))) return undefined;
	const known = () => lastBefore(run, goodRuns) ?? baselines?.[robotId];
	const before = await runBefore(maxun.runs, robotId, captured, settings, { known });
	const rows = before ? await rowsChanged(maxun, [before, captured], settings, hint) : [];
	// Maxun also compares runs with runs that could not read the page.
	const isSure =
		!(missingOnce || ignoreQuery || onlyIf.length > 0) &&
		(before === undefined || (before.isPrevious && !unread.length && !before.unread.length));
	return rows.length > 0 || (run.hasChanges === true && isSure) ? rows : undefined;
}

const isCrawl = ({ parts }: Captured) => parts.some(({ kind }) => kind === 'pages');

async function isComparedByMaxun({ monitoring }: MaxunServer, robotId: string): Promise<boolean> {
	const settings = await recover(monitoring.get(robotId), {
		missingRoute: () => undefined,
		notFound: () => undefined,
	});
	return settings?.compareRuns === true;
}

function lastBefore(run: Run, others: Run[]): string | undefined {
	const end = endOf(run) ?? 0;
	const earlier = others.filter(
		(other) => other.robotId === run.robotId && (endOf(other) ?? 0) < end,
	);
	return latestFirst(earlier)[0]?.id;
}

/** Makes a run's items. @param isLastTry whether an error becomes the item, unless the run has to wait */
export async function tryItems(
	run: Run,
	making: Promise<Item[]>,
	isLastTry: boolean,
): Promise<Item[] | Error> {
	try {
		return await making;
	} catch (cause) {
		if (cause instanceof RunFault) {
			return failing(cause.items.length > 0 ? cause.items : [itemOfError(run, cause)], cause);
		}
		const error = cause instanceof Error ? cause : new Error(String(cause));
		const isEnd = isLastTry || isPermanent(error);
		return isEnd && !mustWait(error) ? [itemOfError(run, error)] : error;
	}
}

/** Waiting doesn't help, for example if no row has a key column. Maxun hasn't caused the error. */
const isPermanent = (error: Error): boolean =>
	error instanceof MaxunFault && error.status === undefined && !error.temporary;

/** Whether Maxun rejects all requests for now. */
export const mustWait = (error: Error | undefined): boolean =>
	error instanceof MaxunFault && isRateLimited(error);

/** It must not look like the item of a run without data. */
const itemOfError = (listed: Run, error: Error): Item => ({
	json: {
		...originOf(listed),
		run: simplified(capturedOf(listed)),
		error: error.message,
		...(error instanceof MaxunFault && { details: error.description }),
	},
});

/** The property of an item that fails its execution. n8n ignores it. */
const FAILS = 'maxunFails';

const failing = (items: Item[], { message }: MaxunFault): Item[] =>
	items.map((item) => ({ ...item, [FAILS]: message }));

export const failureIn = (item: object): string | undefined =>
	FAILS in item && typeof item[FAILS] === 'string' ? item[FAILS] : undefined;

const originOf = (run: Run) => ({
	event: eventOf(run),
	robot: { id: run.robotId, name: run.robotName },
});

/** A row with the event, the robot and the run, unless it has columns with these names. */
function withOrigin({ json }: Item, run: Run, event: string | undefined): Item {
	const { id, status, startedAt, finishedAt, isPartial } = run;
	const origin = { ...originOf(run), event, run: { id, status, startedAt, finishedAt, isPartial } };
	return { json: { ...json, ...origin, ...json } };
}
