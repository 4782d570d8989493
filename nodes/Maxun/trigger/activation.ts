import type { IHookFunctions } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { toNodeError } from '../http/nodeError';
import { wordsOf } from '../http/text';
import { SECOND } from '../http/time';
import { Cursor } from './cursor';
import { changeHooks, forget, memoryOf } from './memory';
import { pageRobot, stopPage } from './page';
import { Registration } from './registration';
import { findNamed, withIds } from './robots';
import { readSettings, triggerProperties, type TriggerSettings } from './settings';
import { showLatestRun } from './latestRun';
import { NO_HOOKS, readTriggerNode, type Hooks, type TriggerNode } from './triggerNode';

/** How long publishing may add webhooks, in milliseconds. If a hook takes two minutes, n8n calls it again. */
const LONGEST_HOOK = 90 * SECOND;

/**
 * Publishing: tries to get events from Maxun. If that fails, the trigger only polls, and the log says why. n8n may call
 * this several times.
 *
 * @throws NodeError for invalid parameters
 */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	const trigger = readTriggerNode(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	const settings = settingsToPublish(trigger);
	if (trigger.isTest) {
		await watchPage(trigger, settings);
		void showLatestRun(trigger, settings, url);
		return true;
	}
	// If a hook takes two minutes, n8n calls it again.
	return await changeHooks(trigger, async () => {
		await watchPage(trigger, settings);
		const reason = await register(trigger, settings, url).catch(reasonOf);
		if (reason !== undefined) trigger.warn(`The trigger polls, because ${reason}`);
		return true;
	});
}

/**
 * Unpublishing: removes the webhooks. If that fails, the log lists those that remain. n8n may call this several times.
 */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const trigger = readTriggerNode(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	return await changeHooks(trigger, async () => {
		await leavePage(trigger);
		const hooks = trigger.hooks();
		const robots = await unregister(trigger, hooks.robots, url).catch((error: unknown) => {
			trigger.warn(`Webhooks may remain on the robots. Delete them in Maxun. ${reasonOf(error)}`);
			return hooks.robots;
		});
		const { startedAfter } = hooks;
		trigger.saveHooks({ ...NO_HOOKS, robots, startedAfter, removedAt: Date.now() });
		const { cursor } = memoryOf(trigger);
		if (cursor) trigger.saveCursor(cursor);
		forget(trigger);
		return true;
	});
}

/** Makes sure that Maxun checks the page. If this fails when n8n starts, each poll retries it. */
async function watchPage(trigger: TriggerNode, settings: TriggerSettings): Promise<void> {
	const { page, teamId } = settings;
	if (!page) return;
	try {
		await pageRobot(trigger, page, await trigger.connect({ teamId }));
	} catch (error) {
		if (!trigger.isStart) throw publishingError(trigger, error);
		trigger.warn(`Maxun may not check the page. ${reasonOf(error)}`);
	}
}

/** Makes sure that Maxun no longer checks the page. A test hasn't switched anything on. */
async function leavePage(trigger: TriggerNode): Promise<void> {
	if (trigger.isTest || trigger.parameter('watch', 'robots') !== 'page') return;
	try {
		const { page, teamId, deleteRobot } = readSettings(trigger);
		const maxun = await trigger.connect({ teamId });
		if (page) await stopPage({ trigger, maxun, page }, deleteRobot);
	} catch (error) {
		trigger.warn(`Maxun may still check a page. If so, delete its schedule. ${reasonOf(error)}`);
	}
}

/** @throws NodeError with everything in its message, because n8n shows only the message when a workflow is published */
function settingsToPublish(trigger: TriggerNode): TriggerSettings {
	try {
		return readSettings(trigger);
	} catch (error) {
		throw publishingError(trigger, error);
	}
}

/** When a workflow is published, n8n shows only the message, so the message says everything. */
export function publishingError(trigger: TriggerNode, error: unknown): Error {
	const nodeError = toNodeError(trigger.node, error, undefined, triggerProperties);
	if (trigger.isTest || !nodeError.description) return nodeError;
	nodeError.message += `. ${nodeError.description}`;
	nodeError.description = undefined;
	return nodeError;
}

const reasonOf = (error: unknown): string =>
	error instanceof MaxunFault ? error.text : wordsOf(error);

/**
 * Registers the webhooks, and makes Maxun send a sample event.
 *
 * @returns why the trigger polls; undefined if Maxun reaches it, or if the user doesn't want webhooks
 */
async function register(
	trigger: TriggerNode,
	given: TriggerSettings,
	url: string,
): Promise<string | undefined> {
	const until = Date.now() + LONGEST_HOOK;
	const former = trigger.hooks();
	let hooks: Hooks = { ...former, url, isComplete: false, isReached: false };
	const save = (changes: Partial<Hooks>) => trigger.saveHooks((hooks = { ...hooks, ...changes }));
	save({});
	const events = given.events.filter((event) => event !== 'run_aborted');
	if (given.pollOnly || given.robotIds.length === 0 || events.length === 0) return undefined;
	const maxun = await trigger.connect({ teamId: given.teamId });
	const obstacle = maxun.unreachable(url);
	if (obstacle) return `its URL ${url} ${obstacle}. ${PUBLIC_URL}`;
	const names = await findNamed(trigger, given, maxun, Cursor.saved(trigger).names);
	save({ names });
	const registration = new Registration(trigger, maxun, url);
	const { added, faults } = await registration.add(withIds(given, names).robotIds, events, until);
	for (const { robotId, fault } of faults) {
		trigger.warn(`Robot '${robotId}' has no webhook: ${fault.text}`);
	}
	// When n8n starts, its proxy may start later.
	const isKnown = trigger.isStart && former.isReached && former.url === url;
	const robots = [...new Set([...former.robots, ...added])];
	save({ robots, isComplete: faults.length === 0, isReached: isKnown });
	if (added.length === 0) return 'no robot has its webhook';
	const { isReached, detail } = isKnown
		? { isReached: true, detail: '' }
		: await registration.isReached(added[0]);
	if (isReached === false) {
		const left = await registration.remove(added);
		save({ robots: left.map(({ robotId }) => robotId), isComplete: false });
		return `Maxun cannot reach ${url}. ${detail}. ${PUBLIC_URL}`;
	}
	save({ isReached: isReached === true });
	if (!isReached) return `Maxun does not say whether it reaches ${url}. ${detail}`;
	return hooks.isComplete ? undefined : 'not all robots have its webhook';
}

const PUBLIC_URL =
	'To start the workflow within seconds, give n8n a public URL and set it as N8N_WEBHOOK_URL (WEBHOOK_URL in older n8n versions). Then publish the workflow again';

/** Removes the webhooks. @returns the robots that still have one */
async function unregister(trigger: TriggerNode, known: string[], url: string): Promise<string[]> {
	if (trigger.isTest && memoryOf(trigger).testedRobot === undefined) return [];
	const given = readSettings(trigger);
	const selected = withIds(given, Cursor.saved(trigger).names).robotIds;
	const maxun = await trigger.connect({ teamId: given.teamId });
	const registration = new Registration(trigger, maxun, url);
	const left = await registration.remove([...new Set([...known, ...selected])]);
	for (const { robotId, fault } of left) {
		trigger.warn(`The webhook on robot '${robotId}' remains. Delete it in Maxun. ${fault.text}`);
	}
	return left.map(({ robotId }) => robotId);
}
