import { recover } from '../http/fault';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import type { MaxunServer } from '../servers/types';

/** The body of a sample event that the trigger sends to itself. */
export const SAMPLE = { event_type: 'webhook_test' };

/** Sends a sample event to the trigger itself, as a server would. */
type SendToSelf = () => Promise<unknown>;

/** The trigger's webhook on one robot; without an ID if the user registered it. */
interface SampleTarget {
	robotId: string;
	webhookId?: string;
}

/**
 * Makes the server send a sample event.
 *
 * @returns whether it reached n8n; undefined if nothing was sent
 */
export async function requestSample(
	{ webhooks }: MaxunServer,
	{ robotId, webhookId }: SampleTarget,
): Promise<TestOutcome | undefined> {
	if (!webhooks.test || !webhookId) return undefined;
	// A lost response doesn't show whether Maxun reached n8n.
	const unclear = ({ description }: { description: string }) => ({ detail: description });
	return await recover(webhooks.test(robotId, webhookId).then(readTestOutcome), {
		uncertain: unclear,
		transient: unclear,
		any: ({ description }) => readTestOutcome({ error: description }),
	});
}

/** Makes the server send a sample event. If it can't, the trigger sends the event to itself. */
export async function sendSample(
	maxun: MaxunServer,
	target: SampleTarget,
	sendToSelf: SendToSelf,
): Promise<void> {
	if (maxun.webhooks.test) await requestSample(maxun, target);
	else await sendToSelf();
}
