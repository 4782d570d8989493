import { Busy } from '../servers/busy';
import { hasEnded, Run, type StartResponse } from '../servers/entities';
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
	return {
		runId: response.id,
		robotId,
		startedAt: Date.now(),
		response,
		ended: endedRun(response),
	};
}

/** The run with its data, if the server responded after the run ended. */
function endedRun(response: StartResponse): Run | undefined {
	const run = Run.safeParse(response).data;
	return run && run.data !== undefined && hasEnded(run) ? run : undefined;
}
