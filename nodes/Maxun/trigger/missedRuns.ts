import { sleep } from 'n8n-workflow';
import { z } from 'zod';
import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import type { Item } from '../runs/types';
import { serverKindOf } from '../servers';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { EndedRuns, MaxunServer } from '../servers/types';
import { DELIVERY_TIME, isLate, mismatchOf, statusesOf, tryItems } from './event';
import type { ProcessedRuns } from './processedRuns';
import { Registration } from './registration';
import { watchedRobots, withRobotIds } from './robotNames';
import { byEnd, readListed, recentOf } from './runList';
import { sendSample, type SampleSender } from './sampleEvent';
import { readTriggerSettings, type TriggerSettings } from './settings';
import { warnOfUnreadable, type TriggerNode } from './triggerNode';
import { isBefore, laterOf, readWatch, savedSince, selectionOf } from './watch';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How often deliveries start a search, in milliseconds. Self-hosted servers list all runs with their data. */
const INTERVAL = { cloud: 5 * MINUTE, selfHosted: 10 * MINUTE };

/** A search ends at a page of processed runs that is at least this old, in milliseconds. */
const SURELY_PROCESSED = 6 * HOUR;

/** How long ago a missed run may have ended, and how long it may have taken, in milliseconds. */
const LONGEST_OUTAGE = 72 * HOUR;
const LONGEST_RUN = 6 * HOUR;

/** How many missed runs start the workflow. Earlier ones are skipped, and the log says so. */
const MOST_MISSED = 1_000;

/** How many runs are listed: fewer than n8n remembers. */
const MOST_LISTED = 2_000;

const PAGE = 100;

/** Maximum number of missed runs per execution. A sample event starts the next one. */
const RUNS_PER_EXECUTION = 50;

/** How long a delivery's own run waits for missed runs, in milliseconds. */
const SEARCH_TIME = 10_000;

/** How long an execution for missed runs waits for the rate limit, in milliseconds. */
const RATE_LIMIT_TIME = 15 * MINUTE;

/** How often to ask for the next execution, and how long to wait in between, in milliseconds. */
const ATTEMPTS = 10;
const ATTEMPT_DELAY = MINUTE;

/** When this process last searched, by trigger, in epoch milliseconds. After a restart, the first delivery searches. */
const searches = new Map<string, number>();

/** What `execute` has to know about the run that an item comes from. */
export const RunMark = z.object({
	id: z.string(),
	robotId: z.string(),
	/** Since when the robot is watched, according to the delivery. */
	since: z.number().optional(),
	/** The trigger's URL. */
	url: z.string(),
	/** Whether to look for missed runs in any case. */
	isSearch: z.boolean(),
});
export type RunMark = z.output<typeof RunMark>;

/** Missed runs that start the workflow. */
interface Search {
	/** Earliest end first. */
	missed: Array<{ id: string; items: Item[] }>;
	/** Starts another execution if more were missed. Call this when these are recorded. */
	continueLater(): void;
}

interface SearchOptions extends Pick<SampleSender, 'sendToSelf'> {
	trigger: TriggerNode;
	processed: ProcessedRuns;
	mark: RunMark;
	/** The runs that the delivery proposes anyway. */
	proposedIds: string[];
}

/** Everything that a search uses. */
interface SearchContext extends SearchOptions {
	settings: TriggerSettings;
	maxun: MaxunServer;
	/** Since when each robot is watched. Robots that aren't known yet are left out. */
	watched: Map<string, number>;
}

export const NOTHING: Search = { missed: [], continueLater: () => undefined };

/** Finds runs whose deliveries n8n missed, at most every few minutes. */
export async function findMissed(options: SearchOptions): Promise<Search> {
	const { trigger, mark } = options;
	const given = readTriggerSettings(trigger);
	const begun = Date.now();
	const kind = serverKindOf(trigger.parameter('server', 'cloud'));
	const isDue =
		mark.isSearch || Math.abs(begun - (searches.get(trigger.key) ?? 0)) >= INTERVAL[kind];
	if (!given.catchUp || !isDue) return NOTHING;
	searches.set(trigger.key, begun);
	const limits = mark.isSearch ? { maxWait: RATE_LIMIT_TIME } : { maxRetries: 1, maxWait: 3_000 };
	const maxun = await trigger.connect({ teamId: given.teamId, ...limits });
	const settings = await withRobotIds(given, maxun, watchedRobots(trigger));
	const watched = watchesOf(settings, mark, trigger, maxun);
	if (watched.size === 0) return NOTHING;
	const context = { ...options, settings, maxun, watched };
	const missed = await listMissed(context);
	const deadline = mark.isSearch ? Infinity : begun + SEARCH_TIME;
	const { made, left } = await readMissed(missed, context, deadline);
	const isMore = left > 0 && (made.length > 0 || Date.now() > deadline);
	return {
		missed: made,
		continueLater: () => {
			if (isMore) void requestSearch(context);
		},
	};
}

function watchesOf(
	settings: TriggerSettings,
	{ url, robotId, since }: RunMark,
	trigger: TriggerNode,
	maxun: MaxunServer,
): Map<string, number> {
	const place = { url, server: maxun.baseUrl, selection: selectionOf(settings) };
	const saved = savedSince(readWatch(trigger), place);
	return new Map(
		settings.robotIds.flatMap((id) => {
			const start = laterOf(saved[id], id === robotId ? since : undefined);
			return start === undefined ? [] : [[id, start] as const];
		}),
	);
}

/** The unprocessed runs, earliest end first. First looks through the latest ones, which usually are all processed. */
async function listMissed(context: SearchContext): Promise<Run[]> {
	const { settings, maxun, watched, trigger } = context;
	const statuses = statusesOf(settings.events);
	const query = { robotIds: [...watched.keys()], statuses, endedOnly: true };
	const latest = await maxun.runs.listEnded({ ...query, limit: PAGE });
	warnOfUnreadable(trigger, latest.unreadable);
	const first = await unprocessed(latest, context);
	const reach = first.missed.length > 0 ? LONGEST_OUTAGE : SURELY_PROCESSED;
	const since = latest.now - reach - LONGEST_RUN;
	const { missed } = first.isAll
		? first
		: await unprocessed(
				await maxun.runs.listEnded({ ...query, limit: MOST_LISTED, since }),
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
	{ settings, watched, mark, processed, proposedIds }: SearchContext,
): Promise<{ missed: Run[]; isAll: boolean }> {
	// Runs that ended while the workflow was being published have no delivery. A sample event finds them at once.
	const until = mark.isSearch ? Infinity : now - DELIVERY_TIME;
	const surelyProcessed = now - SURELY_PROCESSED;
	const candidates = entries
		.filter((run) => {
			const end = endOf(run) ?? 0;
			return (
				mismatchOf(run, settings) === undefined &&
				isBefore(run, watched.get(run.robotId ?? settings.robotIds[0]), false) === false &&
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

/** Reads missed runs, earliest end first. @returns also how many could not be tried in time */
async function readMissed(
	missed: Run[],
	{ settings, maxun, trigger, watched }: SearchContext,
	deadline: number,
): Promise<{ made: Search['missed']; left: number }> {
	const robotIds = [...watched.keys()];
	const reader = { maxun, toBinary: trigger.toBinary };
	let tried = 0;
	const due = missed.slice(0, RUNS_PER_EXECUTION);
	const made = await mapConcurrently(due, CONCURRENCY, async (run) => {
		if (Date.now() > deadline) return [];
		tried++;
		const read = async () => await readListed(run, robotIds, maxun);
		const items = await tryItems(run, read, settings, reader, isLate(run));
		if (Array.isArray(items)) return [{ id: run.id, items }];
		trigger.warn(`run '${run.id}' could not be read: ${items.message}`);
		return [];
	});
	return { made: made.flat(), left: missed.length - tried };
}

/**
 * Starts the next search by a sample event. Maxun doesn't repeat sample events, so this does.
 *
 * If n8n stops in the meantime, the next delivery searches.
 */
async function requestSearch(context: SearchContext): Promise<void> {
	const { maxun, mark, trigger, settings, sendToSelf } = context;
	const robotId = mark.robotId || settings.robotIds[0];
	const registration = new Registration(maxun, mark.url, trigger.warn);
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const sending = sendSample({ maxun, registration, robotId, sendToSelf });
		if (await sending.catch(() => false)) return;
		await sleep(ATTEMPT_DELAY);
	}
	trigger.warn('no sample event could be sent, so the next event continues with the missed runs');
}
