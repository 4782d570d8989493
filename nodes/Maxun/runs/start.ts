import type { MaxunServer, StartOptions } from '../servers/types';
import type { StartedRun } from './types';
import { recover } from '../http/fault';
import { SECOND } from '../http/time';

/** Starts a run of a robot or an agent. @throws Busy if the server has no free browser */
export async function startRun(
	{ agents, runs }: Pick<MaxunServer, 'agents' | 'runs'>,
	kind: 'robot' | 'agent',
	robotId: string,
	options: StartOptions = {},
): Promise<StartedRun> {
	const response =
		kind === 'agent' && agents
			? await agents.startRun(robotId, options)
			: await runs.start(robotId, options);
	return { runId: response.id, robotId, startedAt: Date.now(), response };
}

/** Whether Maxun may just not find a new entry yet. This takes up to ten seconds. */
export const mayAppear = (createdAt: number) => Date.now() - createdAt < 10 * SECOND;

/** Uses something that Maxun has just created. */
export async function whenVisible<T>(
	{ sleep }: Pick<MaxunServer, 'sleep'>,
	use: () => Promise<T>,
): Promise<T> {
	const createdAt = Date.now();
	for (;;) {
		const outcome = await recover(
			use().then((value) => ({ value })),
			{
				notFound: (fault) => {
					if (fault.mayHaveHappened || !mayAppear(createdAt)) throw fault;
					return undefined;
				},
			},
		);
		if (outcome) return outcome.value;
		await sleep(SECOND);
	}
}

/**
 * Milliseconds until the next poll: a tenth of the time since a run last started or ended. The delay is at most 10%,
 * and hours of waiting cost few requests.
 */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, 500), 30 * SECOND);
