import { hasEnded } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import { isFinal } from '../../../helpers/engine/execution-store.mts';
import { MOST_TRIES } from '../setup.mts';
import { hasFailed, type Played, type Waiter } from '../view.mts';
import { begunAt } from './data.mts';
import { forEach, type Rule } from './rule.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const everyExecutionEnds: Rule = (played) => {
	const { all, history, excuses } = played;
	const open = all.filter((stored) => !isFinal(stored));
	const isLost = played.didHappen('slowDatabase');
	return [
		...open
			.filter(() => !(isLost && excuses.use('databaseFailed')))
			.map(({ id, status }) => `execution ${id} is ${status} forever`),
		...(all.length > 0 || history.events.length > 0 ? [] : ['no execution has started']),
	];
};

/**
 * While nothing starts or ends, an execution pauses. It doesn't keep a worker busy for longer than Pause After and
 * the time for a pause.
 */
export const executionsPauseWhileNothingHappens: Rule = forEach((waiter, played) => {
	if (!waiter.canPause || waiter.wasStopped) return [];
	const longest = waiter.plan.pauseAfter * SECOND + PATIENCE + played.clockError;
	return busyTimes(waiter).flatMap(({ from, to }) => {
		const times = [from, ...happeningsOf(waiter, from, to), to].sort((a, b) => a - b);
		return times.slice(1).flatMap((time, index) => {
			const before = times[index] ?? from;
			if (time - before <= longest) return [];
			const hasTrouble = waiter.exchanges.some(
				(exchange) => hasFailedBetween(exchange, before, time) && !isRefusedStart(exchange),
			);
			if (
				(hasTrouble || played.didHappen('slowDatabase')) &&
				played.excuses.use('failuresKeepItBusy')
			) {
				return [];
			}
			const isShort = time - before <= longest + shortTries(waiter);
			if (isShort && played.excuses.use('timeIsUpSoon')) return [];
			return [
				`nothing happens for ${((time - before) / SECOND).toFixed(0)} s, but it doesn't pause`,
			];
		});
	});
});

/** How long attempts may take without a pause, in milliseconds. */
function shortTries({ plan, wanted }: Waiter): number {
	const tries = plan.retryOnFail ? MOST_TRIES : 1;
	const waits = wanted.map(({ timeoutMinutes, isPage }) =>
		Math.min(isPage ? PAGE_HANGS : Infinity, timeoutMinutes * MINUTE),
	);
	const pauseAfter = plan.pauseAfter * SECOND;
	// The node polls after a tenth of the time, and tries as often to start a run that was rejected.
	const nextPoll = Math.min((pauseAfter + SHORTEST_PAUSE) / 10, 30 * SECOND);
	return (
		tries * Math.max(0, ...waits.filter((wait) => wait < pauseAfter + nextPoll + SHORTEST_PAUSE))
	);
}

const SHORTEST_PAUSE = 65 * SECOND;

/** When a page that takes much longer than the others has timed out. */
const PAGE_HANGS = 120 * SECOND;

/** The time for a pause, and for the node to find that nothing has happened. */
const PATIENCE = 2 * MINUTE;

/** If no browser is free, a self-hosted server rejects starts. This doesn't count as a fault. */
const isRefusedStart = ({ request, fault }: Waiter['exchanges'][number]) =>
	fault === undefined && kindOf(request) === 'start';

const hasFailedBetween = (exchange: Waiter['exchanges'][number], from: number, to: number) =>
	hasFailed(exchange) && exchange.sent <= to && (exchange.ended ?? Infinity) >= from;

/** When an execution was running. */
const busyTimes = ({ stored: { trail } }: Waiter) =>
	trail.flatMap(({ status, at }, index) => {
		const next = trail[index + 1];
		return status === 'running' && next ? [{ from: at, to: next.at }] : [];
	});

/** When a run of the execution started, ended or timed out. */
const happeningsOf = (waiter: Waiter, from: number, to: number): number[] =>
	[
		...waiter.runs.flatMap(({ createdAt, startedAt, finishedAt }) => [
			createdAt,
			startedAt,
			finishedAt,
		]),
		...waiter.wanted.flatMap(({ key, timeoutMinutes }) =>
			waiter
				.runsOf(key)
				.map(({ startedAt, createdAt }) => (startedAt ?? createdAt) + timeoutMinutes * MINUTE),
		),
		...waiter.robots.map(({ createdAt }) => createdAt),
		...waiter.exchanges
			.filter(({ request }) => ['create', 'delete', 'cancel'].includes(kindOf(request)))
			.map(({ ended }) => ended),
	].filter((time) => time !== undefined && time > from && time < to) as number[];

/**
 * Results arrive in time. A result exists within 30 seconds after a run has ended or timed out while the node polls.
 * After a pause, it exists within 70 seconds or a tenth of the time waited, whichever is longer. After a fault, the
 * time counts from the fault's end. Without a credential, nothing can be read, so only the timeout counts.
 */
export const resultsArriveInTime: Rule = forEach((waiter, played) => {
	if (!waiter.hasEnded || waiter.wasStopped || waiter.plan.waitNode) return [];
	const [first] = waiter.exchanges;
	if (!first || played.didHappen('slowDatabase') || waiter.wanted.length === 0) return [];
	const trouble = Math.max(...waiter.exchanges.filter(hasFailed).map(endOfTrouble), 0);
	const needed = neededUntil(waiter, played, first.sent, trouble);
	const since = Math.max(needed, trouble, ...restarts(waiter, played));
	// An execution that can't reach Maxun also pauses, even after its timeout.
	const pause = trouble > 0 ? LONGEST_PAUSE : 70 * SECOND;
	const bound = waiter.hasPaused ? Math.max(pause, (needed - first.sent) / 10) : 0;
	const isGone = credentialGoneAt(waiter, played) <= waiter.endedAt;
	const afterwards = AFTERWARDS + (isGone ? waiter.wanted.length * RETRIES : 0);
	const late = waiter.endedAt - since - bound - afterwards - played.clockError;
	return late > 0 ? [`its results are ${(late / SECOND).toFixed(0)} s later than allowed`] : [];
});

/** When a killed n8n process was back. Until then, it doesn't resume paused executions. */
const restarts = ({ endedAt }: Waiter, { happened }: Played) =>
	happened.flatMap((what) =>
		'kill' in what && what.kill !== 'workers' && what.time <= endedAt
			? [what.time + what.restartAfter * SECOND]
			: [],
	);

/** The time for polling, reading and cleanup, and for n8n to store the execution. */
const AFTERWARDS = 40 * SECOND;

/** How late a paused execution may find that Maxun is working on a run. */
const LONGEST_PAUSE = 6 * MINUTE;

/** How long n8n may retry a request that it can't send. */
const RETRIES = 15 * SECOND;

/** When a client may try again after a fault. */
const endOfTrouble = ({ ended = Infinity, response }: Waiter['exchanges'][number]) =>
	ended + Number(response?.headers?.['retry-after'] ?? 60) * SECOND;

/** When the last run has ended, or when the node may stop waiting for it, in epoch milliseconds. */
function neededUntil(waiter: Waiter, played: Played, begun: number, trouble: number): number {
	const { lag } = played.history.service;
	const lastRead = credentialGoneAt(waiter, played) - AFTERWARDS;
	const { retryOnFail, operation, shape } = waiter.plan;
	const tries = retryOnFail ? MOST_TRIES : 1;
	// A run's timeout begins when its agent is ready. Building the agent may take just as long.
	const waits = operation === 'extract' ? 2 : 1;
	// Until Maxun works on a run, its timeout begins again whenever another run starts or ends.
	const progress = waiter.runs.flatMap(({ createdAt, finishedAt = 0 }) => [createdAt, finishedAt]);
	const seenAfter = waiter.hasPaused ? LONGEST_PAUSE : AFTERWARDS;
	/** How long attempts that wait again after a timeout may take. They begin after all items of the first attempt. */
	let again = 0;
	const ends = waiter.visits.flatMap(({ wanted, entries }) =>
		wanted.flatMap(({ key, timeoutMinutes }) => {
			const runs = waiter.runsOf(key);
			const longest = timeoutMinutes * MINUTE * tries;
			// If an item never started, its timeout begins with its own node or loop iteration.
			const isLater = shape === 'loop' || shape === 'two nodes';
			const visitBegun = isLater ? (entries.at(-1)?.startTime ?? begun) : begun;
			if (runs.length === 0) {
				again = Math.max(again, longest - timeoutMinutes * MINUTE);
				return [Math.max(begun, visitBegun, ...progress) + timeoutMinutes * MINUTE];
			}
			return runs.map((run) => {
				const worksAt = run.startedAt ?? Math.max(run.createdAt, ...progress);
				const since = Math.max(begunAt(run, waiter), worksAt) + seenAfter;
				const visible = (run.finishedAt ?? Infinity) + lag;
				const isRead = hasEnded(run) && Math.max(visible, trouble) <= lastRead;
				const end = isRead ? visible : Infinity;
				if (end > since + timeoutMinutes * MINUTE)
					again = Math.max(again, longest - timeoutMinutes * MINUTE);
				return Math.min(end, since + longest * waits);
			});
		}),
	);
	// After a lesson, the item may end with the data that it has.
	const lessons = waiter.wanted.flatMap(({ key }) => waiter.readingsOf(key));
	return Math.max(...ends, ...lessons.map(({ finishedAt = 0 }) => finishedAt + lag)) + again;
}

/** When somebody deleted the credential, in epoch milliseconds. The other n8n instance keeps its own. */
function credentialGoneAt({ n8n }: Waiter, { happened }: Played): number {
	const deletion = happened.find((what) => 'deleteCredentials' in what);
	return n8n.name === '' ? (deletion?.time ?? Infinity) : Infinity;
}

/** The event loop can always continue with other work. */
export const theEventLoopYields: Rule = ({ world: { clock } }) =>
	clock.wasBlocked ? ['a turn did not end'] : [];

/** Every rejected promise is handled. */
export const noRejectionIsUnhandled: Rule = ({ world: { unhandled } }) =>
	unhandled.map((reason) => `unhandled: ${reason}`);
