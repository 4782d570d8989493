import type { MaxunServer, StartOptions } from '../servers/types';
import type { StartedRun } from './types';

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
