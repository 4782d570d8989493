import { MaxunFault, recover } from '../http/fault';
import { MINUTE } from '../http/time';
import { Busy } from '../servers/busy';
import type { Robot as Agent } from '../servers/entities';
import type { MaxunServer, StartOptions } from '../servers/types';
import { startRun, whenVisible, pollInterval } from './start';

/** Maxun is building an agent, or is unreachable. Other tasks don't have to wait for it. */
class Building extends Busy {
	override readonly stopsOthers = false;
}

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
			if (fault.status === 409) await builtAgent(maxun, agentId);
			throw fault;
		},
	});

export async function agentReady(
	maxun: MaxunServer,
	agentId: string,
	minutes: number,
	returnAt = Infinity,
): Promise<Agent | undefined> {
	const began = Date.now();
	for (;;) {
		const left = Math.max(began + minutes * MINUTE - Date.now(), 0);
		const agent = await recover(builtAgent(maxun.with({ maxWait: left }), agentId), {
			any: (fault) => {
				if (!(fault instanceof Busy)) throw fault;
				if (left === 0) throw late(agentId, minutes, fault);
			},
		});
		if (agent) return agent;
		const untilReturn = returnAt - Date.now();
		if (untilReturn <= 0) return undefined;
		await maxun.sleep(Math.min(pollInterval(Date.now() - began), left, untilReturn));
	}
}

const failed = ({ id, error }: Agent) =>
	new MaxunFault(
		`Maxun could not build agent ${id}`,
		`${typeof error === 'string' && error ? error : 'Maxun gave no reason'}. Reword the prompt, or enter the URL of the page`,
	);

const stillBuilding = (agentId: string) =>
	new MaxunFault(
		`Maxun is still building agent ${agentId}`,
		'Building usually takes a minute or two, sometimes longer',
	);

const late = (agentId: string, minutes: number, reason: MaxunFault) =>
	new MaxunFault(
		`Agent ${agentId} was not ready within ${minutes} minutes`,
		`${reason.text}. Increase 'Timeout (Minutes)'`,
		{ forModel: 'Call the tool again with a simpler prompt, or with the URL of the page' },
	);
