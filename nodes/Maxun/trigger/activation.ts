import { sleep, type IHookFunctions } from 'n8n-workflow';
import { within } from '../http/concurrency';
import { fullTextOf } from '../http/fault';
import { toNodeError } from '../http/nodeError';
import { SECOND } from '../http/time';
import { isName } from '../servers/named';
import { begin, forget } from './memory';
import type { Registered } from './record';
import { checkNames, withIds } from './robots';
import { readSettings, triggerProperties, type TriggerSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import { addWebhooks, tellPolling, Webhooks } from './webhooks';

/** How long publishing may take, in milliseconds. n8n 2.41 gives up after 84 seconds. Polls do the rest. */
export const LONGEST_HOOK = 70 * SECOND;

const TEST_INTERVAL = 5 * SECOND;

/**
 * Publishing, or a test in the editor. n8n may call this several times.
 *
 * @throws NodeError for invalid parameters, or if a test can't connect
 */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	const trigger = readTriggerNode(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	try {
		const settings = readSettings(trigger);
		begin(trigger);
		await (trigger.isTest ? beginTest : publish)(trigger, settings, url);
		return true;
	} catch (error) {
		throw publishingError(trigger, error);
	}
}

async function beginTest(trigger: TriggerNode, given: TriggerSettings, url: string): Promise<void> {
	const maxun = await trigger.connect({ teamId: given.teamId });
	await checkNames({ trigger, maxun, given });
	void showLatestRun(trigger, url);
}

/** If a step fails, polls repeat it. */
async function publish(trigger: TriggerNode, given: TriggerSettings, url: string): Promise<void> {
	await noteUrl(trigger, url);
	const connecting = connect(trigger, given).catch((error: unknown) => {
		trigger.memory.hasOpenWebhooks = true;
		tellPolling(trigger, fullTextOf(error));
	});
	const ending = connecting.then(() => true);
	if (!(await within(LONGEST_HOOK, ending)))
		trigger.warn('Maxun responds slowly. The trigger keeps trying');
}

async function connect(trigger: TriggerNode, given: TriggerSettings): Promise<void> {
	const until = Date.now() + LONGEST_HOOK;
	const { memory } = trigger;
	if (given.pollOnly) return;
	const maxun = await trigger.connect({ teamId: given.teamId });
	// Somebody may have published an edit in the meantime.
	if (trigger.memory === memory) await checkNames({ trigger, maxun, given });
	if (trigger.memory === memory) await addWebhooks({ trigger, maxun, given }, until);
}

/** Sends sample events to a test in the editor until `webhook` has a run to show, or the test ends. */
async function showLatestRun(trigger: TriggerNode, url: string): Promise<void> {
	await sleep(SECOND); // The editor needs this time to become ready.
	let answer = await trigger.sendSample(url);
	if (!answer) {
		trigger.warn(
			`n8n did not get a response from its own URL ${url}, so the test can't show a run`,
		);
	} else if ('ignored' in answer)
		trigger.info('No run has ended yet. The test waits for the next run');
	// After two minutes, n8n ends the test, and the URL no longer works.
	while (answer && answer.started !== true) {
		await sleep(TEST_INTERVAL);
		answer = await trigger.sendSample(url);
	}
}

/** Stores n8n's URL. Each webhook has to be turned on again, because unpublishing turns it off. */
async function noteUrl(trigger: TriggerNode, url: string): Promise<void> {
	const own = await ownWebhooks(trigger, url);
	const { isReached, url: former } = trigger.record();
	trigger.saveRecord({
		url,
		webhooks: own.map(turnedOff),
		// When n8n starts, its proxy may start later.
		isReached: former === url && trigger.isStart ? isReached : undefined,
	});
}

const turnedOff = (webhook: Registered): Registered => ({ ...webhook, url: '', events: '' });

/**
 * The webhooks of this n8n instance, and not of the original of a copied database. If n8n's URL has changed, its
 * former URL may still lead to it, or nowhere.
 */
async function ownWebhooks(trigger: TriggerNode, url: string): Promise<Registered[]> {
	const { url: former = url, webhooks } = trigger.record();
	if (former === url || webhooks.length === 0) return webhooks;
	const { n8n } = (await trigger.sendSample(former)) ?? {};
	return n8n === undefined || n8n === trigger.instance ? webhooks : [];
}

/** Unpublishing. Deletes nothing, because n8n also calls this when somebody publishes an edit. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const trigger = readTriggerNode(context);
	const hookUrl = context.getNodeWebhookUrl('default') ?? '';
	forget(trigger);
	if (trigger.isTest) return true;
	trigger.saveRecord({ webhooks: await ownWebhooks(trigger, hookUrl), removedAt: Date.now() });
	const left = await turnOff(trigger, hookUrl);
	if (left.length > 0)
		trigger.warn(`${left.join('. ')}. n8n ignores its events. To stop them, turn it off in Maxun`);
	return true;
}

/** Turns the webhooks off. @returns why some may still be on */
export async function turnOff(trigger: TriggerNode, hookUrl: string): Promise<string[]> {
	try {
		const record = trigger.record();
		const settings = withIds(readSettings(trigger), record);
		const { robotIds, teamId, pollOnly } = settings;
		const maxun = await trigger.connect({ teamId });
		const registered = record.webhooks.map(({ robotId }) => robotId);
		// Another node may have overwritten the record, so any robot that is selected by ID may have a webhook.
		const isPolling = pollOnly || maxun.unreachable(hookUrl) !== undefined;
		const selected = isPolling ? [] : robotIds.filter((id) => !isName(id));
		const webhooks = new Webhooks(trigger, maxun, hookUrl);
		const robots = [...new Set([...registered, ...selected])];
		const faults = await trigger.inTurn('webhooks', async () => {
			if (trigger.memory.isPublished) return [];
			// n8n may repeat only a failed first poll.
			trigger.saveRecord({ webhooks: trigger.record().webhooks.map(turnedOff) });
			trigger.memory.hasOpenWebhooks = true;
			return await webhooks.turnOff(robots);
		});
		return faults
			.filter(({ robotId }) => registered.includes(robotId))
			.map(({ robotId, fault }) => `The webhook on robot '${robotId}' remains on. ${fault.text}`);
	} catch (error) {
		return [`Maxun may still send events. ${fullTextOf(error)}`];
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
