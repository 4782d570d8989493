import { expect } from 'vitest';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import type { Wire } from './wire.mts';

export const NAME = expect.stringMatching(/^n8n \w+ until \S+Z \w{10}$/);
export const WAIT = { timeoutMinutes: 1, onTimeout: 'error', onFailure: 'error', keepRobot: false };

/** The requests from a robot's creation to its deletion. */
export const life = (create: Wire, kind: 'robots' | 'agents' = 'robots'): Wire[] => [
	create,
	...(kind === 'agents' ? [{ method: 'GET', path: '/agents/{1}' }] : []),
	{ method: 'POST', path: `/${kind}/{1}/runs` },
	{ method: 'GET', path: '/runs/active' },
	{ method: 'GET', path: '/runs/{2}' },
	{ method: 'DELETE', path: `/${kind}/{1}` },
];

export async function expectNothingLeft(given: TestSandbox): Promise<void> {
	const deletions = (await given.sent()).filter(({ method }) => method === 'DELETE');
	expect(deletions.length).toBeGreaterThan(0);
	for (const { path } of deletions) expect((await given.owner.get(path)).status).toBe(404);
}
