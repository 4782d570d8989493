import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { readDelivery } from '../api/delivery';
import type { Patience } from '../core/retry';
import { findLatest } from './backlog';
import { itemsOfEvent, type EventPort } from './emit';
import { isTest, memoryOf, type Memory } from './memory';
import { portFor } from './port';
import { isRepeat, receive, type TriggerSettings, type Verdict } from './receive';
import { isSecret, SECRET_PARAMETER } from './secret';
import { isRegisteredByHand, parametersOf, TriggerParameters } from './settings';

/** The sender waits for the answer and sends again what is not accepted, so there is no long waiting here. */
const BRIEF: Patience = { maxRetries: 1, maxWait: 3_000 };

/** Milliseconds for one request to the API. */
const TIMEOUT = 7_000;

/** Milliseconds from the delivery in which missed runs are looked for; senders wait 30 seconds by default. */
const LOOKING = 10_000;

/**
 * What starts the workflow. n8n asks for the answer when it has stored the execution, which is the moment to note its
 * runs: before, a crash would lose them, and what is noted later n8n does not save any more. (It does not save what
 * was noted earlier either, as the execution makes a fresh start with the same data.) It asks only where the
 * description of the webhook has an empty `responseData`.
 */
class Started implements IWebhookResponseData {
	constructor(
		readonly workflowData: INodeExecutionData[][],
		private readonly onStored: () => void,
	) {}

	get webhookResponse(): IDataObject {
		this.onStored();
		return { started: true };
	}
}

/** Answers a delivery: starts the workflow for runs that are proven and wanted, and never fails for what a stranger sent. */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const memory = memoryOf(context);
	if (memory.secret === '') return refuse(context, 503, 'The trigger is not ready yet');
	const query: Record<string, unknown> = Object.fromEntries(Object.entries(context.getQueryData()));
	// An address that the user has registered carries no secret; what is sent to it proves nothing in any case.
	if (!isRegisteredByHand(context) && !isSecret(query[SECRET_PARAMETER], memory.secret)) {
		return refuse(context, 401, 'This address needs its secret');
	}
	const verdict = await decide(context, memory);
	const save = () => {
		if (!isTest(context)) memory.save(context.getWorkflowStaticData('node'));
	};
	if ('emit' in verdict) {
		onFailure(context, verdict.release);
		return new Started([verdict.emit], () => {
			verdict.settle();
			save();
		});
	}
	// What n8n has overwritten meanwhile with an older copy is put right with each delivery.
	save();
	if ('again' in verdict) return refuse(context, 503, verdict.again);
	return { webhookResponse: { ignored: verdict.ignore } };
}

async function decide(context: IWebhookFunctions, memory: Memory): Promise<Verdict> {
	if (isRepeat(context.getBodyData(), memory)) return { ignore: 'repeat' };
	const judging = memory.admit(async () => await judge(context, memory));
	const verdict = await judging.catch((error: unknown): Verdict => {
		context.logger.error(`${context.getNode().name} could not check a delivery: ${String(error)}`);
		return { again: 'the delivery could not be checked' };
	});
	return verdict ?? { again: 'too many deliveries at once' };
}

async function judge(context: IWebhookFunctions, memory: Memory): Promise<Verdict> {
	const deadline = Date.now() + LOOKING;
	const { events, robotIds, output, options } = parametersOf(TriggerParameters, context);
	const { teamId, testWith, ...others } = options;
	const port = await portFor(context, { teamId, patience: BRIEF, timeout: TIMEOUT });
	const settings: TriggerSettings = { events, robotIds, output, ...others };
	const body: unknown = context.getBodyData();
	if (!isTest(context)) return await receive(body, { settings, memory, port, deadline });
	if (readDelivery(body).isTest) {
		const shows = testWith === 'latestRun' && !memory.isActivating;
		return shows ? await latest(settings, port) : { ignore: 'test event' };
	}
	return await receive(body, {
		settings: { ...settings, catchUp: false },
		memory,
		port,
		deadline,
	});
}

/** The latest run that would have started the workflow. */
async function latest(settings: TriggerSettings, port: EventPort): Promise<Verdict> {
	const found = await findLatest(port.runs, settings);
	if (!found) return { ignore: 'no run has ended yet' };
	const run = await port.runs.read(found.id, settings.robotIds);
	return { emit: await itemsOfEvent(run, settings, port), settle: nothing, release: nothing };
}

const nothing = () => undefined;

/** Calls back when n8n tells the sender that it failed: what it was given it has not stored then. */
function onFailure(context: IWebhookFunctions, failed: () => void): void {
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode >= 500) failed();
	});
}

/** Answers without starting anything: to throw would show a failed execution for each stranger. */
function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ error });
	return { noWebhookResponse: true };
}
