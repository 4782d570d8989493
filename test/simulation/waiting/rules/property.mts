import type { Run } from '../../maxun/service.mts';
import { KEYS, ORIGINS, SENDER } from '../../origins.mts';
import { kindOf } from '../../mishaps.mts';
import type { Request } from '../../network.mts';
import { lineOf, type Played } from '../view.mts';
import { isStartOf } from './data.mts';
import type { Rule } from './rule.mts';

/**
 * Nobody deletes, cancels or changes what belongs to people, to other API clients, or to an execution that hasn't
 * ended.
 */
export const nobodyTouchesWhatBelongsToOthers: Rule = (played) =>
	played.world.network.exchanges.flatMap(({ request, sent }) => {
		const target = targetOf(request, played);
		const sender = request.headers[SENDER];
		if (!target || target.owners.includes(sender)) return [];
		const [owner] = target.owners;
		const execution = played.waiters.find((waiter) => waiter.sender === owner);
		if (execution && execution.endedAt <= sent) return [];
		if (target.run && isLikeOwn(target.run, sender, played)) return [];
		if (isSpare(target.id, sender, sent, played)) return [];
		const whose = owner === undefined ? 'a person' : `${owner}, which hasn't ended`;
		return [`execution ${sender} sends ${lineOf(request)}, but ${target.id} belongs to ${whose}`];
	});

/** Whether somebody started a self-hosted robot's run just when an execution's own start was rejected. */
function isLikeOwn({ robotId, createdAt }: Run, sender: string | undefined, played: Played) {
	const { world, history, excuses } = played;
	const wasRefused = world.network.exchanges.some(
		({ request, response, sent, ended = Infinity }) =>
			request.headers[SENDER] === sender &&
			isStartOf(robotId, request) &&
			response?.status === 500 &&
			sent - SECOND <= createdAt &&
			createdAt <= ended + 3 * SECOND,
	);
	return history.server === 'selfHosted' && wasRefused && excuses.use('anotherStartAtOnce');
}

/** Whether a robot that was kept for later executions, and isn't busy, makes room. A role looks like a full plan. */
function isSpare(id: string, sender: string | undefined, time: number, played: Played) {
	const { world, excuses } = played;
	const { maxun, network } = world;
	const wasRefused = network.exchanges.some(
		({ request, response, ended = Infinity }) =>
			request.headers[SENDER] === sender &&
			kindOf(request) === 'create' &&
			response?.status === 403 &&
			ended <= time,
	);
	const robot = maxun.past.robots.get(id);
	const runs = [...maxun.past.runs.values()].filter(({ robotId }) => robotId === id);
	return (
		wasRefused &&
		/^n8n rows /.test(robot?.name ?? '') &&
		runs.every(({ finishedAt = Infinity }) => finishedAt <= time) &&
		excuses.use('planIsFull')
	);
}

const SECOND = 1000;

/** The robot or run that a request deletes, cancels or changes, and who created or started it. */
function targetOf(request: Request, { world: { maxun } }: Played) {
	const { method, url, body } = request;
	if (/\/(webhooks|schedule|duplicate)\b/.test(url.pathname)) return undefined;
	const isCancellation = /\/(cancel|abort)$/.test(url.pathname);
	if (!isCancellation && !['DELETE', 'PATCH', 'PUT'].includes(method)) return undefined;
	// A request that only stores webhooks doesn't change the robot.
	if (method === 'PUT' && JSON.stringify(body ?? '').startsWith('{"webhooks"')) return undefined;
	const isRepair = method === 'PUT' && JSON.stringify(body ?? '').startsWith('{"workflow"');
	const ids = url.pathname.split('/').reverse();
	const run = ids.map((id) => maxun.past.runs.get(id)).find(Boolean);
	if (run) {
		const robot = maxun.past.robots.get(run.robotId);
		return { id: run.id, run, owners: [run.starter, robot?.creator].filter(isDefined) };
	}
	const robot = ids.map((id) => maxun.past.robots.get(id)).find(Boolean);
	if (isRepair && robot?.creator === undefined) return undefined;
	return robot && { id: robot.id, run: undefined, owners: [robot.creator].filter(isDefined) };
}

const isDefined = (value: string | undefined) => value !== undefined;

/** The API key is sent only to Maxun. */
export const theKeyStaysSecret: Rule = ({ world, all, waiters, happened, excuses }) => {
	const contains = (text: string, key: string) => text.includes(key.slice(0, 14));
	const isReplaced = happened.some((what) => 'replaceKey' in what);
	const shown = (text: string) =>
		contains(text, KEYS.own) ||
		(contains(text, KEYS.other) && !(isReplaced && excuses.use('newKeyShown')));
	const requests = world.network.exchanges.filter(
		({ request: { url, body, headers } }) =>
			shown(url.href) ||
			shown(JSON.stringify(body ?? '')) ||
			(![ORIGINS.cloud, ORIGINS.selfHosted].includes(url.origin) && shown(JSON.stringify(headers))),
	);
	const robots = [...world.maxun.past.robots.values()].filter(({ name }) => shown(name));
	return [
		...requests.map(({ request }) => `${lineOf(request)} contains it`),
		...robots.map(({ id }) => `the name of ${id} contains it`),
		...all
			.filter(({ data }) => shown(data))
			.map(({ id }) => `the data of execution ${id} contains it`),
		...waiters
			.filter(({ text }) => shown(text))
			.map(({ name }) => `the output of ${name} contains it`),
	];
};
