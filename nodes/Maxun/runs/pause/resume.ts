import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readDelivery } from '../../servers/deliveryBody';
import { connectServer } from '../../servers';
import { currentPause, RESUME } from './engineRequest';
import { SavedState } from './savedState';

/** Maxun waits for the response, and retries rejected deliveries. */
const BRIEF = { maxRetries: 1, maxWait: 5_000 };

/**
 * How long after its deadline an execution no longer counts as paused, in milliseconds. Such an execution crashed after
 * resuming, which its data doesn't show. If n8n is only late, it still resumes the execution itself.
 */
const OVERDUE = 10 * 60_000;

/**
 * Handles a delivery to a paused execution, and resumes the execution when none of its runs are active. The API decides
 * that, not the delivery. Ignores deliveries about runs of other executions.
 */
export async function handleResumeCall(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { isTest, runId } = readDelivery(context.getBodyData());
	const pause = currentPause(context);
	const state = SavedState.safeParse(pause?.state).data;
	if (!state || isTest) {
		return { webhookResponse: { waiting: !pause || Date.now() < pause.until + OVERDUE } };
	}
	const isOurs = state.runs.some(({ started }) => started.runId === runId);
	if (runId && !isOurs) return { webhookResponse: { ignored: 'a run of another execution' } };
	const active = await activeRuns(context, state).catch((error: unknown) => {
		context.logger.warn(`The runs of a paused execution could not be checked: ${String(error)}`);
		return undefined;
	});
	if (!active) return retryLater(context, 'The runs could not be checked');
	const pending = state.runs.filter(({ started }) => active.has(started.runId));
	if (pending.length === 0) return RESUME;
	if (pending.some(({ started }) => started.runId === runId)) {
		return retryLater(context, 'The run is still active');
	}
	return { webhookResponse: { waiting: pending.length } };
}

async function activeRuns(context: IWebhookFunctions, { runs }: SavedState): Promise<Set<string>> {
	const maxun = await connectServer(context, 'cloud', BRIEF);
	const teams = [...new Set(runs.map(({ teamId }) => teamId))];
	const lists = await Promise.all(
		teams.map(
			async (teamId) =>
				(await maxun.with({ teamId: teamId || undefined }).runs.listActive?.()) ?? [],
		),
	);
	return new Set(lists.flat().map(({ id }) => id));
}

/** Asks the service to send the delivery again. An exception would end the execution. */
function retryLater(context: IWebhookFunctions, error: string): IWebhookResponseData {
	context.getResponseObject().status(503).json({ error });
	return { noWebhookResponse: true };
}
