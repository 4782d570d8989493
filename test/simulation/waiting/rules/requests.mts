import type { Exchange } from '../../network.mts';
import { MOST_REQUESTS } from '../history.mts';
import { lineOf, type Waiter } from '../view.mts';
import { forEach, type Rule } from './rule.mts';

/** An execution never sends more simultaneous requests than its limit, and none after its end. */
export const requestsStayWithinLimits: Rule = forEach((waiter) => {
	const most = mostAtATime(waiter.exchanges);
	const isOver = waiter.hasEnded && !waiter.wasStopped;
	const late = waiter.exchanges.find(
		({ sent }) => isOver && sent > waiter.endedAt + CLEANED_UP_WITHIN,
	);
	return [
		...(most > LIMIT ? [`${most} requests at a time`] : []),
		...(late ? [`after its end, it sends ${lineOf(late.request)}`] : []),
	];
});

/** How long cleanup may take after an execution's end, in milliseconds. */
const CLEANED_UP_WITHIN = 1_000;

/** The default of Max Concurrent Requests. */
const LIMIT = 10;

/** A self-hosted server may answer a start only when its run ends, so the node doesn't wait for this. */
const isStart = ({ request }: Exchange) => /^POST \/api\/robots\//.test(lineOf(request));

function mostAtATime(exchanges: Exchange[]): number {
	const awaited = exchanges.filter((exchange) => !isStart(exchange));
	const changes = awaited.flatMap(({ sent, ended = Infinity }) => [
		{ at: sent, by: 1 },
		{ at: ended, by: -1 },
	]);
	changes.sort((a, b) => a.at - b.at || a.by - b.by);
	let active = 0;
	return Math.max(0, ...changes.map(({ by }) => (active += by)));
}

/** If Maxun has rejected a request because there were too many, no other request follows before `Retry-After`. */
export const rateLimitsAreRespected: Rule = forEach((waiter, { excuses, clockError }) => {
	const waits = waiter.exchanges.flatMap((exchange) => {
		const seconds = retryAfterOf(exchange);
		const { ended } = exchange;
		return seconds === undefined || ended === undefined ? [] : [{ since: ended, seconds }];
	});
	return waits.flatMap(({ since, seconds }) => {
		const early = waiter.exchanges.find(
			({ sent }) => sent > since + TOLERANCE && sent < since + seconds * 1000 - TOLERANCE,
		);
		if (!early) return [];
		if (hasPaused(waiter, since, early.sent) && excuses.use('otherLife')) return [];
		if (isNextTry(waiter, since, early) && excuses.use('nextTry')) return [];
		if (isNextNode(waiter, since - clockError, early.sent + clockError) && excuses.use('nextNode'))
			return [];
		const after = ((early.sent - since) / 1000).toFixed(1);
		return [`it sends ${lineOf(early.request)} ${after} s after it should wait ${seconds} s`];
	});
});

/** How long requests that were already being sent may follow, in milliseconds. */
const TOLERANCE = 100;

/** How many seconds a client should wait after this response, if the client got it. */
function retryAfterOf({ fault, response }: Exchange): number | undefined {
	if (fault === 429) return 20;
	if (fault !== undefined || response?.status !== 429) return undefined;
	return Number(response.headers?.['retry-after']);
}

/** n8n waits a second between attempts. Nothing else is sent in the meantime. */
const isNextTry = ({ plan, exchanges }: Waiter, since: number, early: Exchange) =>
	plan.retryOnFail &&
	exchanges.every(({ sent }) => sent <= since + TOLERANCE || sent >= early.sent) &&
	early.sent - since >= 1000;

/** In a loop, or with two nodes, n8n runs a Maxun node again. */
const isNextNode = ({ visits }: Waiter, from: number, to: number) =>
	visits
		.flatMap(({ entries }) => entries)
		.some(({ startTime }) => startTime >= from && startTime <= to);

const hasPaused = ({ stored }: Waiter, from: number, to: number) =>
	stored.trail.some(({ status, at }) => status === 'waiting' && at >= from && at <= to);

/** A history of a few hours needs a few hundred requests. */
export const requestsEnd: Rule = ({ world: { network } }) =>
	network.exchanges.length > MOST_REQUESTS ? [`there are ${MOST_REQUESTS} requests and more`] : [];
