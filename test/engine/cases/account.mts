import { expect } from 'vitest';
import { one, operationCase } from '../support/operations.mts';

export const accountCases = [
	operationCase(['account', 'get'], () => ({
		parameters: {},
		requests: [{ method: 'GET', path: '/me' }],
		check: (items) => expect(one(items)).toMatchObject({ email: 'owner@example.com', plan: 'PRO' }),
	})),
	operationCase(['account', 'getUsage'], (_, { teamId }) => ({
		parameters: {},
		requests: [{ method: 'GET', path: '/usage' }],
		check: (items) =>
			expect(one(items)).toMatchObject({
				scope: { type: teamId === '' ? 'personal' : 'team' },
				robots: expect.any(Number),
			}),
	})),
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
	operationCase(['account', 'getQueue'], () => ({
		parameters: {},
		requests: [{ method: 'GET', path: '/queue' }],
		check: (items) =>
			expect(one(items)).toMatchObject({
				running: expect.any(Number),
				queued: expect.any(Number),
			}),
	})),
];
