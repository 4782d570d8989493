import { isText } from '../http/values';
import { forMessage, sentences } from '../http/text';
import { MaxunFault, recover } from '../http/fault';
import { Busy } from '../servers/busy';
import type { Robot as Agent } from '../servers/entities';
import type { MaxunServer, StartOptions } from '../servers/types';
import { startRun, whenVisible } from './start';

/** Maxun is building an agent, or is unreachable. Other tasks don't have to wait for it. */
class Building extends Busy {
	override readonly stopsOthers = false;
}

/** @throws Busy while Maxun is building the agent, MaxunFault if building it has failed */
export async function builtAgent(maxun: MaxunServer, agentId: string): Promise<Agent> {
	const reading = whenVisible(maxun, async () => await maxun.agents.get(agentId));
	const agent = await recover(reading, {
		temporary: (fault) => {
			throw new Building(fault);
		},
	});
	if (agent.status === 'failed') throw failed(agent);
	if (agent.status === 'creating') throw new Building(stillBuilding(agentId));
	return agent;
}

export const startAgent = async (maxun: MaxunServer, agentId: string, options: StartOptions) =>
	await recover(startRun(maxun, 'agent', agentId, options), {
		any: async (fault) => {
			if (fault.status !== 409) throw fault;
			await builtAgent(maxun, agentId);
			return await startRun(maxun, 'agent', agentId, options);
		},
	});

const failed = ({ id, error }: Agent) =>
	new MaxunFault(
		`Maxun could not build agent ${id}`,
		sentences(
			isText(error) ? forMessage(error) : 'Maxun did not say why',
			'Reword the prompt, or enter the URL of the page',
		),
	);

const stillBuilding = (agentId: string) =>
	new MaxunFault(
		`Maxun is still building agent ${agentId}`,
		'Building usually takes a minute or two, sometimes longer',
	);

/** Another attempt would create another agent. */
export const remainingAgent = (fault: MaxunFault, agentId: string) =>
	fault.adding(`Agent ${agentId} remains in Maxun`).with({ mayHaveHappened: true });

/** @param busy what Maxun is waiting for */
export const lateAgent = (agentId: string, minutes: number, busy?: string) =>
	new MaxunFault(
		`Agent ${agentId} was not ready within ${minutes} minutes`,
		sentences(busy, "Increase 'Timeout (Minutes)'"),
		{ forModel: 'Call the tool again with a simpler prompt, or with the URL of the page' },
	);
