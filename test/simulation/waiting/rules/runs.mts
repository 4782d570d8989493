import type { Run } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import type { Exchange } from '../../network.mts';
import { SENDER } from '../../n8n/credentials.mts';
import type { Waiter } from '../view.mts';
import { forEach, type Rule } from './rule.mts';

/** At most one run is started for an item. Only after it didn't succeed, Retry On Fail may start another one. */
export const noRunStartsTwice: Rule = forEach((waiter) =>
	waiter.keys.flatMap((key) => {
		const runs = waiter.runsOf(key);
		const again = runs.slice(1).filter((run, index) => !mayFollow(run, runs[index], waiter));
		return again.length > 0 ? [`${key} was started ${runs.length} times`] : [];
	}),
);

function mayFollow(run: Run, before: Run | undefined, waiter: Waiter): boolean {
	if (!waiter.plan.retryOnFail || !before?.finishedAt) return false;
	const hasFailed = before.status !== 'success' || succeededTooLate(before, waiter);
	return hasFailed && before.finishedAt <= run.createdAt;
}

/** Whether the node could not know in time that a run had succeeded. */
function succeededTooLate(run: Run, waiter: Waiter): boolean {
	const { id, robotId, key, finishedAt = 0 } = run;
	const { exchanges } = waiter;
	// The node stops waiting when it cancels the run, or deletes its robot.
	const end = exchanges.findIndex(
		({ request: { method, url } }) =>
			(method === 'DELETE' && url.pathname.endsWith(`/${robotId}`)) ||
			url.pathname.endsWith(`/${id}/cancel`),
	);
	const before = exchanges.slice(0, end === -1 ? undefined : end);
	const deadline = begunAt(run, waiter) + waiter.waitForOf(key) * 60_000;
	const givenUp = exchanges[end]?.sent ?? Infinity;
	if (finishedAt > Math.min(givenUp, deadline)) return true;
	const look = before.filter((exchange) => isLookAt(exchange, run)).at(-1);
	if (!look || (look.ended ?? Infinity) < finishedAt) return false;
	return hasFailed(look) || (look.ended === givenUp && !showsEnd(look, run));
}

/** Whether a look shows that a run has ended: the list of active runs lacks it, or its status says so. */
function showsEnd({ request: { url }, response }: Exchange, { id }: Run): boolean {
	const text = JSON.stringify(response?.body);
	const isActiveList = url.pathname.endsWith('/runs/active');
	return isActiveList ? !text.includes(`"${id}"`) : text.includes('"success"');
}

/** When the node began with an item: a temporary robot is created first. */
function begunAt({ id, robotId, createdAt }: Run, { exchanges, isTemporary }: Waiter): number {
	const [kind, wanted] = isTemporary ? ['create', robotId] : ['start', id];
	const first = exchanges.find(
		({ request, response }) =>
			kindOf(request) === kind && JSON.stringify(response?.body)?.includes(`"${wanted}"`),
	);
	return first?.sent ?? createdAt;
}

const isLookAt = ({ request: { method, url } }: Exchange, { id, robotId }: Run) =>
	method === 'GET' &&
	['/runs/active', `/${robotId}/runs`, `/${id}`].some((path) => url.pathname.endsWith(path));

const hasFailed = ({ fault, response }: Exchange) =>
	fault !== undefined || response === undefined || response.status >= 300;

/** A start whose answer was lost is investigated until the run is found, or the output says that it may continue. */
export const lostAnswersAreInvestigated: Rule = forEach((waiter, { world: { maxun } }) => {
	if (waiter.wasKilled || waiter.wasCancelled) return [];
	return waiter.exchanges.filter(isLostStart).flatMap(({ response }) => {
		const run = [...maxun.past.runs.values()].find(({ id }) => idIn(response?.body) === id);
		// Deleting the robot also ends and deletes its runs.
		if (!run || !maxun.robots.has(run.robotId)) return [];
		const wasFound = waiter.exchanges.some((exchange) => shows(exchange, run));
		if (wasFound || waiter.text.includes(run.id) || UNCERTAIN.test(waiter.text)) return [];
		return [`the start of ${run.key} got no answer, and nothing says that it may run`];
	});
});

const UNCERTAIN = /\b(may|might|could)\b[^"]*\b(run|running|started|continue|be going on)\b/i;

/** Whether the node found a run in this response: in the list of its robot, or by its ID. */
const shows = ({ request: { method, url }, response, fault }: Exchange, { id, robotId }: Run) =>
	method === 'GET' &&
	fault === undefined &&
	[`/${robotId}/runs`, `/${id}`].some((path) => url.pathname.endsWith(path)) &&
	JSON.stringify(response?.body).includes(`"${id}"`);

const isLostStart = ({ request, response, fault }: Exchange) =>
	kindOf(request) === 'start' &&
	response !== undefined &&
	response.status < 300 &&
	fault !== undefined;

function idIn(body: unknown): unknown {
	if (typeof body !== 'object' || body === null) return undefined;
	const { id, run }: { id?: unknown; run?: unknown } = body;
	return id ?? (typeof run === 'object' && run !== null ? Reflect.get(run, 'runId') : undefined);
}

/** After a cancellation, nothing is started or created anymore. */
export const onlyCleanUpFollowsACancellation: Rule = forEach((waiter) => {
	const cancelled = waiter.stored.trail.find(({ status }) => status === 'canceled');
	if (!cancelled || waiter.outlivesCancellation) return [];
	const late = waiter.exchanges.filter(
		({ request, sent }) => sent > cancelled.at && ['start', 'create'].includes(kindOf(request)),
	);
	const still = waiter.exchanges.filter(({ sent }) => sent > cancelled.at + CLEANED_UP_AFTER);
	return [
		...late
			.slice(0, 1)
			.map(
				({ request }) =>
					`${late.length} requests such as ${lineOf(request)} follow the cancellation`,
			),
		...still
			.slice(0, 1)
			.map(({ request }) => `long after the cancellation it sends ${lineOf(request)}`),
	];
});

/** The longest clean-up, in milliseconds. */
const CLEANED_UP_AFTER = 12 * 60_000;

const lineOf = ({ method, url }: Exchange['request']) => `${method} ${url.pathname}`;

/** An execution never sends more requests at a time than its limit, nor do its deliveries, and none after its end. */
export const requestsStayWithinLimits: Rule = forEach((waiter) => {
	const own = waiter.exchanges.filter(({ request }) => !request.url.pathname.includes('waiting'));
	const isOfNode = ({ request }: Exchange) => request.headers[SENDER] === waiter.stored.id;
	const most = mostAtATime(own.filter(isOfNode));
	const ofDeliveries = mostAtATime(own.filter((exchange) => !isOfNode(exchange)));
	const isOver = waiter.hasEnded && !waiter.wasCancelled && !waiter.wasKilled;
	const late = own.filter((exchange) => {
		const after = isOfNode(exchange) ? CLEANED_UP_WITHIN : CHECKED_WITHIN;
		return isOver && exchange.sent > waiter.endedAt + after;
	});
	return [
		...(most > LIMIT ? [`${most} requests at a time`] : []),
		...(ofDeliveries > DELIVERIES ? [`${ofDeliveries} requests of deliveries at a time`] : []),
		...late.slice(0, 1).map(({ request }) => `after its end, it sends ${lineOf(request)}`),
	];
});

/** How long clean-up may take after the end of an execution, in milliseconds. */
const CLEANED_UP_WITHIN = 1_000;

/**
 * How long the check of a delivery may take that arrived before the end, in milliseconds. A check can take almost as
 * long as Maxun waits for the response, and can begin after another one.
 */
const CHECKED_WITHIN = 60_000;

/** Default of Max Concurrent Requests. */
const LIMIT = 10;

/** Deliveries send one request at a time. Those of a process that was killed seem to wait forever. */
const DELIVERIES = 3;

function mostAtATime(exchanges: Exchange[]): number {
	const changes = exchanges.flatMap(({ sent, ended = Infinity }) => [
		{ at: sent, by: 1 },
		{ at: ended, by: -1 },
	]);
	changes.sort((a, b) => a.at - b.at || a.by - b.by);
	let active = 0;
	return Math.max(0, ...changes.map(({ by }) => (active += by)));
}
