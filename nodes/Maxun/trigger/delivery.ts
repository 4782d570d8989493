import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { recover, fullTextOf } from '../http/fault';
import { MINUTE } from '../http/time';
import { readDelivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { isName } from '../servers/named';
import { endOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { Cursor } from './cursor';
import { markItems } from './emission';
import { FLOODED, type Decision } from './deliveries';
import { mismatchOf, type Reading } from './event';
import { isDueSince, requestLook } from './memory';
import { stateOf } from './processedRuns';
import { withIds } from './robots';
import { latestToShow, listLatest, MOST_RECENT, readItems } from './runList';
import { readSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import { SAMPLE_STATUS } from './webhooks';

/** How long before the latest run a run may have ended, if its event doesn't contain an ID. */
const RECENT = 5 * MINUTE;

/** Maxun waits 30 seconds for the response. */
const WHILE_DELIVERING = { maxRetries: 0, maxWait: 3_000, timeout: 25_000 };

/** Responds to a delivery. It only mentions a run: the API says what happened. Forged deliveries never cause errors. */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const trigger = readTriggerNode(context);
	const delivery = readDelivery(context.getBodyData());
	const { isTest: isSample } = delivery;
	const { robot }: { robot?: unknown } = context.getQueryData();
	const decision = isSample
		? await orRetry(trigger, decideOnSample(trigger))
		: await decideOnce(trigger, robot, delivery);
	const workflowData = decision.items && [decision.items];
	const webhookResponse = workflowData ? { started: true } : decision;
	if (!isSample && decision.retry === undefined) return { workflowData, webhookResponse };
	// An error here would show each forged delivery as a failed execution.
	const status = isSample ? SAMPLE_STATUS : 503;
	const { hasReceivedEvent } = trigger.memory;
	const own = isSample ? { n8n: trigger.instance, hasReceivedEvent } : {};
	context
		.getResponseObject()
		.status(status)
		.json({ ...webhookResponse, ...own });
	return { workflowData, noWebhookResponse: true };
}

async function orRetry(trigger: TriggerNode, deciding: Promise<Decision>): Promise<Decision> {
	return await deciding.catch((error: unknown): Decision => {
		const { memory, warn } = trigger;
		// The connection may have a wrong key, or wait for a rate limit.
		memory.connection = undefined;
		if (isDueSince(memory.deliveryToldAt)) {
			memory.deliveryToldAt = Date.now();
			warn(`an event could not be checked: ${fullTextOf(error)}`);
		}
		return { retry: 'the event could not be checked' };
	});
}

/** Each of the trigger's webhooks has the robot in its URL, so a delivery without it is somebody else's. */
async function decideOnce(
	trigger: TriggerNode,
	robot: unknown,
	{ runId, isFailure }: ReturnType<typeof readDelivery>,
): Promise<Decision> {
	if (typeof robot !== 'string' || isName(robot)) return { ignored: 'no robot in the URL' };
	const { memory } = trigger;
	const check = async () => await orRetry(trigger, decide(trigger, robot, runId));
	const name = `${robot} ${runId} ${isFailure}`;
	const decision = await memory.deliveries.decide(name, check, runId !== undefined);
	if (decision === FLOODED) requestLook(memory);
	return decision;
}

async function decide(
	trigger: TriggerNode,
	robot: string,
	runId: string | undefined,
): Promise<Decision> {
	const reading = await readingFor(trigger);
	const { maxun, settings, hasBegun } = reading;
	if (!hasBegun && !trigger.isTest) {
		// Earlier runs would look new. A later node that also stores data may have overwritten the cursor, so a poll saves it.
		trigger.memory.isUnsaved = true;
		return { retry: 'the trigger has not begun to watch' };
	}
	const { robotIds } = settings;
	if (robotIds.length > 0 && !robotIds.includes(robot))
		return { ignored: 'event of another robot' };
	if (runId === undefined) {
		const recent = await recentRuns(trigger, reading, robot);
		// The list may not show the end of the run yet.
		return recent ? await propose(trigger, recent, reading) : { retry: 'no run has ended yet' };
	}
	const run = await recover(maxun.runs.get(runId, [robot]), { notFound: () => undefined });
	// The service may announce a run before it can be read.
	if (!run) return { retry: 'the run cannot be read now' };
	if (!hasEnded(run)) return { retry: 'the run has not ended yet' };
	return await propose(trigger, [{ ...run, id: runId }], reading);
}

/** In production, a sample event only shows that Maxun reaches the trigger. */
async function decideOnSample(trigger: TriggerNode): Promise<Decision> {
	if (!trigger.isTest) return { ignored: 'sample event' };
	const reading = await readingFor(trigger);
	const read = await latestToShow(reading);
	return read
		? { items: markItems(read) }
		: { ignored: 'no run has ended that matches the settings' };
}

type WatchedReading = Reading & ReturnType<typeof Cursor.stored>;

async function readingFor(trigger: TriggerNode): Promise<WatchedReading> {
	const given = readSettings(trigger);
	const maxun = await connectionOf(trigger, given.teamId);
	return { maxun, settings: withIds(given, trigger.record()), ...Cursor.stored(trigger) };
}

/** How long deliveries share a connection. Then a changed credential applies. */
const SHARED_TIME = 10_000;

async function connectionOf(trigger: TriggerNode, teamId?: string): Promise<MaxunServer> {
	const memory = trigger.memory;
	const known = memory.connection;
	if (known && Math.abs(Date.now() - known.at) < SHARED_TIME) return await known.maxun;
	const maxun = trigger.connect({ teamId, ...WHILE_DELIVERING });
	memory.connection = { maxun, at: Date.now() };
	return await maxun;
}

/** The latest runs that no list contained before; undefined if none has ended. */
async function recentRuns(
	{ memory }: TriggerNode,
	{ maxun, settings, isProcessed }: WatchedReading,
	robotId: string,
): Promise<Run[] | undefined> {
	const { latest, matching } = await listLatest(maxun, { ...settings, robotIds: [robotId] });
	const recent = matching.filter((run) => (endOf(run) ?? -Infinity) > latest - RECENT);
	const open = recent.filter((run) => !memory.started.has(stateOf(run)) && !isProcessed(run));
	// The next poll reads the other runs. Otherwise, many events would read the same runs. If there are none, the list
	// may not show the run yet.
	if (open.length > MOST_RECENT || open.length === 0) requestLook(memory);
	return recent.length > 0 ? open.slice(0, MOST_RECENT) : undefined;
}

/** Proposes complete items, because a later version of n8n may not call `execute`. */
async function propose(
	trigger: TriggerNode,
	runs: Run[],
	reading: WatchedReading,
): Promise<Decision> {
	const reasons = runs.map((run) => refuse(trigger, run, reading));
	const wanted = runs.filter((_, index) => reasons[index] === undefined);
	if (wanted.length === 0) return { ignored: reasons[0] ?? 'no new run' };
	// The run that an event mentions has been read with its data.
	const read = async (run: Run) => await Promise.resolve(run);
	const results = await readItems(wanted, reading, 'data' in runs[0] ? { read } : {});
	const found = results.filter(({ items }) => items.length > 0);
	const [error] = results.flatMap((result) => result.error ?? []);
	if (found.length === 0) return error ? { retry: error.message } : { ignored: 'no items' };
	trigger.memory.hasReceivedEvent = true;
	return { items: found.flatMap(markItems) };
}

function refuse(trigger: TriggerNode, run: Run, reading: WatchedReading): string | undefined {
	const { settings, isProcessed } = reading;
	const mismatch = mismatchOf(run, settings);
	if (mismatch !== undefined || trigger.isTest) return mismatch;
	return isProcessed(run)
		? 'the run ended before the workflow was published, or is already processed'
		: undefined;
}
