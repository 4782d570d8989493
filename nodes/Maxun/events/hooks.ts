import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';
import { MaxunFault } from '../api/fault';
import { unreachable } from '../core/address';
import { toNodeError } from '../core/errors';
import type { Connection } from '../core/transport';
import { watchFromNow } from './backlog';
import { forget, isTest, memoryOf, type Memory } from './memory';
import { callFor } from './port';
import { newSecret, SECRET_PARAMETER } from './secret';
import { isRegisteredByHand, parametersOf, TriggerParameters, triggerProperties } from './settings';
import { registries } from './registry';
import type { RunReader } from './runs';
import { Subscription } from './subscription';

/** What a hook works with. */
interface Subscribing {
	context: IHookFunctions;
	runs: RunReader;
	connection: Connection;
	/** Whether the user adds our address to the robots, in the dashboard of the server. */
	byHand: boolean;
	/** Our own address, without the secret. */
	address: string;
	subscription: Subscription;
	memory: Memory;
	robotIds: string[];
	/** Robots that we were registered on and that are not chosen any more. */
	former: string[];
}

/** Milliseconds after which the editor surely listens. */
const EDITOR_READY = 1000;

/** Whether the trigger is registered on its robots, on them alone, and as it is set now. */
export async function subscriptionExists(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async (state) => {
		const { subscription, memory, robotIds, former, byHand } = state;
		if (byHand) return false; // there is something to note at each activation
		if (former.length > 0 || !(await subscription.isComplete(robotIds))) return false;
		memory.save(context.getWorkflowStaticData('node'));
		askLater(state);
		return true;
	});
}

/** Registers the trigger on its robots and takes it off those that are no longer among them. */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async (state) => {
		const { subscription, memory, robotIds, former, runs, address, byHand } = state;
		const { baseUrl, dialect } = state.connection;
		const obstacle = unreachable(address, baseUrl, dialect);
		if (obstacle) throw unreachableAddress(address, obstacle);
		await watchFromNow(runs, memory.ledger, robotIds);
		await subscription.remove(former);
		if (!byHand) {
			memory.webhooks = await subscription.register(robotIds);
			await checkReached(state).catch(async (fault: unknown) => {
				const left = await subscription.removeOrTell(robotIds);
				throw left && fault instanceof MaxunFault ? fault.adding(left) : fault;
			});
		}
		memory.save(context.getWorkflowStaticData('node'));
		if (isTest(context) || dialect === 'selfHosted') askLater(state);
		return true;
	});
}

/** Takes the trigger off all robots that it is or was registered on. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async ({ subscription, robotIds, former, byHand }) => {
		if (byHand) return true;
		const removing = subscription.remove([...robotIds, ...former]);
		if (!isTest(context)) return await removing.then(() => true);
		forget(context);
		// n8n cannot show what goes wrong at the end of a test, and would stumble over it.
		return await removing.then(
			() => true,
			(fault: unknown) => warn(context, fault),
		);
	});
}

/** Runs a hook; a fault becomes n8n's error for the node. */
async function inHook<T>(
	context: IHookFunctions,
	work: (state: Subscribing) => Promise<T>,
): Promise<T> {
	return await stateOf(context)
		.then(work)
		.catch((error: unknown) => {
			const failure = toNodeError(context.getNode(), error, 0, triggerProperties);
			// Of what goes wrong when a workflow is published, n8n shows the message alone.
			if (!isTest(context) && failure.description) failure.message += `. ${failure.description}`;
			throw failure;
		});
}

async function stateOf(context: IHookFunctions): Promise<Subscribing> {
	const { events, robotIds, options } = parametersOf(TriggerParameters, context);
	const memory = memoryOf(context);
	memory.isRegistrar = true;
	// Known to this process before the first delivery can come, which may be during the registration.
	memory.secret ||= newSecret();
	const { secret, webhooks } = memory;
	const address = context.getNodeWebhookUrl('default') ?? '';
	const { connection, call, runs } = await callFor(context, { teamId: options.teamId });
	const { baseUrl, dialect } = connection;
	const settings = { address, secret, events, webhooks };
	return {
		context,
		runs,
		connection,
		byHand: isRegisteredByHand(context),
		address,
		subscription: new Subscription(call, registries[dialect](call, baseUrl), settings),
		memory,
		robotIds: [...new Set(robotIds)],
		former: Object.keys(webhooks).filter((robotId) => !robotIds.includes(robotId)),
	};
}

/**
 * Asks the service for a sample delivery, which also brings what was missed while the trigger was off.
 *
 * @throws MaxunFault when the service says that nothing answers at our address; a doubtful answer is no refusal
 */
async function checkReached({ subscription, memory, robotIds, address, context }: Subscribing) {
	const [robotId] = robotIds;
	const webhookId = memory.webhooks[robotId];
	if (!webhookId) return;
	memory.isActivating = isTest(context);
	const { reached, detail } = await subscription.test(robotId, webhookId).finally(() => {
		memory.isActivating = false;
	});
	if (reached === false) {
		throw unreachableAddress(address, `was not reached when Maxun tried: ${detail}`);
	}
}

/** Asks for a sample delivery in a little while, without waiting for it. */
function askLater(state: Subscribing): void {
	const asking = sleep(EDITOR_READY).then(async () => await ask(state));
	asking.catch((error: unknown) => warn(state.context, error));
}

/** A self-hosted server cannot be asked for a sample: n8n sends it to itself. */
async function ask({ subscription, memory, robotIds, context, connection, address }: Subscribing) {
	const [robotId] = robotIds;
	const webhookId = memory.webhooks[robotId];
	if (connection.dialect === 'selfHosted') {
		await context.helpers.httpRequest({
			method: 'POST',
			url: address,
			qs: { [SECRET_PARAMETER]: memory.secret },
			body: { event_type: 'webhook_test' },
		});
	} else if (webhookId) await subscription.test(robotId, webhookId);
}

function warn(context: IHookFunctions, error: unknown): true {
	const words = error instanceof MaxunFault ? `${error.message}. ${error.description}` : error;
	context.logger.warn(`${context.getNode().name}: ${String(words)}`);
	return true;
}

const unreachableAddress = (address: string, obstacle: string) =>
	new MaxunFault(
		'Maxun cannot reach this n8n',
		`${address} ${obstacle}. Give n8n a public address and set it as WEBHOOK_URL, or use the Maxun Polling Trigger, which needs none`,
	);
