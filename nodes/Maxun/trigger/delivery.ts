import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { HOUR, MINUTE } from '../http/time';
import { capturedOf } from '../results/captured';
import { fullLists } from '../results/outcome';
import { readDelivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { ageOf, endOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { ALL_ROBOTS, Cursor } from './cursor';
import { markItems, type MarkedItem } from './emission';
import { mismatchOf, type Reading } from './event';
import { repairCheck } from './repair';
import { checkRobots, withIds } from './robots';
import { latestWithItems, listLatest, MOST_RECENT, readItems, type ReadRun } from './runList';
import { readSettings } from './settings';
import { hashOf, readTriggerNode, type TriggerNode } from './triggerNode';
import { SAMPLE_STATUS } from './webhooks';

/** For an event without a run ID: how long ago its run may have ended, in milliseconds. */
const RECENT = 5 * MINUTE;

/** How long ago an event's run may have ended, in milliseconds. Maxun sends events again for 42 minutes. */
const LONGEST_DELIVERY = HOUR;

/**
 * The limits of requests during a delivery. Maxun waits 30 seconds for the response, and sends the event again if
 * necessary.
 */
const WHILE_DELIVERING = { maxRetries: 0, maxWait: 3_000, timeout: 25_000 };

/** The items that start the workflow, why there are none, or why Maxun should send the event again. */
type Decision = { items: MarkedItem[] } | { ignored: string } | { retry: string };

/**
 * Responds to a delivery. A delivery only mentions a run: the API says what happened. Proposes the run's complete
 * items, and saves nothing, because several processes receive deliveries. Forged deliveries never cause errors.
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const trigger = readTriggerNode(context);
	const { isTest: isSample, runId } = readDelivery(context.getBodyData());
	const query = { ...context.getQueryData() };
	const robot = 'robot' in query ? query.robot : undefined;
	const deciding = isSample ? decideOnSample(trigger) : decide(trigger, robot, runId);
	const decision = await deciding.catch((error: unknown): Decision => {
		const reason = error instanceof MaxunFault ? error.text : String(error);
		trigger.warn(`an event could not be checked: ${reason}`);
		return { retry: 'the event could not be checked' };
	});
	// The connection may have a wrong key, or wait for a rate limit.
	if ('retry' in decision) trigger.memory.connection = undefined;
	const workflowData = 'items' in decision ? [decision.items] : undefined;
	const webhookResponse = workflowData ? { started: true } : decision;
	if (!isSample && !('retry' in decision)) return { workflowData, webhookResponse };
	// If it threw an error, each forged delivery would show as a failed execution.
	const status = 'retry' in decision ? 503 : SAMPLE_STATUS;
	const n8n = isSample ? { n8n: hashOf(trigger.address) } : {};
	context
		.getResponseObject()
		.status(status)
		.json({ ...webhookResponse, ...n8n });
	return { workflowData, noWebhookResponse: true };
}

/** @param robot the robot in the URL, which an event's sender can't choose */
async function decide(
	trigger: TriggerNode,
	robot: unknown,
	runId: string | undefined,
): Promise<Decision> {
	const reading = await readingFor(trigger);
	const { maxun, settings, hasBegun } = reading;
	// Earlier runs would look new.
	if (!hasBegun && !trigger.isTest) return { retry: 'the watch has not begun yet' };
	const { robotIds } = settings;
	const isSelected = typeof robot !== 'string' || robotIds.length === 0 || robotIds.includes(robot);
	if (!isSelected) return { ignored: 'event of another robot' };
	const asked = typeof robot === 'string' ? [robot] : robotIds;
	const run = runId === undefined ? undefined : await findRun(maxun, runId, asked);
	if (run && !hasEnded(run)) return { retry: 'the run has not ended yet' };
	if (run) return await propose(trigger, [run], reading);
	const decision = await proposeRecent(trigger, reading, asked);
	// The service may announce a run before it can be read.
	const isEarly = runId !== undefined && 'ignored' in decision;
	return isEarly ? { retry: 'the run cannot be read now' } : decision;
}

/**
 * In production, a sample event shows that Maxun reaches the trigger. In the editor, the trigger responds with the
 * latest run.
 */
async function decideOnSample(trigger: TriggerNode): Promise<Decision> {
	if (!trigger.isTest) return { ignored: 'sample event' };
	const reading = await readingFor(trigger);
	const { matching } = await listLatest(reading.maxun, reading.settings);
	const read =
		(await latestWithItems(matching, reading)) ?? (await firstRun(matching.slice(0, 1), reading));
	return read
		? { items: markItems(read) }
		: { ignored: 'no run has ended that matches the settings' };
}

/** A page's first run, compared with an empty page. Otherwise, the test would wait for a change. */
async function firstRun(runs: Run[], { maxun, settings }: Reading): Promise<ReadRun | undefined> {
	if (!settings.page) return undefined;
	const reading = { maxun, settings: { ...settings, fromNothing: true } };
	const read = await latestWithItems(runs, reading);
	const full = read ? fullLists(capturedOf(read.run), settings.page.definition?.lists) : [];
	return read && { ...read, note: [ALL_NEW, ...full, read.note].filter(Boolean).join('. ') };
}

const ALL_NEW =
	'No check shows a change that counts, so the test shows all content as added. When the workflow is published, it starts with what has changed';

/** What is needed to read runs, and what is known about them. */
type WatchedReading = Reading & ReturnType<typeof Cursor.stored>;

async function readingFor(trigger: TriggerNode): Promise<WatchedReading> {
	const given = readSettings(trigger);
	const maxun = await connectionOf(trigger, given.teamId);
	// A test has no saved names.
	if (trigger.isTest) await checkRobots(trigger, given, maxun);
	return {
		maxun,
		settings: withIds(given, trigger.record()),
		checkRepair: repairCheck(trigger, maxun, given, false),
		...Cursor.stored(trigger),
	};
}

/** How long deliveries share a connection, in milliseconds. Then a changed credential applies. */
const SHARED_TIME = 10_000;

async function connectionOf(trigger: TriggerNode, teamId?: string): Promise<MaxunServer> {
	const memory = trigger.memory;
	const known = memory.connection;
	if (known && Math.abs(Date.now() - known.at) < SHARED_TIME) return await known.maxun;
	const maxun = trigger.connect({ teamId, ...WHILE_DELIVERING });
	memory.connection = { maxun, at: Date.now() };
	return await maxun;
}

/**
 * The run that an event mentions; undefined if Maxun doesn't find it. Some events contain another ID, or come too
 * early.
 */
const findRun = async (maxun: MaxunServer, runId: string, robotIds: string[]) =>
	await recover(
		maxun.runs.get(runId, robotIds).then((run): Run | undefined => ({ ...run, id: runId })),
		{ notFound: () => undefined },
	);

/** The runs that ended in the last minutes, for an event without a usable run ID. */
async function proposeRecent(
	trigger: TriggerNode,
	reading: WatchedReading,
	robotIds: string[],
): Promise<Decision> {
	const { now, matching } = await listLatest(reading.maxun, { ...reading.settings, robotIds });
	const recent = matching.filter((run) => (endOf(run) ?? -Infinity) > now - RECENT);
	// The list may not show the end of the run yet.
	if (recent.length === 0) return { retry: 'no run has ended yet' };
	const memory = trigger.memory;
	const open = recent.filter(({ id }) => !memory.started.has(id));
	// The next poll finds the others. If each event read all of them, many events would read them many times.
	if (open.length > MOST_RECENT) memory.lookedAt = undefined;
	return await propose(trigger, open.slice(0, MOST_RECENT), reading);
}

/** Proposes the complete items of ended runs, because a later version of n8n may not call `execute`. */
async function propose(
	trigger: TriggerNode,
	runs: Run[],
	reading: WatchedReading,
): Promise<Decision> {
	const reasons = runs.map((run) => refusalOf(trigger, run, reading));
	const wanted = runs.filter((_, index) => reasons[index] === undefined);
	if (wanted.length === 0) return { ignored: reasons[0] ?? 'no new run' };
	// The run that an event mentions has been read with its data.
	const read = async (run: Run) => await Promise.resolve(run);
	const results = await readItems(wanted, reading, 'data' in runs[0] ? { read } : {});
	const found = results.filter(({ items }) => items.length > 0);
	const [error] = results.flatMap((result) => result.error ?? []);
	if (found.length === 0) return error ? { retry: error.message } : { ignored: 'no items' };
	trigger.memory.isRung = true;
	return { items: found.flatMap(markItems) };
}

/** Why a run doesn't start the workflow; undefined if it does. */
function refusalOf(trigger: TriggerNode, run: Run, { maxun, settings, done }: WatchedReading) {
	const mismatch = mismatchOf(run, settings);
	if (mismatch !== undefined || trigger.isTest) return mismatch;
	// A wrong 'Server Time Zone' makes runs with local times look older. The cursor and n8n's table still know old runs.
	const isExact = run.finishedAtLocal === undefined;
	const isOld = isExact && (ageOf(run, maxun.serverTime()) ?? 0) > LONGEST_DELIVERY;
	const isBefore =
		(endOf(run) ?? Infinity) <= (done[run.robotId ?? ''] ?? done[ALL_ROBOTS] ?? -Infinity);
	return isOld || isBefore
		? 'the run ended long ago, or before the workflow was published'
		: undefined;
}
