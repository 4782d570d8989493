import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { MINUTE } from '../http/time';
import { readDelivery, type Delivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { markItems, type MarkedItem } from './emission';
import { DELIVERY_TIME, mismatchOf } from './event';
import { SAMPLE_STATUS } from './registration';
import { listLatest, MOST_TESTED, readRuns, readUntilItems } from './runList';
import { readTriggerSettings } from './settings';
import { readTriggerNode, WHILE_DELIVERING, type TriggerNode } from './triggerNode';
import { isBefore, readWatching, type Watching } from './watch';

/** How many runs are proposed at most for a delivery without run ID. */
const MOST_RECENT = 5;

/** How many deliveries per minute may name no new run. Anyone who knows the URL can forge them. */
const MOST_FRUITLESS = 30;

/** The sender should send the delivery again, because it can't be processed now. */
interface Postponed {
	retry: string;
}

/** Whether items start the workflow, or why not. `execute` drops those of runs that have started it before. */
type Decision = { items: MarkedItem[] } | { ignored: string } | Postponed;

/** What processing a delivery uses. */
type DeliveryContext = Watching & { delivery: Delivery };

/**
 * Responds to a delivery. It only names a run: the API says what happened. Proposes the complete items of the run, without
 * a memory of its own, because several processes receive deliveries. Forged deliveries never cause errors.
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const trigger = readTriggerNode(context);
	const delivery = readDelivery(context.getBodyData());
	const decision = await decide(context, trigger, delivery).catch((error: unknown): Decision => {
		const reason = error instanceof MaxunFault ? error.text : String(error);
		trigger.warn(`a delivery could not be checked: ${reason}`);
		connections.delete(trigger.key); // it may have a wrong key
		// Publishing must not fail because of a rate limit. The execution waits until it ends.
		if (delivery.isTest && !trigger.isTest) return { items: searchOnly(addressOf(context)) };
		return { retry: 'the delivery could not be checked' };
	});
	// It may wait for a rate limit.
	if ('retry' in decision) connections.delete(trigger.key);
	const workflowData = 'items' in decision ? [decision.items] : undefined;
	const webhookResponse = workflowData ? { started: true } : decision;
	if (!delivery.isTest && !('retry' in decision)) return { workflowData, webhookResponse };
	// A thrown error would show a failed execution for each forged delivery.
	const status = 'retry' in decision ? 503 : SAMPLE_STATUS;
	context.getResponseObject().status(status).json(webhookResponse);
	return { workflowData, noWebhookResponse: true };
}

/** How long deliveries share a connection, in milliseconds. A changed credential applies afterwards. */
const SHARED_TIME = 10_000;

/** The connection of each trigger. n8n takes 75 ms of a core to resolve a credential, as long as for the webhook call. */
const connections = new Map<string, { maxun: Promise<MaxunServer>; at: number }>();

async function connectionOf({ key, connect }: TriggerNode, teamId?: string): Promise<MaxunServer> {
	const known = connections.get(key);
	if (known && Math.abs(Date.now() - known.at) < SHARED_TIME) return await known.maxun;
	const maxun = connect({ teamId, ...WHILE_DELIVERING });
	connections.set(key, { maxun, at: Date.now() });
	return await maxun;
}

/** When deliveries named no new run, by trigger, in epoch milliseconds. A restart forgets it without harm. */
const fruitless = new Map<string, number[]>();

async function decide(
	hook: IWebhookFunctions,
	trigger: TriggerNode,
	delivery: Delivery,
): Promise<Decision> {
	const { key, isTest } = trigger;
	const given = readTriggerSettings(trigger);
	const isWanted = isTest ? given.testWith === 'latestRun' : given.catchUp;
	if (delivery.isTest && !isWanted) return { ignored: 'test event' };
	// A time in the future comes from a clock that has been set back.
	const recent = fruitless.get(key)?.filter((time) => Math.abs(Date.now() - time) < MINUTE) ?? [];
	if (recent.length >= MOST_FRUITLESS) return { retry: 'too many deliveries without a new run' };
	const { robotId, runId } = delivery;
	const hasId = !delivery.isTest && runId !== undefined;
	const note = () => fruitless.set(key, [...recent, Date.now()]);
	if (!hasId) note();
	const maxun = await connectionOf(trigger, given.teamId);
	const watching = await readWatching(trigger, given, maxun, addressOf(hook));
	const robotIds = watching.settings.robotIds.filter(
		(id) => delivery.isTest || robotId === undefined || id === robotId,
	);
	if (robotIds.length === 0) return { ignored: 'run of another robot' };
	const context = { ...watching, delivery };
	const found = hasId
		? await findNamed(context, robotIds, runId)
		: await findLatest(context, robotIds);
	const decision = 'runs' in found ? await propose(found, context, !hasId) : found;
	if (hasId && !('items' in decision)) note();
	const isFirst = isFirstIgnored(key, decision);
	const mustSearch = delivery.isTest ? 'runs' in found && found.runs.length > 0 : isFirst;
	const canSearch = !isTest && given.catchUp && !('items' in decision);
	return mustSearch && canSearch ? { items: searchOnly(watching.address) } : decision;
}

/**
 * The triggers of which this process has checked an event. n8n may have been down before the first one. If many runs have no
 * changes or no data, their events start no execution. Then nothing would look for missed runs, and they would be lost
 * after 72 hours. This costs up to one execution without items for each start of a process.
 */
const begun = new Set<string>();

/** Whether this is the first event of a trigger that this process has checked, and its run doesn't start the workflow. */
function isFirstIgnored(key: string, decision: Decision): boolean {
	const isFirst = !begun.has(key);
	if (!('retry' in decision)) begun.add(key);
	return isFirst && 'ignored' in decision;
}

/** An item that starts an execution, which looks for missed runs and drops the item. */
const searchOnly = (address: string): MarkedItem[] =>
	markItems({ address, isSearch: true }, [{ json: {} }]);

/** The URL at which a delivery has arrived. */
function addressOf(hook: IWebhookFunctions): string {
	const query = Object.entries<unknown>({ ...hook.getQueryData() }).flatMap(([name, value]) =>
		typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
	);
	return `${hook.getNodeWebhookUrl('default')}?${new URLSearchParams(query).toString()}`;
}

/** Runs that a delivery is about, and how to read them. */
interface Found {
	runs: Run[];
	read?: (run: Run) => Promise<Run>;
}

async function findNamed(
	context: DeliveryContext,
	robotIds: string[],
	runId: string,
): Promise<Found | Decision> {
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
	return refusalOf(run, context) ?? { runs: [run], read: async () => await reading };
}

/** Why a run doesn't start the workflow, or not yet; undefined if it does. */
function refusalOf(run: Run, context: DeliveryContext): Decision | undefined {
	if (!hasEnded(run)) return { retry: 'the run has not ended yet' };
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
 * The runs for a delivery without run ID: those with the same end, the recent ones, or the latest one. A sample event shows
 * the latest one in a test, and otherwise starts a search for missed runs.
 */
async function findLatest(context: DeliveryContext, robotIds: string[]): Promise<Found | Decision> {
	const { settings, maxun, delivery, trigger } = context;
	const criteria = { ...settings, robotIds };
	// A sample event shows a run that has ended.
	const listed = await listLatest(maxun, criteria, delivery.isTest);
	const isWatched = ({ robotId }: Run) => robotIds.includes(robotId ?? '');
	const isFound = listed.matching.some((run) => isNamed(run, delivery));
	// Hundreds of active runs may hide the one that has ended.
	const isHidden = listed.active.length > 0 && listed.isTruncated && !isFound;
	const { matching, now } = isHidden ? await listLatest(maxun, criteria) : listed;
	const wanted = matching.filter((run) => refusalOf(run, context) === undefined);
	if (delivery.isTest) return { runs: wanted.slice(0, trigger.isTest ? MOST_TESTED : 1) };
	const exact = wanted.filter((run) => isNamed(run, delivery));
	const recent = wanted.filter((run) => (endOf(run) ?? Infinity) > now - DELIVERY_TIME);
	const chosen = exact.length > 0 ? exact : recent.slice(0, MOST_RECENT);
	// The list may not show the end of the run yet. The list of many robots contains runs of others.
	if (chosen.length === 0 && listed.active.some(isWatched)) {
		return { retry: 'a run has not ended yet' };
	}
	return { runs: chosen.length > 0 ? chosen : wanted.slice(0, 1) };
}

/** The complete items of runs, because a later version of n8n may not call `execute`. */
async function propose(
	{ runs, read }: Found,
	context: DeliveryContext,
	isSearch: boolean,
): Promise<Decision> {
	const { address, settings, delivery } = context;
	const results = delivery.isTest
		? await readUntilItems(runs, context)
		: await readRuns(runs, context, { read });
	const items = results.flatMap(({ run: { id }, items: made }) =>
		markItems({ id, address, isSearch }, made),
	);
	const [error] = results.flatMap((result) => result.error ?? []);
	// A search finds a run later that can't be read now, so that it doesn't delay the others.
	const isLeft = items.length === 0 || !settings.catchUp;
	if (error && isLeft) return { retry: error.message };
	return items.length > 0 ? { items } : { ignored: 'no items' };
}
