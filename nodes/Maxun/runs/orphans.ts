import { mapConcurrently } from '../core/concurrency';
import type { Api } from '../core/operation';
import type { Callbacks } from './callbacks';
import { temporaryRobots } from './start';
import { discard } from './temporary';

/** When was looked last, in epoch milliseconds, by account. */
const looked = new Map<string, number>();

const HOUR = 3_600_000;

/**
 * Deletes the robots of web operations whose executions were cancelled while they were paused, of which n8n tells no
 * node. Looks for them once an hour at most.
 *
 * @param account tells from others whose robots the API reaches
 * @throws MaxunFault where they cannot be asked for
 */
export async function discardOrphans(
	api: Api,
	account: string,
	callbacks: Callbacks,
): Promise<void> {
	const now = Date.now();
	if (now - (looked.get(account) ?? 0) < HOUR) return;
	looked.set(account, now);
	const robots = await temporaryRobots(api);
	await mapConcurrently(robots, api.concurrency, async ({ id: robotId }) => {
		const temporary = await callbacks.orphanKind({ api, robotId });
		await discard({ api, robotId, temporary });
	});
}
