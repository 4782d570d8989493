import type { INodeExecutionData } from 'n8n-workflow';
import { isBlind } from '../../maxun/page.mts';
import type { Run } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import type { Exchange } from '../../network.mts';
import type { ExceptionName } from '../exceptions.mts';
import {
	hasFailed,
	isErrorItem,
	succeeded,
	type Played,
	type Visit,
	type Waiter,
	type Wanted,
} from '../view.mts';
import { onPageFailure } from '../setup.mts';
import { forEach, type Rule } from './rule.mts';

const SECOND = 1000;

/**
 * An item whose run was completed within the timeout has its data. A fault isn't an excuse, unless all attempts to
 * read the run failed until the timeout.
 */
export const runsThatSucceedGiveTheirData: Rule = forEach((waiter, played) => {
	if (!waiter.hasEnded) return [];
	const fates = waiter.visits.flatMap((visit) =>
		visit.wanted.map((wanted) => fateOf(wanted, visit, waiter, played)),
	);
	// A page that fails isn't an excuse, unless the node stops at the first failure.
	const canStop = !waiter.isTemporary || onPageFailure(waiter.plan) === 'error';
	const mayHaveFailed = fates.filter(
		(fate) => canStop && !fate.hasData && (!fate.run || fate.exception),
	);
	return fates
		.filter(({ run, hasData }) => run !== undefined && !hasData)
		.filter(({ exception }) => {
			const { excuses } = played;
			if (excuses.use(exception)) return false;
			const hasStopped = waiter.stored.status === 'error' && mayHaveFailed.length > 0;
			return !(hasStopped && excuses.use('anotherItemFailed'));
		})
		.map(({ wanted: { key } }) => `${key} has no data: ${whyFailed(waiter)}`);
});

/** A wanted run's outcome: its run if it was completed within the timeout, and why it has no data although it was. */
function fateOf(wanted: Wanted, visit: Visit, waiter: Waiter, played: Played) {
	const run = waiter
		.runsOf(wanted.key)
		.filter((found) => !isBlind(found, waiter.robotOf(found)))
		.find((found) => isInTime(found, wanted, waiter, played));
	const results = visit.resultsOf(wanted.item);
	// A node that failed also has no results.
	const hasResults = visit.entries.length > 0 && !visit.entries.some(({ error }) => error);
	const isEmpty = run?.plan.rows === 0 && hasResults && !results.some(isErrorItem);
	const hasData = isEmpty || results.some((result) => isDataOf(result, wanted));
	return {
		wanted,
		run,
		hasData,
		exception: run && !hasData ? whyExcused(run, wanted, waiter, played) : undefined,
	};
}

function isDataOf(result: INodeExecutionData, { key, isPage }: Wanted): boolean {
	if (isErrorItem(result) || result.json.timedOut === true) return false;
	return !isPage || JSON.stringify(result.json).includes(key);
}

function isInTime(run: Run, wanted: Wanted, waiter: Waiter, played: Played): boolean {
	const { lag } = played.history.service;
	const { finishedAt = Infinity } = run;
	return succeeded(run) && finishedAt + lag < deadlineOf(run, wanted, waiter, played);
}

/** A time at which the timeout has certainly not passed yet, in epoch milliseconds. */
function deadlineOf(
	run: Run,
	{ timeoutMinutes }: Wanted,
	waiter: Waiter,
	{ clockError }: Played,
): number {
	return begunAt(run, waiter) + timeoutMinutes * 60 * SECOND - MARGIN - clockError;
}

/**
 * The earliest time at which the timeout may begin: the first request to create the robot or start the run, even if it
 * was rejected.
 */
export function begunAt(run: Run, waiter: Waiter): number {
	const robot = waiter.robotOf(run);
	const isOwn = robot.creator === waiter.sender;
	const refused = waiter.exchanges.find((exchange) => {
		const { request } = exchange;
		// Before it creates a robot, the node lists the expired robots.
		const creates = kindOf(request) === 'create' || request.url.pathname.endsWith('/robots');
		if (isOwn && creates) return hasFailed(exchange);
		return isStartOf(run.robotId, request);
	});
	return Math.min(refused?.sent ?? Infinity, isOwn ? robot.createdAt : run.createdAt);
}

/** The time for requests and for the delay before a start. */
const MARGIN = 20 * SECOND;

function whyExcused(
	run: Run,
	wanted: Wanted,
	waiter: Waiter,
	played: Played,
): ExceptionName | undefined {
	if (waiter.wasKilled) return 'processKilled';
	if (waiter.wasCanceled) return 'canceled';
	if (waiter.stored.wasNotStored) return 'endNotStored';
	if (haveSettingsChanged(waiter, played)) return 'settingsChanged';
	// A first run only finds selectors.
	const isGone = waiter
		.runsOf(wanted.key)
		.some(({ robotId }) => wasDeletedByPeople(robotId, waiter, played));
	if (isGone) return 'deletedByPeople';
	const start = startOf(run, waiter);
	// A server may respond after the client has given up.
	const hasAnswer = start?.fault === undefined && start?.isAnswered === true;
	const isUnanswered = !hasAnswer || areInputsHidden(run, waiter);
	if (start && wasStartedByOthers(run, start, played)) return 'anotherStartAtOnce';
	if (start && isUnanswered && !couldBeFound(run, start, waiter, played)) return 'startUnknown';
	if (hasFailedUntil(deadlineOf(run, wanted, waiter, played), run, waiter, played)) {
		return 'failedUntilTheDeadline';
	}
	return wanted.isPage && hangs(run, waiter) ? 'pageHangs' : undefined;
}

/** Whether the page has its own limit, because two of at least three other pages needed a tenth of the time or less. */
function hangs(run: Run, waiter: Waiter): boolean {
	const took = ({ createdAt, startedAt = createdAt, finishedAt = Infinity }: Run) =>
		finishedAt - startedAt;
	const quick = waiter.runs.filter((other) => succeeded(other) && took(other) <= took(run) / 10);
	return took(run) > 120 * SECOND - MARGIN && quick.length >= 2;
}

/** Whether others started a self-hosted server's robot while the node was looking for its own run. */
const wasStartedByOthers = (run: Run, { sent }: Exchange, { history, world }: Played): boolean =>
	history.server === 'selfHosted' &&
	[...world.maxun.past.runs.values()].some(
		({ robotId, starter, createdAt }) =>
			robotId === run.robotId &&
			starter !== run.starter &&
			createdAt >= sent - SECOND &&
			createdAt <= sent + LOOKING,
	);

/** How long the node looks for a start's run, in milliseconds. */
const LOOKING = 90 * SECOND;

const haveSettingsChanged = (waiter: Waiter, { happened }: Played) =>
	happened.some(
		(what) =>
			what.time <= waiter.endedAt &&
			['replaceKey', 'changeRole', 'breakParameters', 'deleteCredentials'].some(
				(kind) => kind in what,
			),
	);

/** Whether a robot was deleted, and not by the execution's own requests. */
export function wasDeletedByPeople(robotId: string, { exchanges }: Waiter, { world }: Played) {
	const isOwn = exchanges.some(
		({ request: { method, url }, response }) =>
			method === 'DELETE' && url.pathname.endsWith(`/${robotId}`) && (response?.status ?? 0) < 400,
	);
	return !world.maxun.robots.has(robotId) && !isOwn;
}

/** The request that started a run. */
export function startOf({ id, robotId }: Run, { exchanges }: Waiter): Exchange | undefined {
	const starts = exchanges.filter(({ request }) => isStartOf(robotId, request));
	return (
		starts.find(({ response }) => JSON.stringify(response?.body)?.includes(`"${id}"`)) ??
		// A self-hosted server doesn't say anything about a run that fails.
		starts.find(({ response }) => response === undefined)
	);
}

export const isStartOf = (robotId: string, request: Exchange['request']) =>
	kindOf(request) === 'start' && request.url.pathname.includes(`/${robotId}/`);

/**
 * Whether a run can be found although the response to its start is lost. It is the only run of a robot that the
 * execution created, and the robot's runs could be read within 10 seconds.
 */
function couldBeFound(run: Run, start: Exchange, waiter: Waiter, { history }: Played): boolean {
	if (waiter.robotOf(run).creator !== waiter.sender) return false;
	// An odd entry next to the run could also be it.
	if (history.service.lag > 300 || history.service.odd !== undefined) return false;
	const { ended = Infinity } = start;
	const looks = waiter.exchanges.filter(
		({ request, sent }) =>
			request.method === 'GET' &&
			request.url.pathname.includes(`/${run.robotId}/runs`) &&
			sent >= start.sent &&
			sent <= ended + 15 * SECOND,
	);
	return !looks.some(hasFailed);
}

/**
 * Whether a run's inputs could not be read. Only a self-hosted server's own record contains them, and all attempts to
 * read it failed.
 */
function areInputsHidden({ id, robotId }: Run, { exchanges }: Waiter): boolean {
	const path = `/sdk/robots/${robotId}/runs/${id}`;
	const reads = exchanges.filter(({ request }) => request.url.pathname.endsWith(path));
	return reads.length > 0 && reads.every(hasFailed);
}

/**
 * Whether no attempt to read a run succeeded from its end to the timeout, and the node tried until then. Its last poll
 * is at the timeout, or at most one pause earlier.
 */
function hasFailedUntil(deadline: number, run: Run, waiter: Waiter, { history }: Played): boolean {
	const since = (run.finishedAt ?? 0) + history.service.lag;
	// A 429 delays all of the node's requests.
	const looks = waiter.exchanges.filter(
		({ request, fault, response }) =>
			fault === 429 || response?.status === 429 || isLookAt(request, run),
	);
	const late = looks.filter((look) => heldUntil(look) >= since);
	const hasRead = late.some(
		(look) =>
			look.request.url.pathname.endsWith(`/${run.id}`) && look.sent < deadline && !hasFailed(look),
	);
	const last = waiter.exchanges.at(-1)?.sent ?? 0;
	return late.some(hasFailed) && !hasRead && last >= deadline - LAST_LOOK;
}

/** When a request has ended, and the node may send others. */
const heldUntil = ({ ended = Infinity, response }: Exchange): number =>
	ended + Number(response?.headers?.['retry-after'] ?? 0) * SECOND;

/** The shortest pause, and the time for requests. */
const LAST_LOOK = 75 * SECOND;

const isLookAt = ({ method, url }: Exchange['request'], { id, robotId }: Run) =>
	method === 'GET' &&
	['/runs/active', `/${robotId}/runs`, `/${id}`].some((path) => url.pathname.endsWith(path));

const whyFailed = (waiter: Waiter) => {
	const errors = waiter.visits.flatMap(({ output }) => output.flat()).filter(isErrorItem);
	const { error } = waiter.data.resultData;
	return error?.message ?? (errors[0] ? JSON.stringify(errors[0].json).slice(0, 300) : 'no result');
};

/** Why the credential is missing or belongs to another account, so that nothing can be deleted. */
export function whyKeyIsGone(waiter: Waiter, { happened }: Played): ExceptionName | undefined {
	const isGone = happened.some(
		(what) => ('deleteCredentials' in what || 'replaceKey' in what) && what.time <= waiter.endedAt,
	);
	return isGone && waiter.n8n.name === '' ? 'keyReplaced' : undefined;
}
