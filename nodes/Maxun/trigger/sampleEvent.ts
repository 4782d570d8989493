import { recover } from '../http/fault';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import type { MaxunServer } from '../servers/types';
import type { Registration } from './registration';

/**
 * The status with which the trigger answers a sample event that starts nothing. Nothing else answers so by chance, for
 * example a proxy in front of another URL.
 */
export const SAMPLE_STATUS = 202;

/** The body of a sample event that the trigger sends to itself. */
export const SAMPLE = { event_type: 'webhook_test' };

/** What sends a sample event, and to where. */
export interface SampleSender {
	maxun: MaxunServer;
	registration: Registration;
	robotId: string;
	/** Sends the event to the trigger as a server would, for servers without sample events. */
	sendToSelf(): Promise<unknown>;
}

/** Makes the server send a sample event. @returns what it reports; undefined if it can't send one */
export async function requestSample({
	maxun: { webhooks },
	registration,
	robotId,
}: Omit<SampleSender, 'sendToSelf'>): Promise<TestOutcome | undefined> {
	if (!webhooks.test) return undefined;
	const webhookId = await registration.idOn(robotId);
	if (!webhookId) return undefined;
	// A lost response doesn't show whether Maxun reached n8n.
	const unclear = ({ description }: { description: string }) => ({ detail: description });
	return await recover(webhooks.test(robotId, webhookId).then(readTestOutcome), {
		missingRoute: () => undefined,
		mayHaveHappened: unclear,
		temporary: unclear,
		any: ({ description }) => readTestOutcome({ error: description }),
	});
}

/** Sends a sample event, which starts a search for missed runs. */
export async function sendSample(sender: SampleSender): Promise<void> {
	if (sender.maxun.webhooks.test) await requestSample(sender);
	else await sender.sendToSelf();
}
