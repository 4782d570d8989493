import type { Caller } from '../auth.mts';
import { conflict, forbidden, notFound } from '../errors.mts';
import { PLANS } from '../accounts.mts';
import type { Robot, Run, Webhook } from '../model.mts';
import type { World } from '../world.mts';
import { BARE_SUCCESS, NO_CONTENT } from './route.mts';

export type Kind = 'robots' | 'agents';
export const KINDS: readonly Kind[] = ['robots', 'agents'];

export interface Addressed {
	caller: Caller;
	params: Record<string, string>;
}

export function robotsOf(world: World, caller: Caller): Robot[] {
	return world.state.robots.filter(({ scope }) => scope === caller.scope);
}

export function findRobot(world: World, { caller, params }: Addressed, kind: Kind): Robot {
	const { id = '' } = params;
	const robot = robotsOf(world, caller).find((candidate) => candidate.id === id);
	const isAgent = robot?.type === 'agent';
	const isElsewhere = kind === 'agents' ? !isAgent : isAgent && world.settings.agentsApart;
	if (robot === undefined || isElsewhere) {
		throw notFound(`${kind === 'agents' ? 'Agent' : 'Robot'} "${id}"`);
	}
	return robot;
}

export function findWebhook(robot: Robot, { params }: Addressed): Webhook {
	const { webhookId: id = '' } = params;
	const webhook = robot.webhooks.find((candidate) => candidate.id === id);
	if (webhook === undefined) throw notFound(`Webhook "${id}"`);
	return webhook;
}

export function runsOf(world: World, caller: Caller): Run[] {
	return world.state.runs.filter(({ scope }) => scope === caller.scope);
}

export function findRun(world: World, { caller, params }: Addressed): Run {
	const { runId: id = '' } = params;
	const run = runsOf(world, caller).find((candidate) => candidate.id === id);
	if (run === undefined) throw notFound(`Run "${id}"`);
	return run;
}

export function demandFreeName(world: World, caller: Caller, name: string, except?: Robot): void {
	const taken = robotsOf(world, caller).some((robot) => robot !== except && robot.name === name);
	if (taken) throw conflict(`A robot named "${name}" already exists; choose another name`);
}

export function demandRoom(world: World, caller: Caller, kind: Kind): void {
	const plan = PLANS[caller.payer.plan];
	const counted = robotsOf(world, caller).filter(
		({ type, status }) => (type === 'agent') === (kind === 'agents') && status !== 'failed',
	);
	if (counted.length < plan[kind]) return;
	throw forbidden(`The ${caller.payer.plan} plan allows ${plan[kind]} ${kind}; delete one first`);
}

export function deleted(world: World, id: string): unknown {
	const answers = { data: { id }, success: BARE_SUCCESS, empty: NO_CONTENT };
	return answers[world.settings.deleteAnswer];
}

export function touchRobot(world: World, robot: Robot): void {
	robot.updatedAt = new Date().toISOString();
	world.store.touch();
}
