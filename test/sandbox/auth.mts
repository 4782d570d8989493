import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, forbidden } from './errors.mts';
import type { Account, Robot, State, Team, TeamRole } from './model.mts';

/** The required permission: viewers read, members also write and run, admins also delete. */
export type Right = 'read' | 'write' | 'delete';

const RIGHTS: Record<TeamRole, readonly Right[]> = {
	viewer: ['read'],
	member: ['read', 'write'],
	admin: ['read', 'write', 'delete'],
	owner: ['read', 'write', 'delete'],
};

export interface Caller {
	account: Account;
	/** The team from `x-team-id`; null for personal robots. */
	team: Team | null;
	role: TeamRole;
	/** `user:<account id>` or `team:<team id>`. */
	scope: string;
	/** The account that pays: the team's owner or the caller. */
	payer: Account;
}

export function authenticate(headers: IncomingHttpHeaders, state: State): Caller {
	const key = keyOf(headers);
	if (key === undefined) throw new ApiError(401, 'API key is missing');
	const account = state.accounts.find((candidate) => candidate.key === key);
	if (account === undefined) throw forbidden('Invalid API key');
	const teamId = headers['x-team-id'];
	if (typeof teamId !== 'string' || teamId === '') {
		return { account, team: null, role: 'owner', scope: `user:${account.id}`, payer: account };
	}
	const team = state.teams.find(({ id }) => id === teamId);
	const membership = team?.members.find(({ accountId }) => accountId === account.id);
	if (team === undefined || membership === undefined) {
		throw forbidden(`You are not a member of the team "${teamId}" named in x-team-id`);
	}
	const scope = `team:${team.id}`;
	return { account, team, role: membership.role, scope, payer: ownerOf(team, state) };
}

export function demand(caller: Caller, right: Right): void {
	if (RIGHTS[caller.role].includes(right)) return;
	throw forbidden(`Your team role ${caller.role.toUpperCase()} does not allow this operation`);
}

export function creatorOf(robot: Robot, state: State): Account | undefined {
	return state.accounts.find(({ id }) => id === robot.accountId);
}

function ownerOf(team: Team, state: State): Account {
	const owner = team.members.find(({ role }) => role === 'owner');
	const account = state.accounts.find(({ id }) => id === owner?.accountId);
	if (account === undefined) throw new Error(`The team ${team.id} has no owner`);
	return account;
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
	const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
	if (bearer !== undefined) return bearer;
	const header = headers['x-api-key'];
	return typeof header === 'string' && header !== '' ? header : undefined;
}
