import { z } from 'zod';
import { HOUR, MINUTE } from '../http/time';
import { serverKindOf } from '../servers';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { EndedRuns } from '../servers/types';
import { DELIVERY_TIME, mismatchOf, statusesOf } from './event';
import type { ProcessedRuns } from './processedRuns';
import { Registration } from './registration';
import { byEnd, LONGEST_OUTAGE, readRuns, recentOf, type ReadRun } from './runList';
import { readTriggerSettings } from './settings';
import { warnOfUnreadable, type TriggerNode } from './triggerNode';
import { isBefore, readWatching, type Watching } from './watch';

/** How often deliveries start a search, in milliseconds. Self-hosted servers list all runs with their data. */
const INTERVAL = { cloud: 5 * MINUTE, selfHosted: 10 * MINUTE };

/** A search ends at a page of processed runs that is at least this old, in milliseconds. */
const SURELY_PROCESSED = 6 * HOUR;

/** How long a missed run may have taken, in milliseconds. */
const LONGEST_RUN = 6 * HOUR;

/** How many missed runs start the workflow. Earlier ones are skipped, and the log says so. */
const MOST_MISSED = 1_000;

/** How many runs are listed: fewer than n8n remembers. */
const MOST_LISTED = 2_000;

const PAGE = 100;

/** Maximum number of missed runs per execution. A sample event starts the next one. */
const RUNS_PER_EXECUTION = 50;

/** How long an execution for missed runs waits for the rate limit. A delivery's own run hardly waits for others. */
const PATIENT = { maxWait: 15 * MINUTE };
const BRIEF = { maxRetries: 1, maxWait: 3_000, timeout: 7_000 };

/** When this process last searched, by trigger, in epoch milliseconds. After a restart, the first delivery searches. */
const searches = new Map<string, number>();

/** What `execute` has to know about the run that an item comes from. */
export const RunMark = z.object({
	id: z.string(),
	/** The URL at which the delivery has arrived, with the start of a robot's watch. */
	address: z.string(),
	/** Whether to look for missed runs in any case. */
	isSearch: z.boolean(),
});
export type RunMark = z.output<typeof RunMark>;

/** Missed runs that start the workflow. */
interface Found {
	/** Earliest end first. */
	missed: ReadRun[];
	/** Starts another execution if more were missed. Call this when these are recorded. */
	continueLater?: () => Promise<void>;
}

interface SearchOptions {
	trigger: TriggerNode;
	processed: ProcessedRuns;
	mark: RunMark;
	/** The runs that the delivery proposes anyway. */
	proposedIds: string[];
}

/** Everything that a search uses. `robotIds` are the robots of which it is known since when they are watched. */
type SearchContext = SearchOptions & Watching & { robotIds: string[] };

export const NOTHING: Found = { missed: [] };

/** Finds runs whose deliveries n8n missed, at most every few minutes. */
export async function findMissed(options: SearchOptions): Promise<Found> {
	const { trigger, mark } = options;
	const given = readTriggerSettings(trigger);
	const begun = Date.now();
	const kind = serverKindOf(trigger.parameter('server', 'cloud'));
	const isDue =
		mark.isSearch || Math.abs(begun - (searches.get(trigger.key) ?? 0)) >= INTERVAL[kind];
	if (!given.catchUp || !isDue) return NOTHING;
	searches.set(trigger.key, begun);
	const limits = mark.isSearch ? PATIENT : BRIEF;
	const maxun = await trigger.connect({ teamId: given.teamId, ...limits });
	const watching = await readWatching(trigger, given, maxun, mark.address);
	const isKnown = (robotId: string) => watching.sinceOf({ robotId }) !== undefined;
	const robotIds = watching.settings.robotIds.filter(isKnown);
	if (robotIds.length === 0) return NOTHING;
	const context = { ...options, ...watching, robotIds };
	const all = await listMissed(context);
	const read = await readRuns(all.slice(0, RUNS_PER_EXECUTION), context);
	for (const { run, error } of read) {
		if (error) trigger.warn(`run '${run.id}' could not be read: ${error.message}`);
	}
	const missed = read.filter(({ error }) => !error);
	const isMore = all.length > RUNS_PER_EXECUTION && missed.length > 0;
	const registration = new Registration(trigger, maxun, mark.address);
	const robotId = all[0]?.robotId ?? robotIds[0];
	return {
		missed,
		continueLater: isMore ? async () => await registration.sendSampleLater(robotId) : undefined,
	};
}

/** The unprocessed runs, earliest end first. First looks through the latest ones, which usually are all processed. */
async function listMissed(context: SearchContext): Promise<Run[]> {
	const { settings, maxun, robotIds, trigger } = context;
	const query = { robotIds, statuses: statusesOf(settings.events), endedOnly: true };
	const latest = await maxun.runs.listEnded({ ...query, limit: PAGE });
	warnOfUnreadable(trigger, latest.unreadable);
	const first = await unprocessed(latest, context);
	const reach = first.missed.length > 0 ? LONGEST_OUTAGE : SURELY_PROCESSED;
	const since = latest.now - reach - LONGEST_RUN;
	const { missed } = first.isAll
		? first
		: await unprocessed(
				await maxun.runs.listEnded({ ...query, limit: MOST_LISTED, since: () => since }),
				context,
			);
	const recent = recentOf(missed, settings.maxAge, trigger.warn);
	const skipped = recent.length - MOST_MISSED;
	if (skipped > 0)
		trigger.warn(`skipped ${skipped} missed runs, because more than ${MOST_MISSED} were missed`);
	return recent.slice(-MOST_MISSED);
}

/**
 * Looks for unprocessed runs, latest first, until a page of processed runs that is old enough.
 *
 * @returns them, and whether there can't be more in an earlier list
 */
async function unprocessed(
	{ entries, now, isTruncated }: EndedRuns,
	{ settings, sinceOf, mark, processed, proposedIds }: SearchContext,
): Promise<{ missed: Run[]; isAll: boolean }> {
	// Runs that ended while the workflow was being published have no delivery. A sample event finds them at once.
	const until = mark.isSearch ? Infinity : now - DELIVERY_TIME;
	const surelyProcessed = now - SURELY_PROCESSED;
	const candidates = entries
		.filter((run) => {
			const end = endOf(run) ?? 0;
			return (
				mismatchOf(run, settings) === undefined &&
				isBefore(run, sinceOf(run), false) === false &&
				end <= until &&
				end > now - LONGEST_OUTAGE &&
				!proposedIds.includes(run.id)
			);
		})
		.sort(byEnd)
		.reverse();
	const missed: Run[] = [];
	for (let at = 0; at < candidates.length; at += PAGE) {
		const page = candidates.slice(at, at + PAGE);
		const unknown = new Set(await processed.unknown(page.map(({ id }) => id)));
		missed.push(...page.filter(({ id }) => unknown.has(id)));
		const earliest = endOf(page[page.length - 1]) ?? 0;
		if (unknown.size === 0 && earliest < surelyProcessed) break;
	}
	const isOld = entries.some((run) => (endOf(run) ?? now) < surelyProcessed);
	return { missed, isAll: !isTruncated || (missed.length === 0 && isOld) };
}
