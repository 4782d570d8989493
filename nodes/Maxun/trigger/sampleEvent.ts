import { recover } from '../http/fault';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import type { MaxunServer } from '../servers/types';
import type { Registration } from './registration';

/**
 * The status with which the trigger answers a sample event. Nothing else answers so by chance, for example a proxy in
 * front of another URL.
 */
export const SAMPLE_STATUS = 202;

/** What sends a sample event, and to where. */
export interface SampleSender {
	maxun: MaxunServer;
	registration: Registration;
	robotId: string;
	/** Sends a body to the trigger as a server would, for servers without sample events. */
	sendToSelf(body: object): Promise<unknown>;
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

/** Whether the server reports that the trigger has received the sample event. */
export const isReceived = ({ status, isAccepted }: Partial<TestOutcome> = {}): boolean =>
	status === undefined ? isAccepted === true : status === SAMPLE_STATUS;

/** Sends a sample event, which starts a search for missed runs. @returns whether the trigger has surely received it */
export async function sendSample(sender: SampleSender): Promise<boolean> {
	if (sender.maxun.webhooks.test) return isReceived(await requestSample(sender));
	await sender.sendToSelf({ event_type: 'webhook_test' });
	return true;
}
