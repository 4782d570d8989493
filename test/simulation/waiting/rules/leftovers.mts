import type { Robot } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import type { Played, Waiter } from '../view.mts';
import { forEach, type Rule } from './rule.mts';

/** No webhook of an execution stays on a robot, unless the output names the robot or a part of the URL. */
export const noWebhookStaysBehind: Rule = (played) =>
	[...played.world.maxun.robots.values()].flatMap((robot) =>
		robot.webhooks.flatMap(({ url }) => {
			const id = /webhook-waiting\/(\d+)/.exec(url)?.[1];
			const owner = played.waiters.find(({ stored }) => stored.id === id);
			if (!id) return [];
			const isNamed = owner && (names(owner, robot) || owner.text.includes(new URL(url).pathname));
			if (isNamed || (owner && (couldNotCleanUp(owner) || seemsGone(owner, robot)))) return [];
			return [`a webhook of execution ${id} stays on ${robot.id}`];
		}),
	);

/** No robot that a node created for one run stays, unless it should or the output names it. */
export const noRobotStaysBehind: Rule = (played) =>
	[...played.world.maxun.robots.values()].flatMap((robot) => {
		if (!robot.name.startsWith('n8n ')) return [];
		const owner = played.waiters.find(({ keys }) => keys.includes(robot.key));
		if (!owner || couldNotCleanUp(owner) || names(owner, robot) || seemsGone(owner, robot))
			return [];
		if (owner.plan.keepRobot && isResult(owner, robot, played)) return [];
		return [`the temporary robot ${robot.id} of ${robot.key} (${owner.name}) stays`];
	});

/** A robot no longer exists if the output says that it was deleted. */
export const robotsAreDeletedAsReported: Rule = forEach((waiter, { world: { maxun } }) =>
	waiter.keys.flatMap((key, item) => {
		if (!JSON.stringify(waiter.resultsOf(item)).includes('temporary robot was deleted')) return [];
		return waiter
			.runsOf(key)
			.flatMap(({ robotId }) => maxun.robots.get(robotId) ?? [])
			.filter((robot) => !seemsGone(waiter, robot))
			.map(({ id }) => `the output says that ${id} of ${key} was deleted, but it exists`);
	}),
);

/** Whether a kept robot had a run, which is why it is kept. */
const isResult = (_owner: Waiter, robot: Robot, { world: { maxun } }: Played) =>
	[...maxun.past.runs.values()].some(({ robotId }) => robotId === robot.id);

/** The part of a robot's name that all robots of its execution have. */
const tagOf = (name: string) => /\S*-$/.exec(name.replace(/[^-]*$/, ''))?.[0];

/** Whether the output says that something of a robot remains. */
const names = ({ text }: Waiter, { id, name }: Robot) =>
	([id, name].some((term) => new RegExp(`"[^"]*\\b${term}\\b[^"]*"`).test(text)) ||
		text.includes(`names contain ${tagOf(name)} `)) &&
	/remain|may |left|could not/i.test(text);

/** Whether a gateway's 404 says that the robot or its webhook no longer exists. Nobody can tell that it is wrong. */
const seemsGone = ({ exchanges }: Waiter, { id }: Robot) =>
	exchanges.some(
		({ request, fault }) => fault === 404 && `${request.url.pathname}/`.includes(`/${id}/`),
	);

/**
 * Whether clean-up was impossible: n8n doesn't tell a node that its execution was cancelled while paused, and a killed
 * process can't clean up. After a cancellation, nobody reads the output, so a fault during clean-up can't be reported.
 */
function couldNotCleanUp(waiter: Waiter): boolean {
	if (waiter.wasKilled || waiter.wasCancelledWhilePaused) return true;
	return (
		waiter.wasCancelled &&
		waiter.exchanges.some(
			({ request, fault, response }) =>
				kindOf(request) !== 'list' && (fault !== undefined || response?.status === 429),
		)
	);
}
