import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import type { Arrival } from '../world.mts';
import { isRung, pathOf } from '../triggers.mts';
import type { EndedRun, Node, Watch } from './watches.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The longest time from an event or a poll to the execution. */
const REACTION = 2 * MINUTE;

/** For an event without a run ID: how long ago its runs may have ended, and how many of them the trigger reads. */
const RECENT = 5 * MINUTE;
const RUNS_PER_EVENT = 5;

/** How many runs it lists, the latest starts first. */
const LISTED = 100;

/** Minimum number of runs that a poll reads in the time that n8n allows. */
const RUNS_PER_POLL = { usually: 100, throttled: 10 };

/** When a run must have started the workflow. */
export interface Bound {
	at: number;
	because: 'its event' | 'a poll';
}

/** What a bound depends on. */
export interface Case {
	story: Story;
	node: Node;
	watch: Watch;
	ended: EndedRun;
	/** How many runs were missed at the same time. */
	backlog: number;
}

/** When a run must have started the workflow; undefined if nothing ever reaches the trigger. */
export function boundOf(found: Case): Bound | undefined {
	const bounds = [boundOfEvent(found), boundOfPolls(found)];
	return bounds.filter((bound) => bound !== undefined).sort((a, b) => a.at - b.at)[0];
}

/** The bound if its own event arrives while nothing is wrong. Until then, Maxun sends the event again. */
function boundOfEvent(found: Case): Bound | undefined {
	const { story, ended } = found;
	const { lag } = story.history.service;
	const isNamed = !['without ID', 'unknown field'].includes(story.history.service.deliveries);
	// Without a run ID, the trigger lists the latest runs, and a late list doesn't show the run.
	const isHidden = [isOneOfMany, isOfEarlierStart, looksOlder].some((hides) => hides(found));
	// Canceled runs don't have events. The event of another run may show them.
	const isCanceled = ended.run.status === 'aborted';
	if (!isNamed && (lag > 0 || isHidden || isCanceled)) return undefined;
	const until = isNamed ? Infinity : ended.end + MINUTE;
	const arrival = arrivalsOf(found).find(
		({ at, robotId, runId }) =>
			ended.end + lag <= at &&
			at < until &&
			(isNamed ? runId === ended.run.id : robotId === ended.run.robotId) &&
			isCalm(found, at, !isNamed) &&
			isBegun(found, at) &&
			!isFlooded(found, at) &&
			!isThrottled(found, at),
	);
	return arrival && { at: arrival.at + REACTION + storing(found), because: 'its event' };
}

/** Whether n8n has stored that the watch has begun: after the publication, or after a poll. */
function isBegun({ story, node, watch }: Case, at: number): boolean {
	const isStored = (time: number) =>
		!story.disturbances.some(
			({ from, to, host, workflowId, robotId }) =>
				workflowId === undefined &&
				robotId === undefined &&
				(host === undefined || host === node.host) &&
				from < time + MINUTE &&
				time <= to,
		);
	const times = watch.publications.map(({ began, succeeded = began }) => succeeded);
	const began = times.filter((time) => time <= at).at(-1);
	if (began === undefined || isStored(began)) return true;
	return node.host.calls.some(
		({ kind, workflowId, node: polling, began: polled }) =>
			kind === 'poll' &&
			workflowId === node.workflowId &&
			polling !== 'otherPoll' &&
			began < polled &&
			polled < at &&
			isStored(polled),
	);
}

/** Whether the trigger rejects events, because many have arrived before their runs could be read. */
function isFlooded(found: Case, at: number): boolean {
	const { story } = found;
	const { lag } = story.history.service;
	const ends = new Map(story.runs.map(({ run, end }) => [run.id, end]));
	const early = arrivalsOf(found).filter(
		(one) =>
			at - MINUTE < one.at && one.at <= at && one.at < (ends.get(one.runId ?? '') ?? 0) + lag,
	);
	return early.length >= MOST_EARLY;
}

/** How many events a minute may arrive too early. */
const MOST_EARLY = 25;

/** Whether an event without run ID may stand for so many runs that some of them are left to the next poll. */
function isOneOfMany({ story, ended }: Case): boolean {
	const others = story.runs.filter(
		({ run, end }) =>
			run.robotId === ended.run.robotId && Math.abs(end - ended.end) < RECENT && run !== ended.run,
	);
	return others.length >= RUNS_PER_EVENT;
}

/**
 * Whether the run is too old for the list that an event without run ID reads: too many of the robot's runs started
 * later.
 */
const isOfEarlierStart = ({ story, ended: { run } }: Case): boolean =>
	story.runs.filter(
		(other) =>
			other.run.robotId === run.robotId &&
			other.run !== run &&
			other.run.createdAt >= run.createdAt,
	).length >= LISTED;

/**
 * Whether an earlier run ended later according to the server's own clock. Dates without a time zone repeat an hour when
 * clocks are set back, so they don't show which run is the latest.
 */
const looksOlder = ({ story, ended: { run, account, end } }: Case): boolean =>
	story.runs.some(
		(other) =>
			other.run.robotId === run.robotId &&
			other.end < end &&
			account.written(other.end) > account.written(end),
	);

/**
 * The bound if only polls find the run. If its events arrive, a trigger looks for runs once an hour; otherwise, with
 * each poll. The first search may have begun before the run ended, and another search before everything worked again.
 */
function boundOfPolls(found: Case): Bound | undefined {
	const { story, node, watch, ended, backlog } = found;
	const { lag, rateLimit } = story.history.service;
	const isHourly =
		story.history.url === 'right' &&
		watch.publications.some(({ trigger }) => isRung(trigger)) &&
		(!hadNoWebhook(found) || wasNotListed(found));
	const gap = isHourly ? HOUR : 0;
	const perPoll = RUNS_PER_POLL[rateLimit < 1000 ? 'throttled' : 'usually'];
	// The next polls find what is left.
	let looks = isHourly ? 3 : 2;
	let rest = Math.ceil(backlog / perPoll);
	let next = Math.max(ended.end + lag + gap, watch.from - SECOND);
	const last = node.host.calls.find((call) => {
		const isOurs = call.kind === 'poll' && call.workflowId === node.workflowId;
		if (!isOurs || call.node === 'otherPoll' || call.began < next) return false;
		if (!isCalm(found, call.began, true) || isThrottled(found, call.began)) return false;
		if (looks > 0) looks--;
		else rest--;
		if (looks > 0) next = call.began + gap;
		return looks === 0 && rest <= 0;
	});
	return last && { at: last.began + REACTION + storing(found), because: 'a poll' };
}

/** Whether the trigger's webhook was off when the run ended, and nobody else had removed it. The trigger can see this. */
function hadNoWebhook({ story, watch, ended: { account, run } }: Case): boolean {
	const urls = account.announced.get(run.id) ?? [];
	const isOwn = (url: string) =>
		watch.publications.some(({ trigger }) => new URL(url).pathname === pathOf(trigger));
	return run.status !== 'aborted' && !urls.some(isOwn) && !story.cleared.has(run.robotId);
}

/** Whether Maxun did not list the robot's runs when the webhook was turned on. The next list then waits for an hour. */
const wasNotListed = ({ story, watch, ended: { run, end } }: Case): boolean =>
	watch.publications
		.filter(({ began }) => end < began + MINUTE)
		.slice(0, 1)
		.some(({ began }) =>
			story.disturbances.some(
				({ from, to, robotId }) => robotId === run.robotId && from <= began && began <= to,
			),
		);

/** The results of `arrivalsOf`, which all runs of a watch share. */
const known = new WeakMap<Watch, Arrival[]>();

/**
 * The events that have arrived at a published trigger, in order. A webhook that couldn't be removed also sends them
 * later.
 */
function arrivalsOf({ story, node, watch }: Case): Arrival[] {
	const receives = ({ trigger, began, ended }: Publication, { url, at }: Arrival) =>
		url.pathname === pathOf(trigger) && began <= at && at < (ended?.at ?? Infinity);
	const found =
		known.get(watch) ??
		story.world.arrivals.filter(
			(arrival) =>
				arrival.robotId !== undefined &&
				arrival.url.origin === node.host.settings.origin &&
				watch.publications.some((one) => receives(one, arrival)),
		);
	known.set(watch, found);
	return found;
}

/**
 * Whether nothing is wrong while the trigger needs the servers, beginning at this time. @param lists whether it lists
 * runs
 */
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

/** Whether Maxun responds that there are too many requests. */
const isThrottled = ({ ended }: Case, at: number): boolean =>
	ended.account.throttled.some((time) => at - MINUTE < time && time < at + MINUTE);

const storing = ({ node }: Case): number => 2 * node.host.settings.storing * SECOND;
