import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';
import { toNodeError } from '../engine/errors';
import { CONCURRENCY, inTurn, mapConcurrently } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import { demandComparable } from './comparable';
import type { RunEvent } from './event';
import { watchedRobots, withRobotIds } from './robotNames';
import { nameOf, Registration, type Refusal } from './registration';
import { requestSample, SAMPLE, SAMPLE_STATUS, sendSample, type SampleSender } from './sampleEvent';
import { isRegisteredByHand, readTriggerSettings, triggerProperties } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import {
	addressOf,
	filterOf,
	isOver,
	laterOf,
	readWatch,
	savedSince,
	saveWatch,
	sinceInAddress,
	type SavedWatch,
	type Since,
} from './watch';

/** What a hook uses. */
interface Activation {
	trigger: TriggerNode;
	maxun: MaxunServer;
	registration: Registration;
	/** The trigger's URL in n8n, without the start of the watch. */
	url: string;
	/** Whether the user adds the URL to the robots in the server's dashboard. */
	isManual: boolean;
	/** Whether n8n starts, and doesn't publish the workflow. */
	isStart: boolean;
	events: RunEvent[];
	filter: string;
	robotIds: string[];
	saved?: SavedWatch;
	sample: SampleSender;
}

/** Milliseconds after which the editor is ready for an event. */
const EDITOR_READY = 1000;

/** Registers the trigger on its robots, and removes it from those that are no longer selected. Can be repeated. */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async (activation) => {
		const { trigger, maxun, url, isManual } = activation;
		const obstacle = maxun.unreachable(url);
		if (obstacle) throw unreachableUrl(url, obstacle);
		const former = await removeFormer(activation);
		const { robots, added, isNew } = isManual
			? await watchOnly(activation)
			: await registerAll(activation);
		if (trigger.isTest) {
			sendSampleLater(activation);
			return true;
		}
		if (!isManual) {
			const [robotId = activation.sample.robotId] = Object.keys(robots);
			Object.assign(activation.sample, { robotId });
			await checkReached(activation, isNew).catch(async (error: unknown) => {
				await activation.registration.remove(added);
				throw error;
			});
		}
		const { server, filter } = identityOf(activation);
		saveWatch(trigger, { url, server, filter, robots, former });
		if (!maxun.webhooks.test) sendSampleLater(activation);
		return true;
	});
}

/** Removes the trigger from all robots that it is or was registered on. Can be repeated. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(
		context,
		async (activation) => {
			const { trigger, registration, robotIds, saved, isManual } = activation;
			const known = [...Object.keys(saved?.robots ?? {}), ...(saved?.former ?? [])];
			const registered = isManual ? [] : [...new Set([...robotIds, ...known])];
			const refusals = await registration.remove(registered);
			const left = refusals.map(({ robotId }) => robotId);
			if (saved && !trigger.isTest) {
				const removedAt = saved.removedAt ?? Date.now();
				saveWatch(trigger, { ...saved, former: left, removedAt });
			}
			const failed = refusals.find(({ fault }) => !isGone(fault));
			// n8n can't show errors at the end of a test, and doesn't expect any.
			if (failed && trigger.isTest) trigger.warn(failed.fault.text);
			else if (failed) throw failed.fault;
			return true;
		},
		true,
	);
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

async function prepare(
	context: IHookFunctions,
	trigger: TriggerNode,
	isEnd: boolean,
): Promise<Activation> {
	const given = readTriggerSettings(trigger);
	const url = context.getNodeWebhookUrl('default') ?? '';
	const maxun = await trigger.connect({ teamId: given.teamId });
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	// Names are looked up when the workflow is published. A robot that is renamed later stays watched.
	const watched = isEnd || isStart ? watchedRobots(trigger) : undefined;
	const { events, robotIds, ...options } = await withRobotIds(
		given,
		maxun,
		watched ?? (isEnd ? [] : undefined),
	);
	if (options.needsChanges && !isEnd && !isStart) await demandComparable(maxun, robotIds);
	const registration = new Registration(maxun, url, trigger.warn);
	const sendToSelf = async (): Promise<unknown> =>
		await context.helpers.httpRequest({ method: 'POST', url, body: SAMPLE });
	const [robotId] = robotIds;
	return {
		trigger,
		maxun,
		registration,
		url,
		isManual: isRegisteredByHand(trigger),
		isStart,
		events,
		filter: filterOf(options),
		robotIds,
		saved: trigger.isTest ? undefined : readWatch(trigger),
		sample: { maxun, registration, robotId, sendToSelf },
	};
}

const identityOf = ({ url, maxun, filter }: Activation) => ({
	url,
	server: maxun.baseUrl,
	filter,
});

/** A robot, or its webhook, that Maxun doesn't find. It may exist again later. */
const isGone = ({ status, isOwn, missingRoute }: MaxunFault) =>
	(isOwn && status === 404) || missingRoute;

/** Whether only this robot is affected, and nobody can do anything about it in this node's settings or permissions. */
const isOnlyRobot = (fault: MaxunFault) => isGone(fault) || (fault.status ?? 0) >= 500;

/** Removes the trigger from robots that are no longer selected. @returns those to try again with the next hook */
async function removeFormer({ saved, robotIds, ...rest }: Activation): Promise<string[]> {
	const { registration, trigger, isManual, url } = rest;
	if (!saved || isManual || saved.url !== url) return [];
	const known = [...Object.keys(saved.robots), ...saved.former];
	const former = [...new Set(known)].filter((robotId) => !robotIds.includes(robotId));
	const refusals = await registration.remove(former);
	for (const { fault } of refusals) if (!isGone(fault)) trigger.warn(fault.text);
	return refusals.map(({ robotId }) => robotId);
}

/** The robots that are watched now. */
interface Watched {
	robots: Record<string, Since>;
	/** Those that have a new webhook. */
	added: string[];
	/** Whether the watch of all robots and events begins now, so that no run can have been missed. */
	isNew: boolean;
}

/** Begins or continues the watch of a robot. @param registered the URL of the trigger's webhook on the robot */
async function watch(
	{ saved, maxun, events, ...activation }: Activation,
	robotId: string,
	registered?: string,
): Promise<{ since: Since; isNew: boolean }> {
	const identity = identityOf({ maxun, events, ...activation });
	// The URL of a trigger that was unpublished, or of another server, may be old.
	const isOutdated = saved !== undefined && (isOver(saved) || saved.server !== identity.server);
	const before = laterOf(
		savedSince(saved, identity)[robotId] ?? {},
		registered && !isOutdated ? sinceInAddress(registered, identity.filter) : {},
	);
	const isComplete = events.every((event) => before[event] !== undefined);
	const now = isComplete ? 0 : await clockOf(maxun, robotId, activation.robotIds);
	const since = Object.fromEntries(events.map((event) => [event, before[event] ?? now]));
	return { since, isNew: events.every((event) => before[event] === undefined) };
}

/** The server's time. If the runs of a robot can't be listed, another robot shows it, too. */
async function clockOf(maxun: MaxunServer, robotId: string, others: string[]): Promise<number> {
	return await recover(maxun.runs.clock(robotId), {
		any: async (fault) => {
			for (const other of others.filter((id) => id !== robotId)) {
				const time = await recover(maxun.runs.clock(other), { any: () => undefined });
				if (time !== undefined) return time;
			}
			throw fault;
		},
	});
}

async function watchOnly(activation: Activation): Promise<Watched> {
	const watches = await mapConcurrently(activation.robotIds, CONCURRENCY, async (robotId) => {
		const { since } = await watch(activation, robotId);
		return [robotId, since] as const;
	});
	return { robots: Object.fromEntries(watches), added: [], isNew: false };
}

/**
 * Registers on all robots or on none. Robots that are gone or broken don't affect the others, and when n8n starts, no robot
 * does.
 *
 * @throws MaxunFault that names the robots that refused, the URL, and what could not be removed again
 */
async function registerAll(activation: Activation): Promise<Watched> {
	const { registration, events, filter, url, robotIds, isStart, trigger, saved } = activation;
	const watched: Watched = { robots: {}, added: [], isNew: true };
	const refusals: Refusal[] = [];
	await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
		const adding = registration.add(robotId, events, async (registered) => {
			const { since, isNew } = await watch(activation, robotId, registered);
			watched.robots[robotId] = since;
			watched.isNew &&= isNew;
			return addressOf(url, since, filter);
		});
		await recover(
			adding.then((isAdded) => {
				if (isAdded) watched.added.push(robotId);
			}),
			{ any: (fault) => void refusals.push({ robotId, fault }) },
		);
	});
	if (refusals.length === 0) return watched;
	const isTolerated = refusals.every(({ fault }) => isStart || isOnlyRobot(fault));
	if (isTolerated && refusals.length < robotIds.length) {
		for (const { robotId, fault } of refusals) {
			trigger.warn(`robot '${robotId}': ${fault.text}`);
			const known = savedSince(saved, identityOf(activation))[robotId];
			if (known) watched.robots[robotId] = known;
		}
		return watched;
	}
	const left = isStart ? [] : await registration.remove(watched.added);
	throw await refused(activation, refusals, left);
}

async function refused({ maxun, url }: Activation, refusals: Refusal[], left: Refusal[]) {
	const [{ fault }] = refusals;
	const names = await Promise.all(
		refusals.map(async ({ robotId }) => await nameOf(maxun, robotId)),
	);
	const remainder = left[0]?.fault.message ?? 'No webhook was added to any robot';
	return new MaxunFault(
		`No webhook could be registered on robot ${names.join(', ')}: ${fault.message}`,
		`${fault.description}. The URL is ${url}. ${remainder}`,
		fault,
	);
}

/**
 * Makes the server send a sample event, which also finds runs that were missed while the trigger was off.
 *
 * @throws MaxunFault if the server reports that the trigger didn't respond
 */
async function checkReached({ sample, url, trigger, isStart }: Activation, isNew: boolean) {
	const outcome = await requestSample(sample);
	const { status, isAccepted, detail } = outcome ?? {};
	const isOurs = status === SAMPLE_STATUS || (status === 200 && !isNew);
	if (isOurs || (status === undefined && isAccepted === true)) return;
	if (status === undefined && isAccepted === undefined) {
		trigger.warn(
			`Maxun does not report whether it can reach ${url}. If no event arrives, check this URL. ${detail ?? ''}`,
		);
		return;
	}
	const answer =
		status === undefined
			? `did not respond to Maxun: ${detail}`
			: `responded to Maxun with status ${status}, but not as this trigger does. ${detail}`;
	const fault = unreachableUrl(url, answer);
	if (!isStart) throw fault;
	trigger.warn(fault.text);
}

/** Sends a sample event a little later, without waiting for it. */
function sendSampleLater({ sample, trigger }: Activation): void {
	const sending = sleep(EDITOR_READY).then(async () => await sendSample(sample));
	void sending.catch((error: unknown) =>
		trigger.warn(
			`No sample event could be sent. The next event starts the search: ${String(error)}`,
		),
	);
}

const unreachableUrl = (url: string, obstacle: string) =>
	new MaxunFault(
		'Maxun cannot reach this n8n instance',
		`${url} ${obstacle}. Give n8n a public URL and set it as N8N_WEBHOOK_URL (WEBHOOK_URL in older n8n versions), or use the Maxun Polling Trigger instead`,
	);
