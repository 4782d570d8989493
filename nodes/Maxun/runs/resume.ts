import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readDelivery } from '../api/delivery';
import { getActiveRuns, Runs } from '../api/runs';
import { waitOf, WAKE } from '../core/suspension';
import { connect } from '../core/transport';
import { Remembered } from './remembered';

/** The service waits for the answer, and repeats what is not accepted. */
const BRIEF = { maxRetries: 1, maxWait: 5_000 };

/**
 * How long after its time an execution is not waiting any more, in milliseconds: it has crashed when it had gone on, of
 * which its data shows nothing. Where n8n is late for all of them, it still goes on by itself.
 */
const OVERDUE = 10 * 60_000;

/**
 * Decides about a delivery to a waiting execution: it is woken when none of its runs goes on any more. That is what the
 * API is asked about; a delivery only gives the reason to ask, or none, where it is about a run of somebody else.
 */
export async function handleCallback(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { isTest, runId } = readDelivery(context.getBodyData());
	const wait = waitOf(context);
	const memory = Remembered.safeParse(wait?.memory).data;
	if (!memory || isTest) {
		return { webhookResponse: { waiting: !wait || Date.now() < wait.until + OVERDUE } };
	}
	const isOurs = memory.runs.some(({ started }) => started.runId === runId);
	if (runId && !isOurs) return { webhookResponse: { ignored: 'a run of another execution' } };
	const active = await activeRuns(context, memory).catch((error: unknown) => {
		context.logger.warn(
			`Maxun could not be asked about the runs of an execution: ${String(error)}`,
		);
		return undefined;
	});
	if (!active) return again(context, 'Maxun could not be asked');
	const pending = memory.runs.filter(({ started }) => active.has(started.runId));
	if (pending.length === 0) return WAKE;
	if (pending.some(({ started }) => started.runId === runId)) return again(context, 'not over');
	return { webhookResponse: { waiting: pending.length } };
}

async function activeRuns(context: IWebhookFunctions, { runs }: Remembered): Promise<Set<string>> {
	const connection = await connect(context);
	const scopes = [...new Set(runs.map(({ scope }) => scope))];
	const lists = await Promise.all(
		scopes.map(
			async (scope) =>
				await connection.send(getActiveRuns, Runs, {
					teamId: scope || undefined,
					patience: BRIEF,
				}),
		),
	);
	return new Set(lists.flat().map(({ id }) => id));
}

/** Asks the service to send the delivery once more; to throw would end the execution. */
function again(context: IWebhookFunctions, error: string): IWebhookResponseData {
	context.getResponseObject().status(503).json({ error });
	return { noWebhookResponse: true };
}
