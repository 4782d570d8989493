import { sleep, type IHookFunctions } from 'n8n-workflow';
import { within } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { toNodeError } from '../http/nodeError';
import { wordsOf } from '../http/text';
import { HOUR, MINUTE, SECOND } from '../http/time';
import { isObject } from '../http/values';
import { isName } from '../servers/named';
import { begin, forget } from './memory';
import { checkRobots, withIds } from './robots';
import { readSettings, triggerProperties, type TriggerSettings } from './settings';
import { hashOf, readTriggerNode, type TriggerNode } from './triggerNode';
import { addWebhooks, tellPolling, Webhooks } from './webhooks';

/** How long publishing may take, in milliseconds. n8n 2.41 gives up after 84 seconds. Polls do the rest. */
export const LONGEST_HOOK = 70 * SECOND;

const TEST_INTERVAL = 5 * SECOND;

/** How long and how often to try again to switch something off, for about a day. The delay doubles up to an hour. */
const [FIRST_DELAY, MOST_ATTEMPTS] = [MINUTE, 30];

/**
 * Publishing. Polls continue what fails. n8n may call this several times.
 *
 * @throws NodeError for invalid parameters, or if Maxun can't check the page
 */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	const trigger = readTriggerNode(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	const settings = settingsToPublish(trigger);
	begin(trigger);
	if (!trigger.isTest) await noteAddress(trigger, url);
	const connecting = connect(trigger, settings).catch((error: unknown) => {
		// A test doesn't poll.
		if (trigger.isTest) throw publishingError(trigger, error);
		trigger.memory.hasOpenWebhooks = true;
		tellPolling(trigger, reasonOf(error));
		return true;
	});
	const isOver = await (trigger.isTest ? connecting : within(LONGEST_HOOK, connecting));
	if (isOver === undefined) trigger.warn('Maxun responds slowly. The trigger goes on trying');
	if (trigger.isTest) void showLatestRun(trigger, url);
	return true;
}

async function connect(trigger: TriggerNode, given: TriggerSettings): Promise<true> {
	const until = Date.now() + LONGEST_HOOK;
	const { memory } = trigger;
	const isCurrent = () => trigger.memory === memory;
	if (given.pollOnly && !trigger.isTest) return true;
	const maxun = await trigger.connect({ teamId: given.teamId });
	// Somebody may have published an edit in the meantime.
	if (isCurrent()) await checkRobots({ trigger, maxun, given });
	if (isCurrent() && !trigger.isTest) await addWebhooks({ trigger, maxun, given }, until);
	return true;
}

/** Sends sample events to a test in the editor until `webhook` has a run to show, or the test ends. */
async function showLatestRun(trigger: TriggerNode, url: string): Promise<void> {
	await sleep(SECOND); // Until the editor is ready.
	let answer = await trigger.sendSample(url);
	if (answer === undefined) {
		trigger.warn(`n8n got no response from its own URL ${url}, so the test can't show a run`);
	} else if (!isShown(answer))
		trigger.info('No run has ended yet. The test waits for the next one');
	// After two minutes, n8n ends the test and no longer knows the URL.
	while (answer !== undefined && !isShown(answer)) {
		await sleep(TEST_INTERVAL);
		answer = await trigger.sendSample(url);
	}
}

const isShown = (answer: unknown): boolean => isObject(answer) && answer.started === true;

/** Notes n8n's address. Each webhook has to be turned on again, because unpublishing turns it off. */
async function noteAddress(trigger: TriggerNode, url: string): Promise<void> {
	await keepOwnPart(trigger);
	const { webhooks, isReached, url: former } = trigger.record();
	trigger.saveRecord({
		url,
		webhooks: webhooks.map((webhook) => ({ ...webhook, url: '', events: '' })),
		// When n8n starts, its proxy may start later.
		isReached: former === url && trigger.isStart ? isReached : undefined,
	});
}

/**
 * Keeps only what belongs to this n8n instance, and not to the original of a copied database. If n8n only has another
 * address, its former address may still lead to it, or to nobody.
 */
async function keepOwnPart(trigger: TriggerNode): Promise<void> {
	const { address } = trigger;
	const { address: former = address, url = '', webhooks } = trigger.record();
	if (former === address) return trigger.saveRecord({ address });
	const answer = await trigger.sendSample(url);
	const responder = isObject(answer) ? answer.n8n : undefined;
	if (responder === hashOf(address)) return trigger.saveRecord({ address });
	const own = responder === undefined ? webhooks : [];
	trigger.saveRecord({ address, webhooks: own });
}

/** Unpublishing. Deletes nothing, because n8n also calls this when somebody publishes an edit. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const trigger = readTriggerNode(context);
	const hookUrl = context.getNodeWebhookUrl('default') ?? '';
	forget(trigger);
	if (trigger.isTest) return true;
	await keepOwnPart(trigger);
	trigger.saveRecord({ removedAt: Date.now() });
	const left = await turnOff(trigger, hookUrl);
	if (left.length === 0) return true;
	trigger.warn(`${left.join('. ')}. Until n8n stops, the trigger tries again`);
	void keepTurningOff(trigger, hookUrl);
	return true;
}

/** After unpublishing, no poll does this. */
async function keepTurningOff(trigger: TriggerNode, hookUrl: string): Promise<void> {
	for (let delay = FIRST_DELAY, attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
		await sleep(delay);
		if (trigger.memory.isPublished || (await turnOff(trigger, hookUrl)).length === 0) return;
		delay = Math.min(2 * delay, HOUR);
	}
}

/** If a publication's first poll fails, n8n before 2.40 calls no hook. */
export async function withdraw(trigger: TriggerNode): Promise<void> {
	const { url = '' } = trigger.record();
	if ((await turnOff(trigger, url)).length > 0) await keepTurningOff(trigger, url);
}

async function turnOff(trigger: TriggerNode, hookUrl: string): Promise<string[]> {
	try {
		const record = trigger.record();
		const settings = withIds(readSettings(trigger), record);
		const { robotIds, teamId, pollOnly } = settings;
		const maxun = await trigger.connect({ teamId });
		const registered = record.webhooks.map(({ robotId }) => robotId);
		// Another node that stores data may have overwritten the record, so any robot that is selected by ID may have one.
		const isPolling = pollOnly || maxun.unreachable(hookUrl) !== undefined;
		const selected = isPolling ? [] : robotIds.filter((id) => !isName(id));
		const webhooks = new Webhooks(trigger, maxun, hookUrl);
		const robots = [...new Set([...registered, ...selected])];
		const faults = await trigger.inTurn('webhooks', async () =>
			trigger.memory.isPublished ? [] : await webhooks.turnOff(robots),
		);
		return faults
			.filter(({ robotId }) => registered.includes(robotId))
			.map(({ robotId, fault }) => `The webhook on robot '${robotId}' remains on. ${fault.text}`);
	} catch (error) {
		return [`Maxun may still send events. ${reasonOf(error)}`];
	}
}

function settingsToPublish(trigger: TriggerNode): TriggerSettings {
	try {
		return readSettings(trigger);
	} catch (error) {
		throw publishingError(trigger, error);
	}
}

/** The message says everything, because n8n shows only the message when a workflow is published. */
export function publishingError(trigger: TriggerNode, error: unknown): Error {
	const nodeError = toNodeError(trigger.node, error, undefined, triggerProperties);
	if (trigger.isTest || !nodeError.description) return nodeError;
	nodeError.message += `. ${nodeError.description}`;
	nodeError.description = undefined;
	return nodeError;
}

const reasonOf = (error: unknown): string =>
	error instanceof MaxunFault ? error.text : wordsOf(error);
