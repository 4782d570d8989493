import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { inTurn } from '../../http/concurrency';
import { recover } from '../../http/fault';
import { mayResume } from '../../n8n/olderVersions';
import { connectServer, serverKindOf } from '../../servers';
import { readDelivery, type Delivery } from '../../servers/deliveryBody';
import { hasEnded } from '../../servers/entities';
import type { MaxunServer } from '../../servers/types';
import { currentPause, RESUME, type PastPause } from './engineRequest';
import { SavedState } from './savedState';

/** Maxun waits 30 seconds for the response, and retries rejected deliveries. */
const BRIEF = { maxRetries: 1, maxWait: 5_000, timeout: 10_000 };

/**
 * How long after its deadline an execution no longer counts as paused, in milliseconds. Such an execution crashed after
 * resuming, which its data doesn't show. If n8n is only late, it still resumes the execution itself.
 */
const OVERDUE = 10 * 60_000;

/**
 * How long Maxun may list a run as active after its event, in milliseconds. Later, an event without a run ID counts as
 * the event of another execution. Maxun retries an event at most ten times.
 */
const LISTED_LATE = 3 * 60_000;

/**
 * Handles a delivery to a paused execution, and resumes the execution when none of its runs are active. The API decides
 * that, not the delivery. Ignores deliveries about runs of other executions.
 */
export async function handleResumeCall(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const delivery = readDelivery(context.getBodyData());
	const pause = currentPause(context);
	const { data: state } = SavedState.safeParse(pause?.state);
	if (delivery.isTest) {
		return { webhookResponse: { waiting: !pause || Date.now() < pause.until + OVERDUE } };
	}
	if (!pause) return RESUME;
	// The node itself reports a state that can't be read.
	if (!state) return resume(context, pause);
	const { runId } = delivery;
	const isOurs = state.runs.some(({ started }) => started.runId === runId);
	if (runId && !isOurs) return { webhookResponse: { ignored: 'a run of another execution' } };
	const found = await activeRuns(context, state, runId).catch((error: unknown) => {
		context.logger.warn(`The runs of a paused execution could not be checked: ${String(error)}`);
		return undefined;
	});
	if (!found) return retryLater(context, 'The runs could not be checked');
	const { active, isAll } = found;
	if (active.length === 0) return resume(context, pause);
	if (runId ? active.includes(runId) : isRecent(delivery)) {
		return retryLater(context, 'The run is still active');
	}
	// Other runs can start as soon as one has ended.
	if (state.notStarted.length > 0 && isAll && active.length < state.runs.length) {
		return resume(context, pause);
	}
	return { webhookResponse: { waiting: active.length } };
}

/** Resumes the execution, unless another delivery is doing that. */
function resume(context: IWebhookFunctions, { token }: PastPause): IWebhookResponseData {
	return mayResume(token) ? RESUME : retryLater(context, 'The execution is resuming');
}

/** Whether an event may concern a run that Maxun still lists as active. */
function isRecent({ timestamp, finishedAt }: Delivery): boolean {
	const time = Date.parse(timestamp ?? finishedAt ?? '');
	return Number.isNaN(time) || Date.now() - time < LISTED_LATE;
}

/**
 * The runs of the execution that are active, and whether these are all. If a server can't list active runs, reads one
 * run after another, the named one first, until one is active.
 */
async function activeRuns(
	context: IWebhookFunctions,
	{ runs }: SavedState,
	named: string | undefined,
): Promise<{ active: string[]; isAll: boolean }> {
	const kind = serverKindOf(context.getNodeParameter('server', 'cloud'));
	const connected = await connectServer(context, kind, BRIEF);
	const serverOf = (teamId: string) => connected.with({ teamId: teamId || undefined });
	const ids = runs.map(({ started }) => started.runId);
	if (!connected.runs.listActive) {
		const namedFirst = [...runs].sort(
			(a, b) => Number(b.started.runId === named) - Number(a.started.runId === named),
		);
		for (const { teamId, started } of namedFirst) {
			if (await isActive(serverOf(teamId), started)) {
				return { active: [started.runId], isAll: false };
			}
		}
		return { active: [], isAll: true };
	}
	const teams = [...new Set(runs.map(({ teamId }) => teamId))];
	const listed = await together(ids.join(), async () => {
		const lists = await Promise.all(
			teams.map(async (teamId) => (await serverOf(teamId).runs.listActive?.()) ?? []),
		);
		return new Set(lists.flat().map(({ id }) => id));
	});
	return { active: ids.filter((id) => listed.has(id)), isAll: true };
}

/** The readings that have not begun, by the runs of an execution. */
const upcoming = new Map<string, Promise<Set<string>>>();

/** Reads the active runs for all deliveries that arrive before it begins. Many runs can end at the same time. */
async function together(runIds: string, read: () => Promise<Set<string>>): Promise<Set<string>> {
	const shared = upcoming.get(runIds);
	if (shared) return await shared;
	const own = inTurn(`active ${runIds}`, async () => {
		upcoming.delete(runIds);
		return await read();
	});
	upcoming.set(runIds, own);
	return await own;
}

/** Whether a run is active. A deleted run isn't. */
const isActive = async (
	{ runs }: MaxunServer,
	{ runId, robotId }: { runId: string; robotId: string },
): Promise<boolean> =>
	await recover(
		runs.get(runId, [robotId]).then((run) => !hasEnded(run)),
		{ notFound: () => false },
	);

/** Asks the service to send the delivery again. An exception would end the execution. */
function retryLater(context: IWebhookFunctions, error: string): IWebhookResponseData {
	context.getResponseObject().status(503).json({ error });
	return { noWebhookResponse: true };
}
