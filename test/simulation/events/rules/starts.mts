import type { Start } from '../../n8n/calls.mts';
import type { Story } from '../story.mts';
import { boundOf } from './bound.mts';
import {
	mayBeOverwritten,
	nameOf,
	nodesOf,
	runsOf,
	TOLERANCE,
	wants,
	watchesOf,
	type EndedRun,
	type Node,
	type Watch,
} from './watches.mts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** n8n's table is exact if reading and writing it takes no longer than this, in milliseconds. */
const TABLE_TIME = 50;

/** After how many milliseconds an execution checks whether its records are still there. */
const CONFIRMED_AFTER = 400;

/** How many runs the table certainly contains. */
const REMEMBERED = 2_000;

/** A node's starts by run: which runs were proposed, and which were emitted. */
class Starts {
	readonly emitted = new Map<string, Start[]>();
	readonly proposed = new Map<string, Start[]>();
	readonly all: Start[];

	constructor(readonly node: Node) {
		const { host, workflowId, nodeId } = node;
		this.all = host.starts.filter(
			(start) => start.workflowId === workflowId && start.trigger.id === nodeId,
		);
		for (const start of this.all) {
			for (const id of new Set(runsOf(start.emission?.items ?? []))) add(this.emitted, id, start);
			for (const id of new Set(runsOf(start.items))) add(this.proposed, id, start);
		}
	}
}

const add = (map: Map<string, Start[]>, id: string, start: Start) =>
	map.set(id, [...(map.get(id) ?? []), start]);

const emittedAt = ({ emission }: Start): number => emission?.at ?? Infinity;

const byId = ({ runs }: Story): Map<string, EndedRun> =>
	new Map(runs.map((ended) => [ended.run.id, ended]));

/** The worst case for a trigger: emails about last month's runs. */
export function noRunFromBeforeTheWatchStartsTheWorkflow(story: Story): string[] {
	const runs = byId(story);
	const nodes = nodesOf(story);
	return nodes.flatMap((node) =>
		[...new Starts(node).emitted].flatMap(([id, [start]]) => {
			const ended = runs.get(id);
			const watch = ended && start && watchAt(node, ended, emittedAt(start));
			if (!watch || ended.end >= watch.since - TOLERANCE) return [];
			const { account, end } = ended;
			const isWrittenLater = account.written(end) >= account.written(watch.since) - TOLERANCE;
			if (story.exceptions.excuse('writtenLater', isWrittenLater)) return [];
			if (story.exceptions.excuse('unlistedOld', wasNeverListed(story, node, start, watch, ended)))
				return [];
			const isContinued = nodes.some((other) => {
				if (!isCopied(node, other)) return false;
				const before = watchAt(other, ended, emittedAt(start));
				return before !== undefined && end >= before.since - TOLERANCE;
			});
			if (story.exceptions.excuse('copiedWithItsData', isContinued)) return [];
			if (story.exceptions.excuse('removalOverwritten', wasRemovalOverwritten(node, watch, ended)))
				return [];
			const age = Math.round((watch.since - end) / 1000);
			return [`${id} started ${nameOf(node)}, and ended ${age} s before the watch`];
		}),
	);
}

/** Whether n8n saved older data over what unpublishing had saved, so that the watch continues. */
function wasRemovalOverwritten(
	{ host, workflowId, publications }: Node,
	{ since }: Watch,
	{ end }: EndedRun,
): boolean {
	const last = publications.filter(({ ended }) => ended !== undefined && ended.at <= since).at(-1);
	if (last?.ended?.by !== 'unpublish' || end < last.began) return false;
	const { at } = last.ended;
	const isOfPoll = host.starts.some(
		({ isPoll, workflowId: id, began, saved = Infinity }) =>
			isPoll && id === workflowId && began <= at && at <= saved && at - began < 90 * SECOND,
	);
	const isAtStart = host.outages.some(({ to }) => to <= at && at < to + 90 * SECOND);
	return isOfPoll || (host.settings.hooks === 'first' && isAtStart);
}

/**
 * Whether an event announced a run of a robot that no poll had been able to list when the watch began. If its webhooks
 * work, the trigger lists it again after an hour.
 */
function wasNeverListed(
	story: Story,
	node: Node,
	start: Start,
	{ since }: Watch,
	{ run, account, end }: EndedRun,
): boolean {
	const listedBy = HOUR + 2 * story.history.host.pollInterval * SECOND;
	return (
		!start.isPoll &&
		story.disturbances.some(({ robotId = run.robotId, isOfList, from, to, host, workflowId }) => {
			const isRecent = since - end < 2 * HOUR && start.began <= to + listedBy;
			const isForever = isOfList === true && to >= start.began;
			return (
				robotId === run.robotId &&
				workflowId === undefined &&
				(host === undefined || host === node.host) &&
				from <= since &&
				since <= to &&
				(isRecent || (isForever && account.own.kind === 'selfHosted'))
			);
		})
	);
}

/** The latest watch that had begun when a run started the workflow. */
const watchAt = (node: Node, ended: EndedRun, at: number): Watch | undefined =>
	watchesOf(node, ended)
		.filter(({ since }) => since <= at)
		.at(-1);

/** Whether a node may be another node's copy, with its saved data. */
const isCopied = (node: Node, other: Node): boolean =>
	node !== other &&
	(node.nodeId === other.nodeId || node.nodeId === `${other.nodeId}, new`) &&
	node.workflowId.startsWith(other.workflowId);

/** Each run that started a workflow existed, had ended, and was selected at some time. */
export function onlySelectedRunsStartTheWorkflow(story: Story): string[] {
	const runs = byId(story);
	return nodesOf(story).flatMap((node) =>
		[...new Starts(node).emitted].flatMap(([id, [start]]) => {
			const ended = runs.get(id);
			const isReal = ended && start && ended.end <= emittedAt(start);
			const isSelected = isReal && node.publications.some((one) => wants(one, ended));
			return isSelected ? [] : [`${id} started ${nameOf(node)}`];
		}),
	);
}

/** A robot's runs until this run, in the order in which they ended. */
const runsUntil = ({ runs }: Story, { run, end }: EndedRun): EndedRun[] =>
	runs
		.filter((other) => other.run.robotId === run.robotId && other.end <= end)
		.sort((a, b) => a.end - b.end);

export function noRunStartsTheWorkflowTwice(story: Story): string[] {
	return nodesOf(story).flatMap((node) => {
		const starts = new Starts(node);
		return [...starts.emitted].flatMap(([id, [first, ...others]]) => {
			const again = others.filter((one) => first && !isRepeatExcused(story, starts, first, one));
			return again.length > 0 ? [`${id} started ${nameOf(node)} ${again.length + 1} times`] : [];
		});
	});
}

function isRepeatExcused({ exceptions }: Story, starts: Starts, first: Start, again: Start) {
	const since = [...starts.emitted.values()].filter(([one]) => {
		const at = one ? emittedAt(one) : 0;
		return emittedAt(first) < at && at < emittedAt(again);
	});
	return (
		exceptions.excuse('tableFailed', Boolean(first.tableFailed || again.tableFailed)) ||
		exceptions.excuse('slowTable', wasTableSlow([first, again], starts.all)) ||
		exceptions.excuse('recordLost', wasRecordLost(first, starts.all)) ||
		exceptions.excuse('manyOthersSince', since.length >= REMEMBERED)
	);
}

/** Whether several workers' executions used the table at the same time, and it took too long for any execution. */
function wasTableSlow(starts: Start[], all: Start[]): boolean {
	const spans = starts.flatMap(({ accesses }) => {
		const [first] = accesses;
		return first ? [{ from: first.from, to: accesses.at(-1)?.to ?? first.to }] : [];
	});
	const [one, other] = spans;
	if (!one || !other || one.from >= other.to || other.from >= one.to) return false;
	const began = Math.min(one.from, other.from);
	const ended = Math.max(one.to, other.to);
	return all.some(({ accesses }) =>
		accesses.some(({ from, to }) => to - from > TABLE_TIME && from < ended && began < to),
	);
}

/** Whether another execution read the table before an execution confirmed its records, and wrote it afterwards. */
function wasRecordLost({ accesses }: Start, all: Start[]): boolean {
	const confirmed = accesses.at(-1)?.from ?? Infinity;
	return all.some((other) =>
		other.accesses.some(
			({ from, to }) => from < confirmed && confirmed < to && to - from > CONFIRMED_AFTER,
		),
	);
}

export function eachWantedRunStartsTheWorkflowInTime(story: Story): string[] {
	return nodesOf(story).flatMap((node) => {
		const starts = new Starts(node);
		const wanted = story.runs.flatMap((ended) => {
			const watch = watchesOf(node, ended).find(
				({ from, to }) => from < ended.end && ended.end < to,
			);
			if (!watch) return [];
			const [start] = starts.emitted.get(ended.run.id) ?? [];
			return [{ ended, watch, at: start ? emittedAt(start) : Infinity }];
		});
		return wanted.flatMap(({ ended, watch, at }) => {
			// The usual case, which doesn't need a bound.
			if (at < ended.end + 60_000) return [];
			const missed = wanted.filter((one) => one.ended.end + 60_000 < one.at && one.ended.end <= at);
			const bound = boundOf({ story, node, watch, ended, backlog: missed.length });
			const lastBy = bound?.at ?? Infinity;
			if (at <= lastBy && bound) return [];
			const isByEvent = bound?.because === 'its event';
			if (isLateExcused(story, starts, { ended, watch, lastBy, isByEvent })) return [];
			const { run, end } = ended;
			const seconds = (time: number) => Math.round((time - story.world.began) / 1000);
			const when = at === Infinity ? 'never' : `at ${seconds(at)}`;
			return [
				`${run.id} (${run.status}, ended at ${seconds(end)}) started ${nameOf(node)} ${when}, not by ${seconds(lastBy)} with ${bound?.because}`,
			];
		});
	});
}

interface Lateness {
	ended: EndedRun;
	watch: Watch;
	/** When the run must have started the workflow; Infinity if never. */
	lastBy: number;
	/** Whether its event reaches the trigger, so that the trigger doesn't need a list of runs. */
	isByEvent: boolean;
}

function isLateExcused(
	story: Story,
	starts: Starts,
	{ ended, watch, lastBy, isByEvent }: Lateness,
): boolean {
	const { exceptions, deleted } = story;
	const { account, end, run } = ended;
	const proposed = starts.proposed.get(run.id) ?? [];
	const isBroken = story.disturbances.some(
		({ robotId, to, isOfList }) =>
			robotId === run.robotId && to >= story.ended && !(isOfList && isByEvent),
	);
	const began = Math.min(...beginningsOf(story, starts.node), watch.from);
	// Without n8n's own copy, the next poll begins the watch again.
	const wasOff = starts.node.host.outages.some(({ from }) => watch.since <= from && from <= lastBy);
	// A watch begins with the latest end in a list of the last day.
	const isOld = account.written(end) <= account.latestWritten(began - 25 * HOUR, end) + TOLERANCE;
	return (
		exceptions.excuse('robotDeleted', (deleted.get(run.robotId) ?? NaN) <= lastBy) ||
		exceptions.excuse('killedWithItsExecution', proposed.some(wasKilled)) ||
		exceptions.excuse('pollNotStored', proposed.some(wasPollLost)) ||
		exceptions.excuse(
			'tableFailed',
			proposed.some(({ tableFailed }) => tableFailed === true),
		) ||
		exceptions.excuse('slowTable', wasTableSlow(proposed, starts.all)) ||
		exceptions.excuse(
			'killedWhilePublishing',
			watch.publications.some(({ wasInterrupted }) => wasInterrupted === true),
		) ||
		exceptions.excuse('robotStaysBroken', isBroken) ||
		exceptions.excuse('unreadAtFirst', wasUnreadAtFirst(story, watch, ended, isByEvent)) ||
		exceptions.excuse('writtenEarlier', isOld) ||
		exceptions.excuse(
			'overwrittenByTheWorkflow',
			(isByEvent || wasOff) && watch.publications.some((one) => mayBeOverwritten(story, one)),
		) ||
		exceptions.excuse('watchEndedEarlier', watch.to < Infinity && lastBy >= watch.to) ||
		exceptions.excuse('historyEndedEarlier', lastBy >= story.ended)
	);
}

/**
 * When the publications began whose cursor a node may have, also for other events. A copy continues with the
 * original's.
 */
const beginningsOf = (story: Story, node: Node): number[] =>
	nodesOf(story)
		.filter((other) => isCopied(node, other))
		.flatMap(({ publications }) => publications.map(({ succeeded = Infinity }) => succeeded));

/** Whether a run ended before the first poll that could list its robot, for example an empty list with odd entries. */
function wasUnreadAtFirst(
	story: Story,
	{ from }: Watch,
	ended: EndedRun,
	isByEvent: boolean,
): boolean {
	const { run, end, account } = ended;
	const untilPoll = 2 * story.history.host.pollInterval * SECOND;
	const [first] = runsUntil(story, ended);
	// If its webhooks work, the trigger lists a robot again after an hour.
	const isEarly = first !== undefined && (first === ended || end - first.end < HOUR + untilPoll);
	if (account.odd.has(run.robotId) && isEarly && !(isByEvent && first !== ended)) return true;
	return story.disturbances.some(
		(one) =>
			one.workflowId === undefined &&
			(one.robotId === undefined || one.robotId === run.robotId) &&
			one.from <= from &&
			from <= one.to &&
			end <= one.to + untilPoll,
	);
}

/** Whether the execution was stored, but its process was killed before it emitted anything. */
const wasKilled = ({ stored, emission, executor }: Start): boolean =>
	stored !== undefined && !emission && executor?.alive === false;

/** Whether n8n could not store a poll's execution, and continued. */
const wasPollLost = ({ isPoll, stored, executor, host }: Start): boolean =>
	isPoll && (stored === undefined ? !host.settings.durableCursors : executor === undefined);
