import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';
import { toNodeError } from '../engine/errors';
import { inTurn } from '../http/concurrency';
import { faultOf, MaxunFault, recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import { watchFromNow } from './backlog';
import { requestSample, SAMPLE, sendSample } from './sampleEvent';
import { isRegisteredByHand, readTriggerSettings, triggerProperties } from './settings';
import { forgetState, loadState, type TriggerState } from './state/triggerState';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import { MISSING, TriggerWebhooks, withSecret } from './triggerWebhooks';

/** What a hook uses. */
interface Activation {
	trigger: TriggerNode;
	maxun: MaxunServer;
	state: TriggerState;
	webhooks: TriggerWebhooks;
	/** The trigger's URL in n8n, without the secret. */
	url: string;
	/** Whether the user adds the URL to the robots in the server's dashboard. */
	isManual: boolean;
	robotIds: string[];
	/** Robots that are no longer selected, but may still have the trigger's webhook. */
	formerRobotIds: string[];
	/** Sends a sample event to the trigger, as a server would. */
	sendToSelf(): Promise<unknown>;
}

/** Milliseconds after which the editor is ready for an event. */
const EDITOR_READY = 1000;

/** Whether the trigger is registered on its robots and on no others, with the right settings. */
export async function subscriptionExists(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, 'keepSecret', async (activation) => {
		const { trigger, webhooks, state, robotIds, formerRobotIds, isManual } = activation;
		if (isManual) return false; // each activation has something to save
		// Otherwise, a deleted robot would make each start of n8n register all webhooks again.
		if (formerRobotIds.some((robotId) => state.webhooks[robotId] !== MISSING)) return false;
		if (!(await webhooks.isComplete(robotIds))) return false;
		state.save(trigger);
		sendSampleLater(activation);
		return true;
	});
}

/** Registers the trigger on its robots, and removes it from those that are no longer selected. */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, 'changeSecret', async (activation) => {
		const { trigger, maxun, state, webhooks, url, robotIds, formerRobotIds } = activation;
		const obstacle = maxun.unreachable(url);
		if (obstacle) throw unreachableUrl(url, obstacle);
		await watchFromNow(maxun, state.ledger, robotIds);
		await webhooks.remove(formerRobotIds);
		if (!activation.isManual) await registerWebhooks(activation);
		state.save(trigger);
		// In queue mode, another process receives the first sample event before n8n has saved the secret.
		if (trigger.isTest || !state.isReached) sendSampleLater(activation);
		return true;
	});
}

/** Removes the trigger from all robots that it is or was registered on. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, 'keepSecret', async (activation) => {
		const { trigger, state, webhooks, robotIds, formerRobotIds, isManual } = activation;
		if (!isManual) {
			const removing = webhooks.remove([...robotIds, ...formerRobotIds]);
			// n8n can't show errors at the end of a test, and doesn't expect any.
			await (trigger.isTest ? logFailure(trigger, removing) : removing);
		}
		if (!trigger.isTest) state.save(trigger);
		forgetState(trigger.key);
		return true;
	});
}

/** Runs a hook and turns a fault into n8n's error for the node. */
async function inHook<T>(
	context: IHookFunctions,
	secrecy: 'keepSecret' | 'changeSecret',
	run: (activation: Activation) => Promise<T>,
): Promise<T> {
	const trigger = readTriggerNode(context);
	const send = async (url: string): Promise<unknown> =>
		await context.helpers.httpRequest({
			method: 'POST',
			url,
			body: SAMPLE,
		});
	const prepareHere = async () =>
		await prepare(trigger, secrecy, context.getNodeWebhookUrl('default') ?? '', send);
	// n8n repeats a hook that takes longer than two minutes. Two at once would register two webhooks.
	return await inTurn(`hooks of ${trigger.key}`, async () => await run(await prepareHere())).catch(
		(error: unknown) => {
			const nodeError = toNodeError(trigger.node, error, 0, triggerProperties);
			// When a workflow is published, n8n only shows the message of an error.
			if (!trigger.isTest && nodeError.description) {
				nodeError.message += `. ${nodeError.description}`;
			}
			throw nodeError;
		},
	);
}

async function prepare(
	trigger: TriggerNode,
	secrecy: 'keepSecret' | 'changeSecret',
	url: string,
	send: (url: string) => Promise<unknown>,
): Promise<Activation> {
	const { events, robotIds, teamId } = readTriggerSettings(trigger);
	const state = loadState(trigger);
	state.becomeRegistrar(trigger);
	const { secrets, webhooks: webhookIds } = state;
	for (const robotId of robotIds) {
		if (webhookIds[robotId] === MISSING) delete webhookIds[robotId];
	}
	const maxun = await trigger.connect({ teamId });
	const { id, warn } = trigger;
	// A new secret is valid before the first delivery, which may arrive during registration.
	const secret =
		secrecy === 'changeSecret' ? secrets.create(id, maxun.sign) : secrets.current(id, maxun.sign);
	return {
		trigger,
		maxun,
		state,
		webhooks: new TriggerWebhooks(maxun, { url, secret, events, webhookIds, warn }),
		url,
		isManual: isRegisteredByHand(trigger),
		robotIds,
		formerRobotIds: Object.keys(webhookIds).filter((robotId) => !robotIds.includes(robotId)),
		sendToSelf: async () => await send(withSecret(url, secret)),
	};
}

/**
 * Registers on all robots, or on none if the server can't reach n8n.
 *
 * @throws MaxunFault that contains the reason and what could not be removed again
 */
async function registerWebhooks(activation: Activation): Promise<void> {
	const { state, webhooks, robotIds } = activation;
	state.webhooks = { ...webhooks.missing, ...(await webhooks.register(robotIds)) };
	const fault = await checkReached(activation).catch(async (error: unknown) => {
		await faultOf(webhooks.remove(robotIds));
		throw error;
	});
	if (!fault) return;
	const left = await faultOf(webhooks.remove(robotIds));
	throw left ? fault.adding(left.message) : fault;
}

/**
 * Makes the server send a sample event, which also starts a catch-up of runs that ended while the trigger was off.
 *
 * @returns a fault only if the server clearly reports that nothing responds at the URL
 */
async function checkReached({ trigger, maxun, state, robotIds, url }: Activation) {
	const [robotId] = robotIds;
	state.isActivating = trigger.isTest;
	state.isReached = false;
	const outcome = await requestSample(maxun, {
		robotId,
		webhookId: state.webhooks[robotId],
	}).finally(() => {
		state.isActivating = false;
	});
	return outcome?.reached === false
		? unreachableUrl(url, `did not respond to Maxun: ${outcome.detail}`)
		: undefined;
}

/** Sends a sample event a little later, without waiting for it. */
function sendSampleLater({ trigger, maxun, state, robotIds, sendToSelf }: Activation): void {
	const [robotId] = robotIds;
	const sending = sleep(EDITOR_READY).then(async () => {
		const target = { robotId, webhookId: state.webhooks[robotId] };
		await sendSample(maxun, target, sendToSelf);
	});
	void logFailure(trigger, sending);
}

/** Logs errors that n8n can't show. */
async function logFailure({ warn }: TriggerNode, work: Promise<void>): Promise<void> {
	await recover(work, { any: (fault) => warn(fault.text) }).catch((error: unknown) =>
		warn(String(error)),
	);
}

const unreachableUrl = (url: string, obstacle: string) =>
	new MaxunFault(
		'Maxun cannot reach this n8n',
		`${url} ${obstacle}. Give n8n a public URL and set it as N8N_WEBHOOK_URL (WEBHOOK_URL in older n8n versions), or use the Maxun Polling Trigger instead`,
	);
