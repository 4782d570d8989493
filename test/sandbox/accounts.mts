import { type Account, type Team, TEAM_ROLES } from './model.mts';

export const KEYS: Record<'owner' | 'member' | 'viewer' | 'admin' | 'poor', string> = {
	owner: 'mx-sandbox-owner-key',
	member: 'mx-sandbox-member-key',
	viewer: 'mx-sandbox-viewer-key',
	admin: 'mx-sandbox-admin-key',
	poor: 'mx-sandbox-poor-key',
};

/** The demo team. Each account except `poor` is named after its role in the team. */
export const TEAM_ID = '7ea30000-0000-4000-8000-000000000001';

export const PLANS = {
	FREE: { robots: 10, agents: 2, deepExtraction: false },
	PRO: { robots: 1000, agents: 100, deepExtraction: true },
} as const;

const EXPIRES_AT = '2099-12-31T23:59:59.000Z';

export function demoAccounts(): Account[] {
	const account = (name: keyof typeof KEYS, plan: Account['plan'], credits: number): Account => ({
		id: `account-${name}`,
		key: KEYS[name],
		email: `${name}@example.com`,
		plan,
		credits,
		expiresAt: EXPIRES_AT,
	});
	return [
		account('owner', 'PRO', 1_000_000),
		account('admin', 'PRO', 1_000_000),
		account('member', 'FREE', 500),
		account('viewer', 'FREE', 500),
		account('poor', 'FREE', 0),
	];
}

export function demoTeams(): Team[] {
	const members = TEAM_ROLES.map((role) => ({ accountId: `account-${role}`, role }));
	return [{ id: TEAM_ID, name: 'Demo team', members }];
}
