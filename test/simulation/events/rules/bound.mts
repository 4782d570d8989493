import type { Story } from '../story.mts';
import type { Arrival } from '../world.mts';
import { catchesUp, isWebhook, pathOf } from '../triggers.mts';
import type { EndedRun, Node, Watch } from './watches.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** From an event to the execution, with the time that a trigger may collect events. */
const EVENT = 2 * MINUTE;

/** Runs that ended later than this before an event may still have an event of their own. */
const MISSED_AFTER = 5.5 * MINUTE;

/** How often a trigger looks for missed runs at least, if there are events. Lists of self-hosted servers have no pages. */
const BETWEEN_SEARCHES = { cloud: 5.5 * MINUTE, selfHosted: 10.5 * MINUTE };

/** A poll emits up to 100 runs. */
const RUNS_PER_POLL = 100;

/** Requests per missed run, and per robot. One and a half times as many are allowed. */
const REQUESTS = { run: 1.5, robot: 5 };

/** When a run must have started the workflow. */
export interface Bound {
	at: number;
	because: 'its event' | 'an event after it' | 'a poll';
}

/** What a bound is derived from. */
export interface Case {
	story: Story;
	node: Node;
	watch: Watch;
	ended: EndedRun;
	/** How many runs were missed at the same time. */
	backlog: number;
}

/** By when a run must start the workflow; undefined if nothing ever reaches the trigger. */
export function boundOf(found: Case): Bound | undefined {
	const { trigger } = found.watch.publications[0] ?? {};
	if (!trigger) return undefined;
	if (!isWebhook(trigger)) return boundOfPolls(found);
	const bounds = [boundOfEvent(found), catchesUp(trigger) ? boundOfCatchUp(found) : undefined];
	return bounds.filter((bound) => bound !== undefined).sort((a, b) => a.at - b.at)[0];
}

/** Its own event arrives while nothing is wrong. Before, Maxun repeats it. */
function boundOfEvent(found: Case): Bound | undefined {
	const { story, ended } = found;
	const { lag } = story.history.service;
	const isNamed = areRunsNamed(story);
	// Otherwise, the trigger looks for the latest runs, and a late list doesn't show it.
	if (!isNamed && lag > 0) return undefined;
	const { all, byRun } = arrivals(found);
	const own = isNamed ? (byRun.get(ended.run.id) ?? []) : all;
	const until = isNamed ? Infinity : ended.end + MINUTE;
	const arrival = firstBetween(
		own,
		[ended.end + lag, until],
		({ at, robotId }) =>
			(isNamed || robotId === ended.run.robotId) &&
			isCalm(found, at, !isNamed) &&
			!isThrottled(found, at),
	);
	return arrival && { at: arrival.at + EVENT + storing(found), because: 'its event' };
}

/** Whether events contain the IDs of their runs. */
const areRunsNamed = ({ history }: Story) =>
	!['without ID', 'unknown field'].includes(history.service.deliveries);

/** Whether an event without run ID may be that of an active run, whose end the trigger then awaits. */
const isUnclear = ({ story, ended: { account } }: Case, at: number): boolean =>
	!areRunsNamed(story) &&
	[...account.past.runs.values()].some(
		({ createdAt, finishedAt = Infinity }) => createdAt <= at && at < finishedAt,
	);

/** A trigger looks for missed runs with an event, unless it has done so a short time ago. So a second event is certain. */
function boundOfCatchUp(found: Case): Bound | undefined {
	const { story, ended, backlog } = found;
	const { lag, rateLimit } = story.history.service;
	const { all } = arrivals(found);
	const calmFrom = (time: number) =>
		firstBetween(
			all,
			[time, Infinity],
			({ at }) => isCalm(found, at, true) && !isUnclear(found, at),
		);
	const first = calmFrom(ended.end + lag + MISSED_AFTER);
	const second = first && calmFrom(first.at + BETWEEN_SEARCHES[ended.account.own.kind]);
	if (!second) return undefined;
	const requests = REQUESTS.run * backlog + REQUESTS.robot * story.history.robots;
	const limited = Math.ceil((1.5 * requests) / rateLimit) * MINUTE;
	const reading = backlog * 500;
	const at =
		second.at + EVENT + storing(found) + reading + (requests > rateLimit / 2 ? limited : 0);
	return { at, because: 'an event after it' };
}

/** Polls begin while nothing is wrong, and emit so many runs each. */
function boundOfPolls(found: Case): Bound | undefined {
	const { story, node, ended, backlog } = found;
	const { lag } = story.history.service;
	// The first may have begun to list before the run ended, on another page.
	let polls = 2 + Math.ceil(backlog / RUNS_PER_POLL);
	const last = node.host.calls.find(
		({ kind, workflowId, node: name, began }) =>
			kind === 'poll' &&
			workflowId === node.workflowId &&
			name !== 'otherPoll' &&
			began >= ended.end + lag &&
			isCalm(found, began, true) &&
			!isThrottled(found, began) &&
			--polls === 0,
	);
	return last && { at: last.began + EVENT + storing(found), because: 'a poll' };
}

/** The events that have arrived at a trigger, in order. */
interface Arrivals {
	all: Arrival[];
	byRun: Map<string | undefined, Arrival[]>;
}

/** What `arrivals` has returned. All runs of a watch need the same. */
const known = new WeakMap<Watch, Arrivals>();

function arrivals({ story, node, watch }: Case): Arrivals {
	const before = known.get(watch);
	if (before) return before;
	const paths = new Set(watch.publications.map(({ trigger }) => pathOf(trigger)));
	const all = story.world.arrivals.filter(
		({ url, robotId }) =>
			robotId !== undefined && url.origin === node.host.settings.origin && paths.has(url.pathname),
	);
	const byRun = new Map<string | undefined, Arrival[]>();
	for (const arrival of all) {
		const own = byRun.get(arrival.runId);
		if (own) own.push(arrival);
		else byRun.set(arrival.runId, [arrival]);
	}
	known.set(watch, { all, byRun });
	return { all, byRun };
}

/** The first arrival between two times that fits. There are thousands, in the order of their times. */
function firstBetween(
	arrivals: Arrival[],
	[from, until]: [number, number],
	fits: (arrival: Arrival) => boolean,
): Arrival | undefined {
	let [low, high] = [0, arrivals.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((arrivals[middle]?.at ?? Infinity) < from) low = middle + 1;
		else high = middle;
	}
	for (let arrival = arrivals[low]; arrival && arrival.at < until; arrival = arrivals[++low]) {
		if (fits(arrival)) return arrival;
	}
	return undefined;
}

/** Whether nothing is wrong from some time on, as long as the trigger needs. @param lists whether it lists runs */
function isCalm({ story, node, ended }: Case, at: number, lists: boolean): boolean {
	return !story.disturbances.some(
		({ from, to, host, workflowId, robotId, isOfList }) =>
			from < at + MINUTE &&
			at <= to &&
			(host === undefined || host === node.host) &&
			(workflowId === undefined || workflowId === node.workflowId) &&
			(robotId === undefined || robotId === ended.run.robotId) &&
			(lists || !isOfList),
	);
}

/** Whether Maxun answers that there are too many requests. */
const isThrottled = ({ ended }: Case, at: number): boolean =>
	ended.account.throttled.some((time) => at - MINUTE < time && time < at + MINUTE);

const storing = ({ node }: Case): number => 2 * node.host.settings.storing * SECOND;
