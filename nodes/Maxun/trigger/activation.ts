import type { IHookFunctions } from 'n8n-workflow';
import { toNodeError } from '../http/nodeError';
import { inTurn } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import type { RobotFault } from '../servers/eachRobot';
import { withRobotIds } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import { demandComparable } from './comparable';
import { selectionOf } from './event';
import { faultsOf, isReceived, Registration } from './registration';
import { isRegisteredByHand, readTriggerSettings, triggerProperties } from './settings';
import { readTriggerNode, startsWithN8n, type TriggerNode } from './triggerNode';
import {
	addressOf,
	isOver,
	laterOf,
	readWatch,
	savedSince,
	sinceIn,
	watchedRobots,
	type SavedWatch,
} from './watch';

/** What a hook uses. */
type Activation = Awaited<ReturnType<typeof prepare>>;

/**
 * Registers the trigger on its robots, and removes it from those that are no longer selected. Can be repeated. If it
 * throws, n8n calls `unsubscribe`.
 */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async (activation) => {
		const { trigger, maxun, registration, place, isManual, saved, robotIds } = activation;
		const obstacle = maxun.unreachable(place.url);
		if (obstacle) throw unreachableUrl(place.url, obstacle);
		const former = knownRobots(saved).filter((robotId) => !robotIds.includes(robotId));
		const left = await unregister(activation, former);
		for (const { fault } of left) if (!isGone(fault)) trigger.warn(fault.text);
		const robots = await registerAll(activation);
		const [robotId] = Object.keys(robots);
		if (!trigger.isTest && !isManual) await checkReached(activation, robotId);
		if (!trigger.isTest) trigger.save({ ...place, robots, former: idsOf(left) });
		if (trigger.isTest || !maxun.webhooks.test) void registration.sendSampleLater(robotId);
		return true;
	});
}

/** Removes the trigger from all robots that it is or was registered on. Can be repeated. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const remove = async (activation: Activation) => {
		const { trigger, robotIds, saved } = activation;
		const left = await unregister(activation, [...robotIds, ...knownRobots(saved)]);
		if (saved) {
			const removedAt = saved.removedAt ?? Date.now();
			trigger.save({ ...saved, former: idsOf(left), removedAt });
		}
		const failed = left.find(({ fault }) => !isGone(fault));
		// n8n can't show errors at the end of a test, and doesn't expect any.
		if (failed && trigger.isTest) trigger.warn(failed.fault.text);
		else if (failed) throw failed.fault;
		return true;
	};
	return await inHook(context, remove, true);
}

/** Runs a hook and turns a fault into n8n's error for the node. @param isEnd whether the hook removes the trigger */
async function inHook<T>(
	context: IHookFunctions,
	run: (activation: Activation) => Promise<T>,
	isEnd = false,
): Promise<T> {
	const trigger = readTriggerNode(context);
	// n8n repeats a hook that takes longer than two minutes. Two at once would register two webhooks.
	return await inTurn(
		`hooks of ${trigger.key}`,
		async () => await run(await prepare(context, trigger, isEnd)),
	).catch((error: unknown) => {
		const nodeError = toNodeError(trigger.node, error, 0, triggerProperties);
		// When a workflow is published, n8n only shows the message of an error.
		if (!trigger.isTest && nodeError.description) {
			nodeError.message += `. ${nodeError.description}`;
		}
		throw nodeError;
	});
}

async function prepare(context: IHookFunctions, trigger: TriggerNode, isEnd: boolean) {
	const given = readTriggerSettings(trigger);
	const url = context.getNodeWebhookUrl('default') ?? '';
	const maxun = await trigger.connect({ teamId: given.teamId });
	const isStart = startsWithN8n(context);
	// Names are looked up when the workflow is published. A robot that is renamed later stays watched.
	const saved = trigger.isTest ? undefined : readWatch(trigger);
	const known = isEnd || isStart ? watchedRobots(saved) : undefined;
	const settings = await recover(withRobotIds(given, maxun, known), {
		// A hook that removes the trigger must not fail because there is no such robot.
		any: async (fault) => {
			if (!isEnd) throw fault;
			trigger.warn(fault.text);
			return await withRobotIds(given, maxun, []);
		},
	});
	const { events, robotIds, needsChanges } = settings;
	if (needsChanges && !isEnd && !isStart) await demandComparable(maxun, robotIds);
	let time: Promise<number> | undefined;
	return {
		trigger,
		maxun,
		registration: new Registration(trigger, maxun, url),
		/** The trigger's URL in n8n, without the start of the watch, and what else the watch belongs to. */
		place: { url, server: maxun.baseUrl, selection: selectionOf(settings) },
		/** Whether the user adds the URL to the robots in the server's dashboard. */
		isManual: isRegisteredByHand(trigger),
		/** The server's time. Self-hosted servers only show it in lists of runs, so it is read once. */
		clock: async () => await (time ??= maxun.runs.clock(robotIds)),
		isStart,
		events,
		robotIds,
		saved,
	};
}

const idsOf = (refusals: RobotFault[]): string[] => refusals.map(({ robotId }) => robotId);

/** The robots that have or may have the trigger's webhook. */
const knownRobots = (saved?: SavedWatch): string[] =>
	saved ? [...Object.keys(saved.robots), ...saved.former] : [];

/** Removes the trigger from robots. @returns those to try again with the next hook */
const unregister = async ({ registration, isManual }: Activation, robotIds: string[]) =>
	isManual ? [] : await registration.remove([...new Set(robotIds)]);

/** A robot, or its webhook, that Maxun doesn't find. It may exist again later. */
const isGone = ({ status, isOwn, missingRoute }: MaxunFault) =>
	(isOwn && status === 404) || missingRoute;

/** Whether only this robot is affected, and nobody can do anything about it in this node's settings or permissions. */
const isOnlyRobot = (fault: MaxunFault) => isGone(fault) || (fault.status ?? 0) >= 500;

/**
 * Since when a robot is watched: from now on, unless it is watched already.
 *
 * @param registered the URL of the trigger's webhook on the robot
 */
async function watch(
	{ saved, place, clock }: Activation,
	robotId: string,
	registered = '',
): Promise<number> {
	// The URL of a trigger that was unpublished, or of another server, may be old.
	const isOutdated = saved !== undefined && (isOver(saved) || saved.server !== place.server);
	const address = isOutdated ? '' : registered;
	return (
		laterOf(savedSince(saved, place)[robotId], sinceIn(address, robotId, place.selection)) ??
		(await clock())
	);
}

/**
 * Registers on all robots. Those that are gone or broken don't affect the others, and when n8n starts, no robot does.
 *
 * @returns since when each robot is watched
 * @throws MaxunFault that lists the robots that refused, and the URL
 */
async function registerAll(activation: Activation): Promise<SavedWatch['robots']> {
	const { registration, events, place, robotIds, isStart, isManual, trigger, saved } = activation;
	const robots: SavedWatch['robots'] = {};
	const refusals = await faultsOf(robotIds, async (robotId) => {
		const addressFor = async (registered?: string) => {
			robots[robotId] = await watch(activation, robotId, registered);
			return addressOf(place, robotId, robots[robotId]);
		};
		if (isManual) await addressFor();
		else await registration.add(robotId, events, addressFor);
	});
	const known = savedSince(saved, place);
	// The webhooks of watched robots are still there when n8n starts, for example while Maxun is down.
	const isKept = ({ robotId }: RobotFault) => isStart && robotId in known;
	const isTolerated = (refusal: RobotFault) => isKept(refusal) || isOnlyRobot(refusal.fault);
	const isNoneLeft = refusals.length === robotIds.length && !refusals.every(isKept);
	if (isNoneLeft || !refusals.every(isTolerated)) throw await refused(activation, refusals);
	for (const { robotId, fault } of refusals) {
		trigger.warn(`robot '${robotId}': ${fault.text}`);
		// Without a webhook, its runs are found as missed runs.
		robots[robotId] ??= await watch(activation, robotId);
	}
	return robots;
}

async function refused({ maxun, place }: Activation, refusals: RobotFault[]): Promise<MaxunFault> {
	const [{ fault }] = refusals;
	const names = await Promise.all(idsOf(refusals).map(async (id) => await nameOf(maxun, id)));
	return new MaxunFault(
		`No webhook could be registered on robot ${names.join(', ')}: ${fault.message}`,
		`${fault.description}. The URL is ${place.url}`,
		fault,
	);
}

/** The name of the robot for messages, or its ID. */
async function nameOf(maxun: MaxunServer, robotId: string): Promise<string> {
	const robot = await maxun.robots.get(robotId).catch(() => undefined); // must not hide why it is needed
	return robot?.name ? `'${robot.name}'` : robotId;
}

/**
 * Makes the server send a sample event, which also finds runs that were missed while the trigger was off.
 *
 * @throws MaxunFault if the server reports that the trigger didn't respond
 */
async function checkReached(
	{ place: { url }, registration, trigger, isStart }: Activation,
	robotId: string,
): Promise<void> {
	const outcome = await registration.requestSample(robotId);
	if (isReceived(outcome)) return;
	const { status, isAccepted, detail = '' } = outcome ?? {};
	if (status === undefined && isAccepted === undefined) {
		trigger.warn(
			`Maxun does not report whether it can reach ${url}. If no event arrives, check this URL. ${detail}`,
		);
		return;
	}
	const answer =
		status === undefined
			? 'did not respond to Maxun'
			: `responded to Maxun with status ${status}, but the response is not from this trigger`;
	const fault = unreachableUrl(url, detail ? `${answer}. ${detail}` : answer);
	if (!isStart) throw fault;
	trigger.warn(fault.text);
}

const unreachableUrl = (url: string, obstacle: string) =>
	new MaxunFault(
		'Maxun cannot reach this n8n instance',
		`${url} ${obstacle}. Give n8n a public URL and set it as N8N_WEBHOOK_URL (WEBHOOK_URL in older n8n versions), or use the Maxun Polling Trigger instead`,
	);
