import { sleep } from 'n8n-workflow';
import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { RetryLimits } from '../http/retry';
import { readDelivery, type Delivery } from '../servers/deliveryBody';
import { readLatest } from './backlog';
import { connectTrigger, type EventConnection } from './connection';
import { decide, isRepeat, REPEAT, type Decision } from './decision';
import { itemsOfEvent } from './event';
import { SAMPLE, sendSample } from './sampleEvent';
import { SECRET_PARAMETER } from './secret';
import { isRegisteredByHand, readTriggerSettings, type TriggerSettings } from './settings';
import { Batches } from './state/batches';
import { DeliveryClaims } from './state/claims';
import { ProcessStates } from './state/processStates';
import { loadState, type TriggerState } from './state/triggerState';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import { withSecret } from './triggerWebhooks';

/** The sender waits for the response and retries rejected deliveries, so requests are rarely retried here. */
const RETRY_LIMITS: RetryLimits = { maxRetries: 1, maxWait: 3_000 };

/** Timeout of one API request, in milliseconds. */
const TIMEOUT = 7_000;

/** Milliseconds for the search for missed runs. Senders wait 30 seconds by default. */
const SEARCH_TIME = 10_000;

/** Milliseconds that a delivery waits until n8n has stored the execution that another one starts. */
const STORING_TIME = 5_000;

/** One HTTP request to the trigger's URL: everything that n8n's context contains about it. */
interface DeliveryRequest {
	trigger: TriggerNode;
	state: TriggerState;
	/** The value in the URL, which may be anything. */
	secret: unknown;
	body: unknown;
	response: ReturnType<IWebhookFunctions['getResponseObject']>;
	toBinary: EventConnection['toBinary'];
	/** Sends a sample event to the trigger, as a server would. */
	sendToSelf(secret: string): Promise<unknown>;
}

/**
 * Starts the workflow. n8n reads the response after storing the execution, so the runs are marked as processed then.
 * Earlier, a crash would lose the runs. Later, n8n no longer saves static data. (n8n doesn't save earlier changes
 * either, because the execution reloads the workflow.) n8n only reads the response if the webhook description has an
 * empty `responseData`.
 */
class WorkflowStart implements IWebhookResponseData {
	constructor(
		readonly workflowData: INodeExecutionData[][],
		private readonly onStored: () => void,
	) {}

	get webhookResponse(): IDataObject {
		this.onStored();
		return { started: true };
	}
}

/** Responds to a delivery: starts the workflow for runs that the API confirms. Forged deliveries never cause errors. */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = readRequest(context);
	if (!(await isAuthorized(request))) return refuse(request, 401, 'This URL requires its secret');
	request.state.isReached = true;
	const decision = await decideOrPostpone(request, readDelivery(request.body));
	return await respond(request, decision);
}

async function respond(
	request: DeliveryRequest,
	decision: Decision,
): Promise<IWebhookResponseData> {
	const { trigger, state } = request;
	const save = () => {
		if (!trigger.isTest) state.save(trigger);
	};
	if ('items' in decision) {
		onServerError(request, decision.release);
		return new WorkflowStart([decision.items], () => {
			decision.markProcessed();
			save();
			if (decision.hasMore && !trigger.isTest) void continueCatchUp(request);
		});
	}
	if ('isStored' in decision) {
		if (!(await inTime(decision.isStored)))
			return refuse(request, 503, 'the run is already being processed');
		// The delivery that starts the workflow may not have saved the runs yet. n8n saves this copy before it responds.
		save();
		return { webhookResponse: { started: true } };
	}
	// In case n8n has meanwhile saved an older copy of the static data.
	save();
	if ('retry' in decision) return refuse(request, 503, decision.retry);
	return { webhookResponse: { ignored: decision.ignore } };
}

/** Waits for the execution that another delivery starts, but not so long that the sender gives up. */
const inTime = async (isStored: Promise<boolean>): Promise<boolean> =>
	await Promise.race([isStored, sleep(STORING_TIME).then(() => false)]);

/** Whether the URL contains the secret. A manually registered URL has none: the API confirms its deliveries anyway. */
async function isAuthorized({ trigger, state, secret }: DeliveryRequest): Promise<boolean> {
	const { secrets } = state;
	if (isRegisteredByHand(trigger) || secrets.accepts(secret)) return true;
	if (!secrets.mayBeSigned(secret)) return false;
	const maxun = await trigger.connect({}).catch(() => undefined);
	return maxun !== undefined && secrets.addSigned(secret, trigger.id, maxun.sign);
}

function readRequest(context: IWebhookFunctions): DeliveryRequest {
	const trigger = readTriggerNode(context);
	const query = new Map<string, unknown>(Object.entries(context.getQueryData()));
	return {
		trigger,
		state: loadState(trigger),
		secret: query.get(SECRET_PARAMETER),
		body: context.getBodyData(),
		response: context.getResponseObject(),
		toBinary: async (data, name) => await context.helpers.prepareBinaryData(data, name),
		sendToSelf: async (secret) =>
			await context.helpers.httpRequest({
				method: 'POST',
				url: withSecret(context.getNodeWebhookUrl('default') ?? '', secret),
				body: SAMPLE,
			}),
	};
}

/**
 * Requests a sample event, which continues the catch-up in another execution. If it doesn't arrive, the next event
 * continues.
 */
async function continueCatchUp({ trigger, state, sendToSelf }: DeliveryRequest): Promise<void> {
	const work = async () => {
		await sleep(state.catchUpDelay());
		const { robotIds, teamId } = readTriggerSettings(trigger);
		const maxun = await trigger.connect({ teamId });
		const [robotId] = robotIds.filter((id) => state.webhooks[id]).concat(robotIds);
		const target = { robotId, webhookId: state.webhooks[robotId] };
		await sendSample(
			maxun,
			target,
			async () => await sendToSelf(state.secrets.current(trigger.id, maxun.sign)),
		);
	};
	await work().catch((error: unknown) =>
		trigger.warn(`the next event continues the catch-up: ${String(error)}`),
	);
}

/** The deliveries of each trigger that are being checked, or wait for that. */
const batches = new ProcessStates(() => new Batches<Delivery, Decision>());

/** Decides what to do with a delivery. If there are too many, or anything fails, the sender must retry. */
async function decideOrPostpone(request: DeliveryRequest, delivery: Delivery): Promise<Decision> {
	const { trigger, state } = request;
	if (isRepeat(delivery, state.ledger)) return REPEAT;
	const deciding = batches.get(trigger.key).add(delivery, async (deliveries) => {
		const outputs = await processDeliveries(request, deliveries);
		const start = outputs.find((decision) => 'items' in decision);
		// The deliveries that arrive until n8n has stored the execution start the next one.
		return { outputs, done: start && 'isStored' in start ? start.isStored : Promise.resolve() };
	});
	const decision = await deciding.catch((error: unknown): Decision => {
		trigger.logError(`A delivery could not be checked: ${String(error)}`);
		return { retry: 'the delivery could not be checked' };
	});
	return decision ?? { retry: 'too many deliveries at once' };
}

async function processDeliveries(
	{ trigger, state, toBinary }: DeliveryRequest,
	deliveries: Delivery[],
): Promise<Decision[]> {
	const deadline = Date.now() + SEARCH_TIME;
	const settings = readTriggerSettings(trigger);
	const { teamId, testWith } = settings;
	const options = { teamId, ...RETRY_LIMITS, timeout: TIMEOUT };
	const connection = { ...(await connectTrigger(trigger, options)), toBinary };
	if (trigger.isTest && deliveries.every(({ isTest }) => isTest)) {
		const isWanted = testWith === 'latestRun' && !state.isActivating;
		const sample = isWanted ? await latestRun(settings, connection) : { ignore: 'test event' };
		return deliveries.map(() => sample);
	}
	return await decide(deliveries, {
		settings: trigger.isTest ? { ...settings, catchUp: false } : settings,
		state,
		connection,
		claims: new DeliveryClaims(state.claims),
		deadline,
	});
}

/** The latest run that would have started the workflow. */
async function latestRun(
	settings: TriggerSettings,
	connection: EventConnection,
): Promise<Decision> {
	const run = await readLatest(connection.maxun, settings);
	if (!run) return { ignore: 'no run has finished yet' };
	const items = await itemsOfEvent(run, settings, connection);
	const isStored = Promise.resolve(true);
	return { items, hasMore: false, isStored, markProcessed: doNothing, release: doNothing };
}

const doNothing = () => undefined;

/** Calls back on a server error, which means that n8n did not store the execution. */
function onServerError({ response }: DeliveryRequest, callback: () => void): void {
	response.once('finish', () => {
		if (response.statusCode >= 500) callback();
	});
}

/** Responds without starting anything. An error would show a failed execution for each forged delivery. */
function refuse(
	{ response }: DeliveryRequest,
	status: number,
	error: string,
): IWebhookResponseData {
	response.status(status).json({ error });
	return { noWebhookResponse: true };
}
