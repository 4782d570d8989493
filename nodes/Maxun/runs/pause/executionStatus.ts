import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { saysExecutionIsOver } from '../../n8n/internals';

/** When each execution was last found paused, in epoch milliseconds, by URL. */
const seen = new Map<string, number>();

const SEEN_FOR = 15 * 60_000;
const TIMEOUT = 5_000;

const Response = z.object({
	body: z.object({ message: z.string(), waiting: z.boolean() }).partial(),
});

/** The status of an execution that was paused. */
export type ExecutionStatus =
	/** Paused, or unknown. */
	| 'waiting'
	/** Should have resumed long ago: the execution crashed, or n8n was down. */
	| 'overdue'
	/** Ended or deleted. */
	| 'over';

/**
 * Whether the execution behind a resume URL of this n8n is still paused. Either n8n or the node responds; the request
 * reaches no other node. An execution that crashed or was cancelled while paused could not remove its webhooks. The
 * status distinguishes these from webhooks in use.
 */
export async function executionStatus(
	context: IExecuteFunctions,
	url: string,
): Promise<ExecutionStatus> {
	const now = Date.now();
	for (const [other, time] of seen) if (now - time > SEEN_FOR) seen.delete(other);
	if (seen.has(url)) return 'waiting';
	const response: unknown = await context.helpers
		.httpRequest({
			method: 'POST',
			url,
			body: { event_type: 'webhook_test' },
			json: true,
			timeout: TIMEOUT,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		.catch(() => 'no response');
	const { message = '', waiting } = Response.safeParse(response).data?.body ?? {};
	if (saysExecutionIsOver(message)) return 'over';
	if (waiting === false) return 'overdue';
	seen.set(url, now);
	return 'waiting';
}
