import { Busy } from '../servers/busy';
import type { MaxunServer, StartOptions } from '../servers/types';
import type { StartedRun } from './types';

/** Starts a run of a robot or an agent, if the server has a free browser for it. */
export async function startRun(
	{ agents, runs }: Pick<MaxunServer, 'agents' | 'runs'>,
	kind: 'robot' | 'agent',
	robotId: string,
	options: StartOptions = {},
): Promise<StartedRun | Busy> {
	const response =
		kind === 'agent' && agents
			? await agents.startRun(robotId, options)
			: await runs.start(robotId, options);
	if (response instanceof Busy) return response;
	return { runId: response.id, robotId, startedAt: Date.now(), response };
}
