import type { MaxunServer, StartOptions } from '../servers/types';
import type { StartedRun } from './types';
import { recover } from '../http/fault';
import { SECOND } from '../http/time';

/** Starts a run. @throws Busy if the server has no free browser */
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

/** Maxun may not find a new entry for up to ten seconds. */
export const mayAppear = (createdAt: number) => Date.now() - createdAt < 10 * SECOND;

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

/** In milliseconds. The delay is at most 10% of the time waited, and hours of waiting cost few requests. */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, 500), 30 * SECOND);
