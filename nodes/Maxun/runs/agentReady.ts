import { MaxunFault, recover } from '../http/fault';
import type { Robot as Agent } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { mayAppear } from './visible';
import { pollInterval } from './poll';

const MINUTE = 60_000;

/**
 * Waits until an agent is built.
 *
 * @param minutes the maximum; building takes a minute or two
 * @throws MaxunFault with the agent's own reason if it can't be built, or if the time is up
 */
export async function agentReady(
	maxun: MaxunServer,
	agentId: string,
	minutes: number,
): Promise<Agent> {
	const since = Date.now();
	for (;;) {
		const left = Math.max(since + minutes * MINUTE - Date.now(), 0);
		const agent = await recover(readAgent(maxun.within(left), agentId), {
			notFound: (fault) => {
				if (left === 0 || !mayAppear(since)) throw fault;
				return undefined;
			},
			temporary: (fault) => {
				if (left === 0) throw fault;
				return undefined; // Maxun builds the agent even while it is unreachable
			},
		});
		if (agent?.status === 'failed') throw failed(agent);
		if (agent && agent.status !== 'creating') return agent;
		if (left === 0) throw late(agentId, minutes);
		await maxun.sleep(Math.min(pollInterval(Date.now() - since), left));
	}
}

const readAgent = async ({ agents, robots }: MaxunServer, agentId: string) =>
	await (agents ?? robots).get(agentId);

const failed = ({ id, error }: Agent) =>
	new MaxunFault(
		`Maxun could not build agent ${id}`,
		`${typeof error === 'string' && error ? error : 'Maxun gave no reason'}. Reword the prompt, or enter the URL of the page`,
	);

const late = (agentId: string, minutes: number) =>
	new MaxunFault(
		`Agent ${agentId} was not ready within ${minutes} minutes`,
		"Building usually takes a minute or two, sometimes longer. Increase 'Timeout (Minutes)'",
		{ forModel: 'Call the tool again with a simpler prompt, or with the URL of the page' },
	);
