import { isBlind, isReading } from '../../maxun/page.mts';
import type { Robot, Run } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import type { ExceptionName } from '../exceptions.mts';
import {
	creationOf,
	deletionsOf,
	isErrorItem,
	lineOf,
	type Played,
	type Waiter,
} from '../view.mts';
import { startOf, wasDeletedByPeople } from './data.mts';
import { forEach, type Rule } from './rule.mts';

/** At most one run is started for an item. Retry On Fail may start another run only if the first failed by itself. */
export const noRunStartsTwice: Rule = forEach((waiter, played) =>
	waiter.wanted
		.flatMap(({ key }) => [waiter.runsOf(key), waiter.readingsOf(key)])
		.flatMap((runs) => {
			const again = runs.slice(1).filter((run, index) => {
				const before = runs[index];
				return !before || !played.excuses.use(whyAgain(run, before, waiter, played));
			});
			return again.length > 0 ? [`${runs[0]?.key} was started ${runs.length} times`] : [];
		}),
);

/**
 * Why a second run may follow another run. If the node itself ends a run, or doesn't wait for it, this isn't a
 * reason.
 */
function whyAgain(
	run: Run,
	before: Run,
	waiter: Waiter,
	played: Played,
): ExceptionName | undefined {
	if (wasDeletedByPeople(before.robotId, waiter, played)) return 'deletedByPeople';
	if (isBlind(before, waiter.robotOf(before))) return 'redesigned';
	if (waiter.wasContinuedTooEarly) return 'continuedFromOldData';
	const { retryOnFail, cancelOnTimeout } = waiter.plan;
	if (!retryOnFail || before.status === 'success') return undefined;
	if (before.finishedAt === undefined || before.finishedAt > run.createdAt) return undefined;
	const isOwn = before.canceller === waiter.sender;
	if (!isOwn) return 'failedBefore';
	return cancelOnTimeout && !waiter.isTemporary ? 'canceledAsSet' : undefined;
}

/**
 * At most one robot is created for an item. Retry On Fail may create another robot only if the first can't be used
 * anymore.
 */
export const noRobotIsCreatedTwice: Rule = forEach((waiter, played) =>
	waiter.wanted.flatMap(({ key }) => {
		const isFor = (robot: Robot) => robot.firstKey === key && !isReading(robot);
		const robots = waiter.robots.filter(isFor);
		const again = robots.slice(1).filter((robot, index) => {
			const before = robots[index];
			return !before || !played.excuses.use(whyCreatedAgain(robot, before, waiter, played));
		});
		return again.length > 0 ? [`${robots.length} robots were created for ${key}`] : [];
	}),
);

function whyCreatedAgain(
	robot: Robot,
	before: Robot,
	waiter: Waiter,
	played: Played,
): ExceptionName | undefined {
	if (wasDeletedByPeople(before.id, waiter, played)) return 'deletedByPeople';
	const runs = waiter.runs.filter(({ robotId }) => robotId === before.id);
	if (runs.some((run) => isBlind(run, before))) return 'redesigned';
	if (waiter.wasContinuedTooEarly) return 'continuedFromOldData';
	const deletion = deletionsOf(before, waiter).find(({ sent }) => sent < robot.createdAt);
	if (!waiter.plan.retryOnFail) return undefined;
	if (waiter.plan.keepRobot) return 'robotKept';
	if (!deletion) return undefined;
	if (runs.length === 0) return 'nothingWasStarted';
	const failed = runs.every(
		({ status, canceller }) => status !== 'success' && canceller !== waiter.sender,
	);
	return failed ? 'failedBefore' : undefined;
}

/** If the response to a start is lost, its run is found, or the output says that it may have started. */
export const whatMayHaveStartedIsFoundOrReported: Rule = forEach((waiter, played) =>
	waiter.runs.flatMap((run) => {
		const start = startOf(run, waiter);
		if (start?.fault === undefined || !waiter.hasEnded) return [];
		if (wasFound(run, waiter, played) || waiter.text.includes(run.id)) return [];
		const says = MAY_HAVE_STARTED.test(waiter.text);
		if (says || played.excuses.use(whyNotReported(waiter))) return [];
		return [
			`the start of ${run.key} got no answer (${start.fault}), and nothing says that it may run`,
		];
	}),
);

/** If the response to a creation is lost, its robot is found, or the output says that it may exist. */
export const whatMayHaveBeenCreatedIsFoundOrReported: Rule = forEach((waiter, played) =>
	waiter.robots.flatMap((robot) => {
		const creation = creationOf(robot, waiter);
		if (creation?.fault === undefined || !waiter.hasEnded) return [];
		const isUsed = waiter.exchanges.some(({ request }) =>
			`${request.url.pathname}/`.includes(`/${robot.id}/`),
		);
		const says = MAY_EXIST.test(waiter.text) || waiter.text.includes(robot.id);
		if (isUsed || says || played.excuses.use(whyNotReported(waiter))) return [];
		return [
			`the creation of ${robot.key} got no answer (${creation.fault}), and nothing says that it may exist`,
		];
	}),
);

const MAY_HAVE_STARTED =
	/\b(may|might|could)\b[^"]*\b(run|running|started|continue|be going on)\b/i;
const MAY_EXIST =
	/\b(may|might|could)\b[^"]*\b(exist|exists|created|remain|left|have been)\b|\bremain/i;

/** Whether the node uses the run: it reads or cancels it, deletes its robot, or returns its data. */
function wasFound(run: Run, waiter: Waiter, { world: { maxun } }: Played): boolean {
	const isUsed = waiter.exchanges.some(({ request }) =>
		`${request.url.pathname}/`.includes(`/${run.id}/`),
	);
	const wasDeleted =
		waiter.robotOf(run).creator === waiter.sender && !maxun.robots.has(run.robotId);
	const hasData = waiter.visits.some(({ output }) =>
		output.flat().some((item) => !isErrorItem(item) && JSON.stringify(item.json).includes(run.key)),
	);
	return isUsed || wasDeleted || hasData;
}

function whyNotReported(waiter: Waiter): ExceptionName | undefined {
	if (waiter.wasKilled) return 'processKilled';
	if (waiter.wasCanceled) return 'canceled';
	if (waiter.stored.wasNotStored) return 'endNotStored';
	const isAlone = waiter.wanted.length === 1;
	return waiter.stored.status === 'error' && !isAlone ? 'anotherErrorIsShown' : undefined;
}

/** After a cancellation, nothing is started or created anymore. */
export const onlyCleanUpFollowsACancellation: Rule = forEach((waiter) => {
	const canceled = waiter.stored.trail.find(({ status }) => status === 'canceled');
	if (!canceled || waiter.outlivesCancellation) return [];
	const late = waiter.exchanges.filter(
		({ request, sent }) => sent > canceled.at && ['start', 'create'].includes(kindOf(request)),
	);
	const still = waiter.exchanges.filter(({ sent }) => sent > canceled.at + CLEANED_UP_AFTER);
	const [first] = late;
	const [last] = still;
	return [
		...(first ? [`${late.length} requests such as ${lineOf(first.request)} follow`] : []),
		...(last ? [`long after the cancellation it sends ${lineOf(last.request)}`] : []),
	];
});

/** The longest cleanup, in milliseconds. */
const CLEANED_UP_AFTER = 12 * 60_000;

/** Runs that only read a page also count (Max Runs per Execution). Each visit of a node has its own limit. */
export const runsStayWithinTheirLimit: Rule = forEach(({ plan, runs }) =>
	plan.runLimit > 0 && plan.shape === 'single' && runs.length > plan.runLimit
		? [`it started ${runs.length} runs, but may start ${plan.runLimit}`]
		: [],
);
