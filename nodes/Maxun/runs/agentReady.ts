import { MaxunFault, recover } from '../http/fault';
import { Busy } from '../servers/busy';
import type { Robot as Agent } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { pollInterval } from './poll';
import { whenVisible } from './visible';

const MINUTE = 60_000;

/**
 * Looks whether an agent is built.
 *
 * @returns the agent; undefined while Maxun builds it
 * @throws MaxunFault with the agent's own reason if it can't be built
 */
export async function builtAgent(maxun: MaxunServer, agentId: string): Promise<Agent | undefined> {
	const { agents, robots } = maxun;
	const agent = await whenVisible(maxun, async () => await (agents ?? robots).get(agentId));
	if (agent.status === 'failed') throw failed(agent);
	return agent.status === 'creating' ? undefined : agent;
}

/** An agent that Maxun builds, even while it is unreachable. Its run starts afterwards. Others need not wait for that. */
export class Building extends Busy {
	override readonly stopsOthers = false;
}

/** Why the run of an agent can't start yet; undefined if the agent is built. @throws MaxunFault as `builtAgent` */
export async function whyNotBuilt(
	maxun: MaxunServer,
	agentId: string,
): Promise<Building | undefined> {
	return await recover(
		builtAgent(maxun, agentId).then((agent) =>
			agent ? undefined : new Building(building(agentId)),
		),
		{ temporary: (fault) => new Building(fault) },
	);
}

/**
 * Waits until an agent is built.
 *
 * @param minutes the maximum; building takes a minute or two
 * @param returnAt when to stop waiting, in epoch milliseconds
 * @returns undefined if the agent isn't built by then
 * @throws MaxunFault as `builtAgent`, or if the time is up
 */
export async function agentReady(
	maxun: MaxunServer,
	agentId: string,
	minutes: number,
	returnAt = Infinity,
): Promise<Agent | undefined> {
	const since = Date.now();
	for (;;) {
		const left = Math.max(since + minutes * MINUTE - Date.now(), 0);
		const agent = await recover(builtAgent(maxun.within(left), agentId), {
			temporary: (fault) => {
				if (left === 0) throw fault;
				return undefined; // Maxun builds the agent even while it is unreachable
			},
		});
		if (agent) return agent;
		if (left === 0) throw late(agentId, minutes);
		const untilReturn = returnAt - Date.now();
		if (untilReturn <= 0) return undefined;
		await maxun.sleep(Math.min(pollInterval(Date.now() - since), left, untilReturn));
	}
}

const failed = ({ id, error }: Agent) =>
	new MaxunFault(
		`Maxun could not build agent ${id}`,
		`${typeof error === 'string' && error ? error : 'Maxun gave no reason'}. Reword the prompt, or enter the URL of the page`,
	);

const building = (agentId: string) =>
	new MaxunFault(
		`Maxun is still building agent ${agentId}`,
		'Building usually takes a minute or two, sometimes longer',
	);

const late = (agentId: string, minutes: number) =>
	new MaxunFault(
		`Agent ${agentId} was not ready within ${minutes} minutes`,
		"Building usually takes a minute or two, sometimes longer. Increase 'Timeout (Minutes)'",
		{ forModel: 'Call the tool again with a simpler prompt, or with the URL of the page' },
	);
