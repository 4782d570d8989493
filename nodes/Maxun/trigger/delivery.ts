import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { recover, type MaxunFault } from '../http/fault';
import type { RetryLimits } from '../http/retry';
import type { Item } from '../runs/types';
import { readDelivery, type Delivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { ageOf, endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { markItems, type MarkedItem } from './emission';
import { isRateLimit, itemsWithoutData, mismatchOf, tryItems } from './event';
import { MinuteLimit } from './minuteLimit';
import { watchedRobots, withRobotIds } from './robotNames';
import { listLatest, readLatest, readListed } from './runList';
import { SAMPLE_STATUS } from './sampleEvent';
import { readTriggerSettings, type TriggerSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import {
	filterOf,
	isBefore,
	laterOf,
	readWatch,
	savedSince,
	sinceInQuery,
	type Since,
} from './watch';

/** The sender waits for the response and retries rejected deliveries, so requests are rarely retried here. */
const LIMITS: RetryLimits & { timeout: number } = { maxRetries: 1, maxWait: 3_000, timeout: 7_000 };

const MINUTE = 60_000;

/** Senders make their last attempt 43 minutes after the first. By then, a run starts the workflow without its data. */
const RETRY_TIME = 30 * MINUTE;

/** A run that has ended within this time may be the one that a delivery without run ID means. */
const DELIVERY_TIME = 5 * MINUTE;

/** How many such runs are proposed at most. */
const MOST_RECENT = 5;

/** Reads that lead to nothing, and sample events. */
const fruitlessReads = new MinuteLimit('reads', 30);
const samples = new MinuteLimit('samples', 12);

/** Items that start the workflow. `execute` drops those of runs that have started it before. */
interface Proposal {
	items: MarkedItem[];
}

/** No reason to start the workflow, and the sender needn't retry the delivery. */
interface Ignored {
	ignore: string;
}

/** The delivery can't be processed now. The sender should retry it. */
interface Postponed {
	retry: string;
}

type Decision = Proposal | Ignored | Postponed;

/** What processing a delivery uses. */
interface DeliveryContext {
	trigger: TriggerNode;
	settings: TriggerSettings;
	maxun: MaxunServer;
	delivery: Delivery;
	url: string;
	/** When the watch of a robot began, as far as this process knows. */
	sinceOf(robotId: string): Since;
}

/**
 * Responds to a delivery. It only names a run: the API says what happened. Proposes the complete items of the run, without
 * a memory of its own, because several processes receive deliveries. Forged deliveries never cause errors.
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const trigger = readTriggerNode(context);
	const delivery = readDelivery(context.getBodyData());
	const url = context.getNodeWebhookUrl('default') ?? '';
	const decision = await prepare(trigger, delivery, url, context.getQueryData())
		.then(decide)
		.catch((error: unknown): Decision => {
			trigger.warn(`a delivery could not be checked: ${String(error)}`);
			return { retry: 'the delivery could not be checked' };
		});
	// It may wait for a rate limit, or have a wrong key.
	if ('retry' in decision) connections.clear();
	if ('items' in decision) {
		return { workflowData: [decision.items], webhookResponse: { started: true } };
	}
	const isSample = delivery.isTest;
	if ('ignore' in decision && !isSample) return { webhookResponse: { ignored: decision.ignore } };
	// A thrown error would show a failed execution for each forged delivery.
	const status = 'retry' in decision ? 503 : SAMPLE_STATUS;
	context.getResponseObject().status(status).json(decision);
	return { noWebhookResponse: true };
}

async function prepare(
	trigger: TriggerNode,
	delivery: Delivery,
	url: string,
	query: object,
): Promise<DeliveryContext> {
	const given = readTriggerSettings(trigger);
	const maxun = await connectionOf(trigger, given.teamId);
	const settings = await withRobotIds(given, maxun, watchedRobots(trigger));
	const filter = filterOf(settings);
	const inQuery = sinceInQuery(Object.fromEntries(Object.entries(query)), filter);
	const saved = trigger.isTest
		? {}
		: savedSince(readWatch(trigger), { url, server: maxun.baseUrl, filter });
	return {
		trigger,
		settings,
		maxun,
		delivery,
		url,
		sinceOf: (robotId) => laterOf(inQuery, saved[robotId] ?? {}),
	};
}

/** How long deliveries share a connection, in milliseconds. A changed credential applies afterwards. */
const SHARED_TIME = 10_000;

/** The connection of each trigger. n8n takes 75 ms of a core to resolve a credential, as long as for the webhook call. */
const connections = new Map<string, { maxun: Promise<MaxunServer>; at: number }>();

async function connectionOf(trigger: TriggerNode, teamId?: string): Promise<MaxunServer> {
	const { credentials } = trigger.node;
	const key = JSON.stringify([trigger.key, trigger.parameter('server', ''), teamId, credentials]);
	const known = connections.get(key);
	if (known && Math.abs(Date.now() - known.at) < SHARED_TIME) return await known.maxun;
	const maxun = trigger.connect({ teamId, ...LIMITS });
	connections.set(key, { maxun, at: Date.now() });
	for (const [other, { at }] of connections) {
		if (Math.abs(Date.now() - at) >= SHARED_TIME) connections.delete(other);
	}
	return await maxun.catch((error: unknown) => {
		connections.delete(key);
		throw error;
	});
}

/** Decides what to do with a delivery. */
async function decide(context: DeliveryContext): Promise<Decision> {
	const { delivery, trigger } = context;
	if (delivery.isTest) return await decideOnSample(context);
	return fruitlessReads.isReached(trigger.key)
		? { retry: 'too many deliveries that name no run of the robots' }
		: await decideOnRun(context);
}

/** A run and, if its data can't be read, why. */
interface ReadRun {
	run: Run;
	error?: Error;
}

/** A sample event shows the latest run in a test. Otherwise it starts a search for missed runs. */
async function decideOnSample(context: DeliveryContext): Promise<Decision> {
	const { trigger, settings, maxun } = context;
	if (trigger.isTest) {
		if (settings.testWith !== 'latestRun') return { ignore: 'test event' };
		const run = await readLatest(maxun, settings);
		return run ? await propose([{ run }], context) : { ignore: 'no run has finished yet' };
	}
	if (!settings.catchUp) return { ignore: 'test event' };
	if (samples.isReached(trigger.key)) return { retry: 'too many test events' };
	samples.count(trigger.key);
	const { matching } = await listLatest(maxun, settings);
	const latest = matching.find((run) => refusalOf(run, context) === undefined);
	// Without such a run, none was missed either.
	if (!latest) return { ignore: 'test event' };
	return await propose([await readOrExplain(latest, context)], context, true);
}

async function decideOnRun(context: DeliveryContext): Promise<Decision> {
	const { trigger, settings, maxun, delivery } = context;
	const { runId, robotId } = delivery;
	const robotIds = settings.robotIds.filter((id) => robotId === undefined || id === robotId);
	if (robotIds.length === 0) return { ignore: 'run of another robot' };
	if (runId === undefined) return await decideOnRecent(context, robotIds);
	const read = await recover<ReadRun, Postponed | ReadRun>(
		maxun.runs.get(runId, robotIds).then((run) => ({ run: { ...run, id: runId } })),
		{ any: async (fault) => await readInList(context, fault) },
	);
	const refusal = 'retry' in read ? read : refusalOf(read.run, context);
	if (refusal) fruitlessReads.count(trigger.key);
	return refusal ?? ('run' in read ? await propose([read], context) : read);
}

/** Why a run doesn't start the workflow, or not yet; undefined if it does. */
function refusalOf(run: Run, context: DeliveryContext): Ignored | Postponed | undefined {
	if (!hasEnded(run)) return { retry: 'the run has not finished yet' };
	const mismatch = mismatchOf(run, context.settings);
	if (mismatch !== undefined) return { ignore: mismatch };
	if (context.trigger.isTest) return undefined;
	const before = isBefore(run, sinceFor(run, context), isNamed(run, context.delivery));
	// In queue mode, n8n may not have saved the start of the watch yet.
	if (before === undefined) return { retry: 'the start of the watch is not known yet' };
	return before ? { ignore: 'the run ended before the workflow was published' } : undefined;
}

/** Whether a delivery names the run, or its end if it has no run ID. */
const isNamed = (run: Run, { runId, finishedAt }: Delivery): boolean =>
	run.id === runId || (finishedAt !== undefined && run.finishedAt === finishedAt);

const sinceFor = ({ robotId }: Run, { settings, sinceOf }: DeliveryContext) =>
	sinceOf(robotId ?? (settings.robotIds.length === 1 ? settings.robotIds[0] : ''));

/** A run that can't be read: as listed, if it ended long ago. */
async function readInList(
	{ settings, maxun, delivery }: DeliveryContext,
	fault: MaxunFault,
): Promise<Postponed | ReadRun> {
	const postponed = { retry: fault.message };
	// The service may announce a run before it can be read.
	if (fault.status === 404 || isRateLimit(fault)) return postponed;
	const { matching } = await listLatest(maxun, settings);
	const run = matching.find(({ id }) => id === delivery.runId);
	return run && isLate(run, delivery) ? { run, error: fault } : postponed;
}

/** Reads a listed run. Throws the fault, unless the run ended long ago. */
async function readOrExplain(listed: Run, context: DeliveryContext): Promise<ReadRun> {
	const { maxun, settings, delivery } = context;
	const reading = readListed(listed, settings.robotIds, maxun).then((run): ReadRun => ({ run }));
	return await recover(reading, {
		any: (fault): ReadRun => {
			if (isRateLimit(fault) || !isLate(listed, delivery)) throw fault;
			return { run: listed, error: fault };
		},
	});
}

/** Whether senders have announced the run for long enough. Retried deliveries have the time of the first one. */
function isLate(run: Run, { timestamp }: Delivery): boolean {
	const announced = Date.parse(timestamp ?? '');
	const age = Number.isNaN(announced) ? ageOf(run) : Date.now() - announced;
	return (age ?? 0) > RETRY_TIME;
}

/** Decides on a delivery without run ID: the run with the same end, the recent ones, or the latest one. */
async function decideOnRecent(context: DeliveryContext, robotIds: string[]): Promise<Decision> {
	const { settings, maxun, delivery, trigger } = context;
	fruitlessReads.count(trigger.key);
	const criteria = { ...settings, robotIds };
	const { matching, now } = await listLatest(maxun, criteria);
	const wanted = matching.filter((run) => refusalOf(run, context) === undefined);
	const { finishedAt, timestamp } = delivery;
	const exact = wanted.filter((run) => isNamed(run, delivery));
	const recent = wanted.filter((run) => (endOf(run) ?? Infinity) > now - DELIVERY_TIME);
	const chosen = exact.length > 0 ? exact : recent.slice(0, MOST_RECENT);
	const sentAt = Date.parse(timestamp ?? finishedAt ?? '') || Date.now();
	const isFirst = Date.now() - sentAt < DELIVERY_TIME;
	// The list may not show the end of the run yet.
	if (
		chosen.length === 0 &&
		isFirst &&
		(await listLatest(maxun, criteria, false)).active.length > 0
	) {
		return { retry: 'a run has not finished yet' };
	}
	const runs: ReadRun[] = [];
	const faults: MaxunFault[] = [];
	for (const run of chosen.length > 0 ? chosen : wanted.slice(0, 1)) {
		const reading = readOrExplain(run, context).then((read) => void runs.push(read));
		await recover(reading, {
			any: (fault) => {
				// A search finds this run later, so that it doesn't delay the others.
				if (!settings.catchUp || isRateLimit(fault)) throw fault;
				faults.push(fault);
			},
		});
	}
	if (runs.length === 0 && faults[0]) throw faults[0];
	return runs.length > 0 ? await propose(runs, context, true) : { ignore: 'nothing to do' };
}

/** The complete items of runs, because a later version of n8n may not call `execute`. */
async function propose(
	runs: ReadRun[],
	context: DeliveryContext,
	isSearch = false,
): Promise<Decision> {
	const items: MarkedItem[] = [];
	for (const read of runs) {
		const made = await itemsOfRun(read, context);
		if ('retry' in made) return made;
		const { id, robotId } = read.run;
		const since = sinceFor(read.run, context);
		const { url } = context;
		items.push(...markItems({ id, robotId: robotId ?? '', since, url, isSearch }, made));
	}
	return items.length > 0 ? { items } : { ignore: 'no items' };
}

async function itemsOfRun(
	{ run, error }: ReadRun,
	{ settings, maxun, trigger, delivery }: DeliveryContext,
): Promise<Item[] | Postponed> {
	if (error) return itemsWithoutData(run, error);
	const reader = { maxun, toBinary: trigger.toBinary };
	const isLast = isLate(run, delivery);
	const items = await tryItems(async () => await Promise.resolve(run), settings, reader, isLast);
	if (Array.isArray(items)) return items;
	return isLast && !isRateLimit(items) ? itemsWithoutData(run, items) : { retry: items.message };
}
