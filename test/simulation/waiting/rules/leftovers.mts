import type { Robot } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import { KEYS } from '../../origins.mts';
import type { ExceptionName } from '../exceptions.mts';
import { creationOf, deletionsOf, hasFailed, type Played, type Waiter } from '../view.mts';
import { whyKeyIsGone } from './data.mts';
import { forEach, type Rule } from './rule.mts';

export const noWebhookStaysBehind: Rule = (played) =>
	[...played.world.maxun.robots.values()].flatMap((robot) =>
		robot.webhooks.flatMap(({ url }) => {
			const id = /webhook-waiting\/(\d+)/.exec(url)?.[1];
			const owner = played.waiters.find(({ stored }) => stored.id === id);
			if (!id || (owner && played.excuses.use(whyNotRemoved(owner, robot)))) return [];
			return [`a webhook of execution ${id} stays on ${robot.id}`];
		}),
	);

function whyNotRemoved(waiter: Waiter, { id }: Robot): ExceptionName | undefined {
	const stopped = whyStopped(waiter);
	if (stopped) return stopped;
	const hasTried = waiter.exchanges.some(
		({ request, fault }) =>
			kindOf(request) === 'webhook' && request.url.pathname.includes(id) && fault !== undefined,
	);
	return hasTried ? 'couldNotDelete' : undefined;
}

/** A robot that the node created for one run is deleted with its execution, unless the deletion failed. */
export const noRobotStaysBehind: Rule = (played) =>
	leftovers(played, played.left).flatMap(({ robot, owner }) => {
		if (played.excuses.use(whyItStays(robot, owner, played))) return [];
		return [`the temporary robot ${robot.id} of ${robot.key} (${owner.name}) stays`];
	});

/** If a robot was left behind, it is deleted when somebody creates another robot after it has expired. */
export const leftoversExpire: Rule = (played) => {
	if (played.nextDay === undefined) return [];
	const robots = [...played.world.maxun.robots.values()];
	return leftovers(played, robots).flatMap(({ robot, owner }) => {
		if (owner.stored.workflowId === `workflow-${played.history.executions.length}`) return [];
		if (played.excuses.use(whyItNeverExpires(robot, owner, played))) return [];
		return [`the robot ${robot.id} of ${robot.key} (${owner.name}) is still there the next day`];
	});
};

/** The robots that exist although they were created for one run. */
const leftovers = (played: Played, robots: Robot[]) =>
	robots.flatMap((robot) => {
		const owner = played.waiters.find(({ sender }) => sender === robot.creator);
		if (!owner || (owner.plan.keepRobot && isResult(robot, played))) return [];
		return [{ robot, owner }];
	});

/** Whether a kept robot had a run. This is why it is kept. */
const isResult = (robot: Robot, { world: { maxun } }: Played) =>
	[...maxun.past.runs.values()].some(({ robotId }) => robotId === robot.id);

function whyItStays(robot: Robot, waiter: Waiter, played: Played): ExceptionName | undefined {
	if (isKept(robot)) return 'keptForLater';
	if (names(waiter, robot)) return 'namedToUser';
	const stopped = whyStopped(waiter) ?? whyKeyIsGone(waiter, played);
	if (stopped) return stopped;
	const deletions = deletionsOf(robot, waiter);
	const isMember = deletions.some(
		({ response, request }) =>
			response?.status === 403 && request.headers['x-api-key'] === KEYS.own,
	);
	if (isMember) return MEMBER_HINT.test(waiter.text) ? 'memberCannotDelete' : undefined;
	const isSaid = /Temporary robots remain in Maxun/.test(waiter.text);
	if (isSaid || deletions.some(hasFailed)) return 'couldNotDelete';
	return creationOf(robot, waiter)?.fault === undefined ? undefined : 'robotUnknown';
}

/** Whether a robot is kept for the node's next executions, or was replaced by a kept robot, and expires later. */
function isKept({ name }: Robot, since = 0): boolean {
	const [, until = ''] = /^n8n (?:rows|retired) until (\S+)/.exec(name) ?? [];
	return Date.parse(until) > since;
}

const MEMBER_HINT = /robot[^"]*(delet|remain|left)|(delet|remain|left)[^"]*robot/i;

function whyItNeverExpires(
	robot: Robot,
	waiter: Waiter,
	played: Played,
): ExceptionName | undefined {
	if (isKept(robot, played.nextDay)) return 'keptForLater';
	const { roles } = played.world.maxun;
	if ([...roles.values()].some((role) => role !== 'admin')) return 'memberCannotDelete';
	if (names(waiter, robot)) return 'namedToUser';
	// The response to its creation may be lost.
	if (waiter.plan.keepRobot) return 'robotKept';
	const isCopy = / \(e\d+i\d+p\d+\)$/.test(robot.name);
	if (played.history.server === 'selfHosted' && isCopy) return 'unnamedCopy';
	return undefined;
}

/** Why an execution could not clean up. */
function whyStopped(waiter: Waiter): ExceptionName | undefined {
	if (waiter.wasKilled) return 'processKilled';
	if (waiter.stored.wasNotStored) return 'endNotStored';
	if (waiter.wasCanceledWhilePaused) return 'canceledWhilePaused';
	const hasTried = waiter.exchanges.some(
		(exchange) => kindOf(exchange.request) !== 'list' && hasFailed(exchange),
	);
	return waiter.wasCanceled && hasTried ? 'canceled' : undefined;
}

/** If the output says that a robot is deleted, and not that it remains, the robot doesn't exist anymore. */
export const robotsAreDeletedAsReported: Rule = forEach((waiter, { world: { maxun } }) =>
	waiter.visits.flatMap((visit) =>
		visit.wanted.flatMap(({ key, item }) => {
			const results = JSON.stringify(visit.resultsOf(item));
			const isReported = results.includes('temporary robot is deleted');
			if (!isReported || /remains? in Maxun/.test(waiter.text)) return [];
			return waiter
				.runsOf(key)
				.flatMap(({ robotId }) => maxun.robots.get(robotId) ?? [])
				.map(({ id }) => `the output says that ${id} of ${key} was deleted, but it exists`);
		}),
	),
);

/** The part that the names of an execution's robots share. */
const tagOf = (name: string) => /\S*-$/.exec(name.replace(/[^-]*$/, ''))?.[0];

/** Whether the output says that something of a robot remains. */
const names = ({ text }: Waiter, { id, name }: Robot) =>
	([id, name].some((term) => new RegExp(`"[^"]*\\b${escaped(term)}\\b[^"]*"`).test(text)) ||
		text.includes(`names contain ${tagOf(name)} `)) &&
	/remain|may |left|could not/i.test(text);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
