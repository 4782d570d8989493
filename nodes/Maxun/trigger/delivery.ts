import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { recover } from '../http/fault';
import type { RetryLimits } from '../http/retry';
import { readDelivery, type Delivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { markItems, type MarkedItem } from './emission';
import { DELIVERY_TIME, isLate, mismatchOf, tryItems } from './event';
import { watchedRobots, withRobotIds } from './robotNames';
import { listLatest, readListed } from './runList';
import { SAMPLE_STATUS } from './sampleEvent';
import { readTriggerSettings, type TriggerSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import { isBefore, laterOf, readWatch, savedSince, selectionOf, sinceIn } from './watch';

/** The sender waits for the response and retries rejected deliveries, so requests are rarely retried here. */
const LIMITS: RetryLimits & { timeout: number } = { maxRetries: 1, maxWait: 3_000, timeout: 7_000 };

const MINUTE = 60_000;

/** How many runs are proposed at most for a delivery without run ID. */
const MOST_RECENT = 5;

/** How many deliveries per minute may name no new run. Anyone who knows the URL can forge them. */
const MOST_FRUITLESS = 30;

/** Items that start the workflow. `execute` drops those of runs that have started it before. */
interface Proposal {
	items: MarkedItem[];
}

/** No reason to start the workflow, and the sender needn't retry the delivery. */
interface Ignored {
	ignored: string;
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
	/** Since when the robot of a run is watched, as far as this process knows. */
	sinceOf(run: Run): number | undefined;
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
	const workflowData = 'items' in decision ? [decision.items] : undefined;
	const webhookResponse = workflowData ? { started: true } : decision;
	if (!delivery.isTest && !('retry' in decision)) return { workflowData, webhookResponse };
	// A thrown error would show a failed execution for each forged delivery.
	const status = 'retry' in decision ? 503 : SAMPLE_STATUS;
	context.getResponseObject().status(status).json(webhookResponse);
	return { workflowData, noWebhookResponse: true };
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
	const selection = selectionOf(settings);
	const place = { url, server: maxun.baseUrl, selection };
	const saved = trigger.isTest ? {} : savedSince(readWatch(trigger), place);
	const [firstRobot] = settings.robotIds;
	return {
		trigger,
		settings,
		maxun,
		delivery,
		url,
		sinceOf(run) {
			const robotId = run.robotId ?? firstRobot;
			return laterOf(saved[robotId], sinceIn(Object.entries(query), robotId, selection));
		},
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

/** When deliveries named no new run, by trigger, in epoch milliseconds. A restart forgets it without harm. */
const fruitless = new Map<string, number[]>();

/** Decides what to do with a delivery. */
async function decide(context: DeliveryContext): Promise<Decision> {
	const { delivery, trigger, settings } = context;
	const { key, isTest } = trigger;
	const isWanted = isTest ? settings.testWith === 'latestRun' : settings.catchUp;
	if (delivery.isTest && !isWanted) return { ignored: 'test event' };
	// A time in the future comes from a clock that has been set back.
	const recent = fruitless.get(key)?.filter((time) => Math.abs(Date.now() - time) < MINUTE) ?? [];
	if (recent.length >= MOST_FRUITLESS) return { retry: 'too many deliveries that name no new run' };
	const { robotId, runId } = delivery;
	const robotIds = settings.robotIds.filter(
		(id) => delivery.isTest || robotId === undefined || id === robotId,
	);
	if (robotIds.length === 0) return { ignored: 'run of another robot' };
	const isNamed = !delivery.isTest && runId !== undefined;
	const decision = isNamed
		? await decideOnRun(context, robotIds, runId)
		: await decideOnLatest(context, robotIds);
	if (!isNamed || !('items' in decision)) fruitless.set(key, [...recent, Date.now()]);
	return decision;
}

/** A run, as far as it is known. */
interface Candidate {
	run: Run;
	read: () => Promise<Run>;
}

async function decideOnRun(
	context: DeliveryContext,
	robotIds: string[],
	runId: string,
): Promise<Decision> {
	const { maxun, settings } = context;
	const reading = maxun.runs.get(runId, robotIds).then((run) => ({ ...run, id: runId }));
	const run = await recover(reading, {
		any: async ({ status }) => {
			// The service may announce a run before it can be read. If it can't be read later, its list shows it.
			if (status === 404 || status === 429) return undefined;
			const { matching } = await listLatest(maxun, settings);
			return matching.find(({ id }) => id === runId);
		},
	});
	if (!run) return { retry: 'the run cannot be read now' };
	return (
		refusalOf(run, context) ??
		(await propose([{ run, read: async () => await reading }], context, false))
	);
}

/** Why a run doesn't start the workflow, or not yet; undefined if it does. */
function refusalOf(run: Run, context: DeliveryContext): Ignored | Postponed | undefined {
	if (!hasEnded(run)) return { retry: 'the run has not finished yet' };
	const mismatch = mismatchOf(run, context.settings);
	if (mismatch !== undefined) return { ignored: mismatch };
	if (context.trigger.isTest) return undefined;
	const before = isBefore(run, context.sinceOf(run), isNamed(run, context.delivery));
	// In queue mode, n8n may not have saved the start of the watch yet.
	if (before === undefined) return { retry: 'the start of the watch is not known yet' };
	return before ? { ignored: 'the run ended before the workflow was published' } : undefined;
}

/** Whether a delivery names the run, or its end if it has no run ID. */
const isNamed = (run: Run, { runId, finishedAt }: Delivery): boolean =>
	run.id === runId || (finishedAt !== undefined && run.finishedAt === finishedAt);

/**
 * Decides on a delivery without run ID: the run with the same end, the recent ones, or the latest one. A sample event shows
 * the latest one in a test, and otherwise starts a search for missed runs.
 */
async function decideOnLatest(context: DeliveryContext, robotIds: string[]): Promise<Decision> {
	const { settings, maxun, delivery } = context;
	const criteria = { ...settings, robotIds };
	const { matching, now } = await listLatest(maxun, criteria);
	const wanted = matching.filter((run) => refusalOf(run, context) === undefined);
	const exact = wanted.filter((run) => isNamed(run, delivery));
	const recent = wanted.filter((run) => (endOf(run) ?? Infinity) > now - DELIVERY_TIME);
	let chosen = exact.length > 0 ? exact : recent.slice(0, MOST_RECENT);
	if (delivery.isTest) chosen = [];
	// The list may not show the end of the run yet.
	else if (chosen.length === 0) {
		const { active } = await listLatest(maxun, criteria, false);
		if (active.length > 0) return { retry: 'a run has not finished yet' };
	}
	const candidates = (chosen.length > 0 ? chosen : wanted.slice(0, 1)).map((run) => ({
		run,
		read: async () => await readListed(run, robotIds, maxun),
	}));
	return await propose(candidates, context, true);
}

/** The complete items of runs, because a later version of n8n may not call `execute`. */
async function propose(
	candidates: Candidate[],
	{ settings, maxun, trigger, url, sinceOf }: DeliveryContext,
	isSearch: boolean,
): Promise<Decision> {
	const items: MarkedItem[] = [];
	const failed: Error[] = [];
	const reader = { maxun, toBinary: trigger.toBinary };
	for (const { run, read } of candidates) {
		const made = await tryItems(run, read, settings, reader, isLate(run));
		const mark = { id: run.id, robotId: run.robotId ?? '', since: sinceOf(run), url, isSearch };
		if (made instanceof Error) failed.push(made);
		else items.push(...markItems(mark, made));
	}
	// A search finds a run later that can't be read now, so that it doesn't delay the others.
	const isLeft = items.length === 0 || !settings.catchUp;
	if (failed[0] && isLeft) return { retry: failed[0].message };
	return items.length > 0 ? { items } : { ignored: 'no items' };
}
