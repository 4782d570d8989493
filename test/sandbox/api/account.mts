import type { Caller } from '../auth.mts';
import type { Run } from '../model.mts';
import { CATEGORIES } from '../rates.mts';
import type { World } from '../world.mts';
import { robotsOf, runsOf } from './lookup.mts';
import type { Add } from './route.mts';

export function accountRoutes(add: Add, world: World): void {
	add(['GET', '/me'], ({ caller }) => me(world, caller));
	add(['GET', '/usage'], ({ caller }) => usage(world, caller));
	add(['GET', '/queue'], ({ caller }) => queue(world, caller));
	add(['GET', '/usage/rate-limits'], ({ caller }) =>
		CATEGORIES.map((category) => ({
			category,
			limitPerMinute: world.settings.rateLimitPerMinute,
			remaining: world.rates.remaining(caller.account.key, category),
		})),
	);
}

function me({ state }: World, { account }: Caller): unknown {
	const { email, plan, credits, expiresAt } = account;
	const teams = state.teams.flatMap(({ id, name, members }) =>
		members
			.filter(({ accountId }) => accountId === account.id)
			.map(({ role }) => ({
				id,
				name,
				role: role === 'owner' ? 'ADMIN' : role.toUpperCase(),
				isOwner: role === 'owner',
			})),
	);
	return { email, plan, credits, expiresAt, teams };
}

function usage(world: World, caller: Caller): unknown {
	const { plan, credits, expiresAt } = caller.payer;
	const robots = robotsOf(world, caller);
	return {
		scope: caller.team === null ? { type: 'personal' } : { type: 'team', id: caller.team.id },
		plan,
		credits,
		billingCycle: 'MONTHLY',
		expiresAt,
		robots: robots.length,
		agents: robots.filter(({ type }) => type === 'agent').length,
		runs: world.state.runTotals[caller.scope] ?? 0,
	};
}

function queue(world: World, caller: Caller): unknown {
	const runs = runsOf(world, caller);
	const having = (wanted: Run['status']) => runs.filter(({ status }) => status === wanted);
	const queuedAt = having('queued').map(({ createdAt }) => createdAt);
	const succeededAt = having('success').map(({ finishedAt }) => finishedAt ?? '');
	return {
		running: having('running').length,
		queued: queuedAt.length,
		oldestQueuedAt: queuedAt.sort()[0] ?? null,
		lastSuccessAt: succeededAt.sort().at(-1) ?? null,
	};
}
