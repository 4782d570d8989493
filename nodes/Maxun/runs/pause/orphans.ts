import { mapConcurrently } from '../../http/concurrency';
import { deleteRobot, findTemporaryRobots } from '../temporary';
import type { RunContext } from '../types';
import type { ResumeWebhooks } from './resumeWebhooks';

/** When each account was last searched, in epoch milliseconds. */
const searched = new Map<string, number>();

const HOUR = 3_600_000;

/**
 * Deletes temporary robots of executions that were cancelled while paused, which n8n doesn't report to nodes. Searches
 * at most once per hour.
 *
 * @param account identifies the account of a credential and team
 * @throws MaxunFault if the robots can't be listed
 */
export async function deleteOrphans(
	{ maxun, concurrency }: RunContext,
	account: string,
	webhooks: ResumeWebhooks,
): Promise<void> {
	const now = Date.now();
	if (now - (searched.get(account) ?? 0) < HOUR) return;
	searched.set(account, now);
	const robots = await findTemporaryRobots(maxun);
	await mapConcurrently(robots, concurrency, async ({ id: robotId }) => {
		const kind = await webhooks.orphanKind({ maxun, robotId });
		if (kind) await deleteRobot(maxun, kind, robotId);
	});
}
