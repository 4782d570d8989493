import { expect } from 'vitest';
import { operationCase, requesting } from '../support/operations.mts';

export const accountCases = [
	operationCase(['account', 'get'], () => {
		const account = { email: 'owner@example.com', plan: 'PRO' };
		return requesting({}, { method: 'GET', path: '/me' }, account);
	}),
	operationCase(['account', 'getUsage'], (_, { teamId }) => {
		const scope = { type: teamId === '' ? 'personal' : 'team' };
		const usage = { scope, robots: expect.any(Number) };
		return requesting({}, { method: 'GET', path: '/usage' }, usage);
	}),
	operationCase(['account', 'getRateLimits'], (given, { teamId }) => ({
		parameters: {},
		requests: [{ method: 'GET', path: '/usage/rate-limits' }],
		check: async (items) => {
			const { list: limits } = await given.client({ teamId }).get('/usage/rate-limits');
			expect(limits.length).toBeGreaterThan(0);
			expect(items.map(({ category }) => category)).toEqual(limits.map(({ category }) => category));
			expect(items[0]).toMatchObject({ limitPerMinute: 6000, remaining: expect.any(Number) });
		},
	})),
	operationCase(['account', 'getQueue'], () => {
		const queue = { running: expect.any(Number), queued: expect.any(Number) };
		return requesting({}, { method: 'GET', path: '/queue' }, queue);
	}),
];
