import type { INodeExecutionData } from 'n8n-workflow';
import type { Start } from '../../n8n/calls.mts';
import type { Story } from '../story.mts';
import { catchesUp, isWebhook } from '../triggers.mts';
import { boundOf } from './bound.mts';
import {
	nameOf,
	nodesOf,
	TOLERANCE,
	wants,
	watchedSince,
	watchOf,
	type EndedRun,
	type Node,
	type Watch,
} from './watches.mts';

/** The IDs of the runs in items. */
export const runsOf = (items: INodeExecutionData[]): string[] =>
	items.flatMap(({ json: { run } }) =>
		typeof run === 'object' && run !== null && 'id' in run ? String(run.id) : [],
	);

/** How many runs a trigger certainly remembers and catches up with. */
const REMEMBERED = 1000;

/** n8n's table is exact if it is read and written in this time, in milliseconds. */
const TABLE_TIME = 50;

/** After how many milliseconds an execution confirms that its records are still there. */
const CONFIRMED_AFTER = 100;

/** An event without the ID of its run starts the workflow for so many runs that ended in so many milliseconds. */
const MOST_RECENT = 5;
const RECENT = 5 * 60_000;

/** The starts of a node by run, with what they proposed and what they emitted. */
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

/** The runs of a story by ID. */
const byId = ({ runs }: Story): Map<string, EndedRun> =>
	new Map(runs.map((ended) => [ended.run.id, ended]));

/** The worst that a trigger can do: emails for runs of last month. */
export function noRunFromBeforeTheWatchStartsTheWorkflow(story: Story): string[] {
	const runs = byId(story);
	return nodesOf(story).flatMap((node) =>
		[...new Starts(node).emitted].flatMap(([id, [start]]) => {
			const ended = runs.get(id);
			if (!ended || !start) return [];
			const since = watchedSince(node, ended, emittedAt(start));
			if (since === undefined || ended.end >= since - TOLERANCE) return [];
			const { account, end } = ended;
			const isWrittenLater = account.written(end) >= account.written(since) - TOLERANCE;
			if (story.exceptions.excuse('writtenLater', isWrittenLater)) return [];
			const originals = nodesOf(story).filter((other) => isCopied(node, other));
			const isContinued = originals.some((other) => {
				const before = watchedSince(other, ended, emittedAt(start));
				return before !== undefined && end >= before - TOLERANCE;
			});
			if (story.exceptions.excuse('copiedWithItsData', isContinued)) return [];
			const age = Math.round((since - end) / 1000);
			return [`${id} started ${nameOf(node)}, and ended ${age} s before the watch`];
		}),
	);
}

/** Whether a polling node may be a copy of another one. */
const isCopied = (node: Node, other: Node): boolean =>
	node !== other &&
	node.nodeId === other.nodeId &&
	node.workflowId.startsWith(other.workflowId) &&
	node.publications.every(({ trigger }) => trigger.webhookId === undefined);

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
	const { host, hasOtherPoll } = starts.node.publications[0] ?? {};
	const { isPoll } = first;
	const isVolatile = isPoll && !host?.settings.durableCursors;
	const wasKilled = [first, again].some(
		({ process, saved }) => !process.alive && saved === undefined,
	);
	const since = [...starts.emitted.values()].filter(([one]) => {
		const at = one ? emittedAt(one) : 0;
		return emittedAt(first) < at && at < emittedAt(again);
	});
	return (
		exceptions.excuse('killedWhileStoringAPoll', isVolatile && wasKilled) ||
		exceptions.excuse('restoredByAnotherPoll', isVolatile && hasOtherPoll === true) ||
		exceptions.excuse('tableFailed', !isPoll && Boolean(first.tableFailed || again.tableFailed)) ||
		exceptions.excuse('slowTable', wasTableSlow([first, again])) ||
		exceptions.excuse('recordLost', wasRecordLost(first, starts.all)) ||
		exceptions.excuse('manyOthersSince', since.length >= REMEMBERED)
	);
}

/** Whether executions of several workers used the table at the same time, and it took too long. */
function wasTableSlow(starts: Start[]): boolean {
	const spans = starts.flatMap(({ accesses }) => {
		const [first] = accesses;
		return first ? [{ from: first.from, to: accesses.at(-1)?.to ?? first.to }] : [];
	});
	const [one, other] = spans;
	const overlap = one && other && one.from < other.to && other.from < one.to;
	const isSlow = starts.some(({ accesses }) =>
		accesses.some(({ from, to }) => to - from > TABLE_TIME),
	);
	return Boolean(overlap && isSlow);
}

/** Whether another execution had read the table before an execution confirmed its records, and wrote it afterwards. */
function wasRecordLost({ accesses }: Start, all: Start[]): boolean {
	const confirmed = accesses.at(-1)?.from ?? Infinity;
	return all.some((other) =>
		other.accesses.some(
			({ from, to }) => from < confirmed && confirmed < to && to - from > CONFIRMED_AFTER,
		),
	);
}

export function eachWantedRunStartsTheWorkflowInTime(story: Story): string[] {
	for (const { wasInterrupted } of story.publications) {
		story.exceptions.excuse('killedWhilePublishing', wasInterrupted === true);
	}
	return nodesOf(story).flatMap((node) => {
		const starts = new Starts(node);
		const wanted = story.runs.flatMap((ended) => {
			const watch = watchOf(node, ended);
			return watch ? [{ ended, watch }] : [];
		});
		const late = wanted.map(({ ended, watch }) => {
			const [start] = starts.emitted.get(ended.run.id) ?? [];
			return { ended, watch, start, at: start ? emittedAt(start) : Infinity };
		});
		return late.flatMap(({ ended, watch, at }) => {
			// The usual case. It needs no bound.
			if (at < ended.end + 60_000) return [];
			const missed = late.filter((one) => one.ended.end + 60_000 < one.at && one.ended.end <= at);
			const backlog = missed.length;
			const bound = boundOf({ story, node, watch, ended, backlog });
			if (bound && at <= bound.at) return [];
			const newer = missed.filter((one) => one.ended.end > ended.end).length;
			const trigger = watch.publications[0]?.trigger;
			const { exceptions, deleted, world } = story;
			const { account, end, run } = ended;
			const lastBy = bound?.at ?? Infinity;
			const isDeleted = (deleted.get(run.robotId) ?? Infinity) <= lastBy;
			const proposed = starts.proposed.get(run.id) ?? [];
			const isBroken = story.disturbances.some(
				({ robotId, to }) => robotId === run.robotId && to >= story.ended,
			);
			const isOld = account.written(end) <= account.written(watch.from) + TOLERANCE;
			const isPoll = trigger && !isWebhook(trigger);
			const isExcused =
				exceptions.excuse('robotDeleted', isDeleted) ||
				exceptions.excuse('killedWithItsExecution', proposed.some(wasKilled)) ||
				exceptions.excuse('killedWhileStoringAPoll', proposed.some(wasPollKilled)) ||
				exceptions.excuse('pollNotStored', proposed.some(wasPollLost)) ||
				exceptions.excuse('slowTable', wasTableSlow(proposed)) ||
				exceptions.excuse('onlyFiveWithoutId', wereOnlyFiveProposed(story, watch, ended)) ||
				exceptions.excuse('oddList', isPoll === true && wasListOdd(story, ended)) ||
				exceptions.excuse('robotStaysBroken', isBroken && !bound) ||
				exceptions.excuse(
					'unreadAtFirst',
					isPoll === true && wasUnreadAtFirst(story, watch, ended),
				) ||
				exceptions.excuse('writtenEarlier', isOld) ||
				exceptions.excuse('olderThanTheLatest1000', newer >= REMEMBERED && !isPoll) ||
				exceptions.excuse('watchEndedEarlier', lastBy >= watch.to) ||
				exceptions.excuse(
					'withoutCatchUp',
					!bound && trigger !== undefined && !catchesUp(trigger),
				) ||
				exceptions.excuse('noEventSince', !bound) ||
				exceptions.excuse('historyEndedEarlier', lastBy >= story.ended);
			if (isExcused || !bound) return [];
			const seconds = (time: number) => Math.round((time - world.began) / 1000);
			const when = at === Infinity ? 'never' : `at ${seconds(at)}`;
			return [
				`${run.id} (${run.status}, ended at ${seconds(end)}) started ${nameOf(node)} ${when}, not by ${seconds(lastBy)} with ${bound.because}`,
			];
		});
	});
}

/** Whether no event said which of more than five runs it was about, and nothing looked for the others. */
function wereOnlyFiveProposed(
	{ history, runs }: Story,
	{ publications: [publication] }: Watch,
	{ end }: EndedRun,
): boolean {
	if (!publication || !isWebhook(publication.trigger) || catchesUp(publication.trigger))
		return false;
	const together = runs.filter(
		(other) => Math.abs(other.end - end) < RECENT && wants(publication, other),
	);
	const isWithoutId = ['without ID', 'unknown field'].includes(history.service.deliveries);
	return isWithoutId && together.length > MOST_RECENT;
}

/** Whether a run ended before the first poll that could list its robot. */
function wasUnreadAtFirst(story: Story, { from }: Watch, { run, end }: EndedRun): boolean {
	const untilPoll = 2 * story.history.host.pollInterval * 1000;
	return story.disturbances.some(
		(one) =>
			one.workflowId === undefined &&
			(one.robotId === undefined || one.robotId === run.robotId) &&
			one.from <= from &&
			from <= one.to &&
			end <= one.to + untilPoll,
	);
}

/** Whether lists had no readable entry when a run ended. */
const wasListOdd = ({ world, history }: Story, { end }: EndedRun): boolean =>
	history.faults.some(
		({ at, seconds, fault, requests }) =>
			fault === 'odd' &&
			['all', 'list'].includes(requests) &&
			world.began + at * 1000 < end &&
			end < world.began + (at + seconds) * 1000,
	);

/** The execution was stored, and its process was killed before it emitted anything. */
const wasKilled = ({ stored, emission, executor, isPoll }: Start): boolean =>
	!isPoll && stored !== undefined && !emission && executor?.alive === false;

const wasPollKilled = ({ isPoll, stored, process, host }: Start): boolean =>
	isPoll && stored === undefined && !process.alive && !host.settings.durableCursors;

const wasPollLost = ({ isPoll, stored, process, host }: Start): boolean =>
	isPoll && stored === undefined && process.alive && !host.settings.durableCursors;
