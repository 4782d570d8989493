import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

/** Addresses that were seen to wait, and when, in epoch milliseconds: they are not asked again too soon. */
const seen = new Map<string, number>();

const SEEN_FOR = 15 * 60_000;
const TIMEOUT = 5_000;

const Answer = z.object({
	body: z.object({ message: z.string(), waiting: z.boolean() }).partial(),
});

/** What has become of an execution that waited. */
export type Fate =
	/** It waits, or that cannot be found out. */
	| 'waiting'
	/** It should have gone on long ago: it has crashed, or n8n was away. */
	| 'overdue'
	/** It has ended or been deleted. */
	| 'over';

/**
 * Whether the execution behind a resume address of this n8n still waits; n8n itself is asked, and the node where n8n
 * does not know. An execution that was cancelled while it waited, or that has crashed, could not remove its webhooks:
 * this is how they are told from those in use.
 */
export async function fateOf(context: IExecuteFunctions, address: string): Promise<Fate> {
	const now = Date.now();
	for (const [other, time] of seen) if (now - time > SEEN_FOR) seen.delete(other);
	if (seen.has(address)) return 'waiting';
	const answer: unknown = await context.helpers
		.httpRequest({
			method: 'POST',
			url: address,
			body: { event_type: 'webhook_test' },
			json: true,
			timeout: TIMEOUT,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		.catch(() => 'no answer');
	const { message = '', waiting } = Answer.safeParse(answer).data?.body ?? {};
	if (OVER.some((words) => words.test(message))) return 'over';
	if (waiting === false) return 'overdue';
	seen.set(address, now);
	return 'waiting';
}

/** How n8n says that an execution has ended or been deleted. */
const OVER = [/^The execution .* has finished/, /^The execution .* does not exist/];
