import { Robot, type Robot as Agent } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { path } from '../api/request';
import type { Api } from '../core/operation';
import { pollInterval } from './wait';

const MINUTE = 60_000;

/**
 * Waits until an agent is built.
 *
 * @param minutes how long at most; building takes the service a minute or two
 * @throws MaxunFault with the agent's own reason when it cannot be built, or when the time is up
 */
export async function agentReady(api: Api, agentId: string, minutes: number): Promise<Agent> {
	const since = Date.now();
	for (;;) {
		const left = Math.max(since + minutes * MINUTE - Date.now(), 0);
		const request = { method: 'GET' as const, path: path`/agents/${agentId}` };
		const agent = await api.call(request, Robot, left).catch((fault: unknown) => {
			const passes = fault instanceof MaxunFault && fault.transient;
			if (!passes || left === 0) throw fault;
			return undefined; // it is built whether it can be asked for or not
		});
		if (agent?.status === 'failed') throw failed(agent);
		if (agent && agent.status !== 'creating') return agent;
		if (left === 0) throw late(agentId, minutes);
		await api.sleep(Math.min(pollInterval(Date.now() - since), left));
	}
}

const failed = ({ id, error }: Agent) =>
	new MaxunFault(
		`Maxun could not build agent ${id}`,
		`${typeof error === 'string' && error ? error : 'Maxun gives no reason'}. Put the prompt in other words, or name the page in URL`,
	);

const late = (agentId: string, minutes: number) =>
	new MaxunFault(
		`Agent ${agentId} is not ready after ${minutes} minutes`,
		'Building takes Maxun a minute or two, at times longer. Raise Wait For (Minutes)',
	);
