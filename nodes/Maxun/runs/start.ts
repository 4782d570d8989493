import type { MaxunServer, StartOptions } from '../servers/types';
import type { StartedRun } from './types';
import { recover } from '../http/fault';
import { SECOND } from '../http/time';

export async function startRun(
	{ agents, runs }: Pick<MaxunServer, 'agents' | 'runs'>,
	kind: 'robot' | 'agent',
	robotId: string,
	options: StartOptions,
): Promise<StartedRun> {
	const response =
		kind === 'agent' ? await agents.startRun(robotId, options) : await runs.start(robotId, options);
	return { runId: response.id, robotId, startedAt: Date.now(), response };
}

/** Maxun may not find a new entry for up to ten seconds. */
export const mayAppear = (createdAt: number) => Date.now() - createdAt < 10 * SECOND;

export async function whenVisible<T>(
	maxun: Pick<MaxunServer, 'sleep'>,
	use: () => Promise<T>,
	createdAt = Date.now(),
): Promise<T> {
	return await recover(use(), {
		notFound: async (fault) => {
			if (fault.mayHaveHappened || !mayAppear(createdAt)) throw fault;
			await maxun.sleep(SECOND);
			return await whenVisible(maxun, use, createdAt);
		},
	});
}

/** In milliseconds. The delay is at most 10% of the time waited, and hours of waiting cost few requests. */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, 500), 30 * SECOND);
