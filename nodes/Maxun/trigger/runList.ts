import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { sleep } from '../n8n/olderVersions';
import type { Hint } from '../results/hint';
import type { Item } from '../results/types';
import { hasEnded, type Run } from '../servers/entities';
import { latestFirst } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import {
	mustWait,
	itemsOfRun,
	mismatchOf,
	statusesFor,
	tryItems,
	type Reading,
	type RunCriteria,
} from './event';

const AT_MOST = 100;

/** The latest runs that match. @throws MaxunFault if none of the lists can be read */
export async function listLatest({ runs }: MaxunServer, criteria: RunCriteria) {
	const { robotIds, events } = criteria;
	const statuses = statusesFor(events);
	const listed = await runs.listEnded({ robotIds, statuses, limit: AT_MOST, endedOnly: true });
	const matching = listed.entries.filter((run) => mismatchOf(run, criteria) === undefined);
	return { latest: listed.latest, matching: latestFirst(matching) };
}

/** n8n keeps all items of an execution in memory. If they don't fit, it is killed again after each start. */
const MOST_CHARACTERS = 16_000_000;

interface ReadingOptions {
	isLastTry?: (run: Run) => boolean;
	/** When to stop reading runs, in epoch milliseconds. The first run is always read. */
	until?: number;
	/** When to give up a run that is being read, in epoch milliseconds. */
	end?: number;
	read?: (run: Run) => Promise<Run>;
}

export interface ReadRun {
	run: Run;
	items: Item[];
	error?: Error;
	note?: string;
}

const readOneOf =
	({ maxun, settings }: Reading) =>
	async ({ id, robotId }: Run): Promise<Run> => {
		const run = await maxun.runs.get(id, robotId ? [robotId] : settings.robotIds);
		if (hasEnded(run)) return run;
		throw notYet('Maxun lists the run as ended, but returns it as active');
	};

const notYet = (message: string) =>
	new MaxunFault(message, 'Read it with Run: Get', { temporary: true });

/**
 * Reads runs in order, a few at a time. Leaves out the last runs if there is too much to read, or a run has to wait.
 */
export async function readItems(
	runs: Run[],
	reading: Reading,
	{
		isLastTry = () => false,
		until = Infinity,
		end,
		read = readOneOf(reading),
	}: ReadingOptions = {},
): Promise<ReadRun[]> {
	let characters = 0;
	let isOver = false;
	const timeUp = end !== undefined && runs.length > 0 ? sleep(end - Date.now()) : undefined;
	const results = await mapConcurrently(runs, CONCURRENCY, async (run, index) => {
		isOver ||= characters > MOST_CHARACTERS || Date.now() > until;
		if (index > 0 && isOver) return [];
		const notes = new Set<string>();
		const note: Hint = (message, _, subject, { example } = { all: 0 }) =>
			notes.add([message, subject, example && `'${example}'`].filter(Boolean).join(': '));
		const making = read(run).then(async (complete) => await itemsOfRun(complete, reading, note));
		const made = await tryItems(run, unlessLate(making, timeUp), isLastTry(run));
		if (made instanceof Error) {
			isOver ||= mustWait(made);
			return [{ run, items: [], error: made }];
		}
		if (runs.length > 1) characters += JSON.stringify(made).length;
		return [{ run, items: made, note: [...notes].join('. ') || undefined }];
	});
	return results.flat();
}

/** The result of work. @throws MaxunFault if it takes longer */
async function unlessLate<T>(work: Promise<T>, timeUp: Promise<void> | undefined): Promise<T> {
	const tooLate = timeUp?.then(() => {
		throw notYet('Reading the run takes longer than a poll may last in n8n');
	});
	return await (tooLate ? Promise.race([work, tooLate]) : work);
}

/** How many runs to read for an event that doesn't mention a run. */
export const MOST_RECENT = 5;

/** The latest run that would start the workflow, for a test. @throws the error of a run that can't be read */
export async function latestToShow(reading: Reading): Promise<ReadRun | undefined> {
	const { maxun, settings } = reading;
	const { matching } = await listLatest(maxun, settings);
	for (const run of matching.slice(0, MOST_RECENT)) {
		const [read] = await readItems([run], reading);
		if (read.error) throw read.error;
		if (read.items.length > 0) return read;
	}
	return undefined;
}
