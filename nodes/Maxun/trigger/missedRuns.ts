import { z } from 'zod';
import { HOUR, MINUTE } from '../http/time';
import { serverKindOf } from '../servers';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { EndedRuns } from '../servers/types';
import { DELIVERY_TIME, mismatchOf, statusesOf } from './event';
import type { ProcessedRuns } from './processedRuns';
import { Registration } from './registration';
import { latestFirst, LONGEST_OUTAGE, readRuns, recentOf, type ReadRun } from './runList';
import { readTriggerSettings } from './settings';
import { warnOfUnreadable, WHILE_DELIVERING, type TriggerNode } from './triggerNode';
import { isBefore, readWatching, type Watching } from './watch';

/** How often deliveries start a search, in milliseconds. Self-hosted servers list all runs with their data. */
const INTERVAL = { cloud: 5 * MINUTE, selfHosted: 10 * MINUTE };

/** How long a missed run may have taken, in milliseconds. Lists begin with a start. */
const LONGEST_RUN = 6 * HOUR;

/** Maximum number of runs per list. Earlier ones are skipped, and the log says so. */
const MOST_LISTED = 2_000;

/** Number of runs to look up at once, and how many n8n surely remembers. With MySQL, n8n 1 remembers 600. */
const PAGE = 100;
const SURELY_REMEMBERED = 500;

/** Maximum number of missed runs per execution. A sample event starts the next one. */
const RUNS_PER_EXECUTION = 50;

/** How long an execution for missed runs waits for the rate limit. A delivery's own run hardly waits for others. */
const PATIENT = { maxWait: 15 * MINUTE };

/** The searches of this process for one trigger. After a restart, the first delivery searches. */
interface Searches {
	/** When the latest one began, in milliseconds of n8n's clock. */
	begun: number;
	/** When the latest one began that left no run, in milliseconds of the server's clock. */
	complete: number;
}

const searches = new Map<string, Searches>();

/** What `execute` has to know about the run that an item comes from. */
export const RunMark = z.object({
	/** Undefined if the delivery's run doesn't start the workflow, so that the execution only looks for missed runs. */
	id: z.string().optional(),
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

/** Everything that a search uses. */
interface SearchContext extends SearchOptions, Watching {
	/** The robots of which it is known since when they are watched. */
	robotIds: string[];
	/** Until when nothing is missing, in milliseconds of the server's clock. */
	complete: number;
}

export const NOTHING: Found = { missed: [] };

/** Finds runs whose deliveries n8n missed, at most every few minutes. */
export async function findMissed(options: SearchOptions): Promise<Found> {
	const { trigger, mark } = options;
	const given = readTriggerSettings(trigger);
	const begun = Date.now();
	const last = searches.get(trigger.key) ?? { begun: 0, complete: 0 };
	const kind = serverKindOf(trigger.parameter('server', 'cloud'));
	const isDue = mark.isSearch || Math.abs(begun - last.begun) >= INTERVAL[kind];
	if (!given.catchUp || !isDue) return NOTHING;
	searches.set(trigger.key, { ...last, begun });
	const limits = mark.isSearch ? PATIENT : WHILE_DELIVERING;
	const maxun = await trigger.connect({ teamId: given.teamId, ...limits });
	const watching = await readWatching(trigger, given, maxun, mark.address);
	const isKnown = (robotId: string) => watching.sinceOf({ robotId }) !== undefined;
	const robotIds = watching.settings.robotIds.filter(isKnown);
	if (robotIds.length === 0) return NOTHING;
	const context = { ...options, ...watching, robotIds, complete: last.complete };
	const listed = await listSince(context);
	const all = await missedOf(listed, context);
	const read = await readRuns(all.slice(0, RUNS_PER_EXECUTION), context);
	for (const { run, error } of read) {
		if (error) trigger.warn(`run '${run.id}' could not be read: ${error.message}`);
	}
	const missed = read.filter(({ error }) => !error);
	const isWhole =
		robotIds.length === watching.settings.robotIds.length &&
		// A robot that was deleted doesn't come back.
		listed.unreadable.every(({ fault }) => fault.isNotFound);
	if (missed.length === all.length && isWhole) {
		searches.set(trigger.key, { begun, complete: listed.now });
	}
	const isMore = all.length > RUNS_PER_EXECUTION && missed.length > 0;
	const registration = new Registration(trigger, maxun, mark.address);
	const robotId = all[0]?.robotId ?? robotIds[0];
	return {
		missed,
		continueLater: isMore ? async () => await registration.sendSampleLater(robotId) : undefined,
	};
}

/** The runs that have ended since the last complete search. Those of a robot that can't be read are found later. */
async function listSince(context: SearchContext): Promise<EndedRuns> {
	const { settings, maxun, robotIds, trigger, complete } = context;
	const since = Math.max(Date.now() - LONGEST_OUTAGE, complete) - LONGEST_RUN;
	const listed = await maxun.runs.listEnded({
		robotIds,
		statuses: statusesOf(settings.events),
		endedOnly: true,
		limit: MOST_LISTED,
		since: () => since,
	});
	warnOfUnreadable(trigger, listed.unreadable);
	return listed;
}

/** The runs that start the workflow, earliest end first. */
async function missedOf(listed: EndedRuns, context: SearchContext): Promise<Run[]> {
	const { settings, trigger } = context;
	const candidates = candidatesIn(listed, context);
	const missed = await unprocessed(candidates, context);
	// If the earliest one in a full list was missed, those before it probably were, too.
	if (listed.isTruncated && missed.length > 0 && missed.at(-1) === candidates.at(-1)) {
		trigger.warn(`more than ${MOST_LISTED} runs have been missed. Earlier ones are skipped`);
	}
	return recentOf(missed, settings.maxAge, trigger.warn);
}

/** The runs that should have started the workflow by now, latest end first. */
function candidatesIn({ entries, now }: EndedRuns, context: SearchContext): Run[] {
	const { settings, sinceOf, mark, maxun, proposedIds, complete } = context;
	const earliest = Math.max(now - LONGEST_OUTAGE, complete - DELIVERY_TIME - maxun.runs.lateness);
	// Runs that ended while the workflow was being published have no delivery. A sample event finds them at once.
	const until = mark.isSearch ? Infinity : now - DELIVERY_TIME;
	return entries
		.filter((run) => {
			const end = endOf(run) ?? 0;
			return (
				mismatchOf(run, settings) === undefined &&
				isBefore(run, sinceOf(run), false) === false &&
				end <= until &&
				end > earliest &&
				!proposedIds.includes(run.id)
			);
		})
		.sort(latestFirst);
}

/** Those of the candidates that n8n doesn't remember, as far back as it surely remembers runs or some were missed. */
async function unprocessed(candidates: Run[], { processed }: SearchContext): Promise<Run[]> {
	const missed: Run[] = [];
	for (let at = 0; at < candidates.length; at += PAGE) {
		const page = candidates.slice(at, at + PAGE);
		const unknown = new Set(await processed.unknown(page.map(({ id }) => id)));
		missed.push(...page.filter(({ id }) => unknown.has(id)));
		if (unknown.size === 0 && at + PAGE >= SURELY_REMEMBERED) break;
	}
	return missed;
}
