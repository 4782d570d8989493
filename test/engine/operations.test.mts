import type { IDataObject } from 'n8n-workflow';
import { expect } from 'vitest';
import { newActiveRun, newRobot, newRun, newWebhook, unique } from './support/fixtures.mts';
import { describeOperation, type OperationCase } from './support/operations.mts';
import { locator } from './support/parameters.mts';
import { useSandbox } from './support/sandbox.mts';

const world = useSandbox();

const one = (items: IDataObject[]): IDataObject => {
	expect(items).toHaveLength(1);
	return items[0] ?? {};
};

const CASES: OperationCase[] = [
	{
		resource: 'account',
		operation: 'get',
		prepare: () => ({
			parameters: {},
			requests: [{ method: 'GET', path: '/me' }],
			check: (items) =>
				expect(one(items)).toMatchObject({ email: 'owner@example.com', plan: 'PRO' }),
		}),
	},
	{
		resource: 'account',
		operation: 'getUsage',
		prepare: (_, { teamId }) => ({
			parameters: {},
			requests: [{ method: 'GET', path: '/usage' }],
			check: (items) =>
				expect(one(items)).toMatchObject({
					scope: { type: teamId === '' ? 'personal' : 'team' },
					robots: expect.any(Number),
				}),
		}),
	},
	{
		resource: 'account',
		operation: 'getRateLimits',
		prepare: (given, { teamId }) => ({
			parameters: {},
			requests: [{ method: 'GET', path: '/usage/rate-limits' }],
			check: async (items) => {
				const { body } = await given.ask('/usage/rate-limits', { teamId });
				const limits: unknown = body.data;
				if (!Array.isArray(limits)) throw new Error('Rate limits are a list');
				expect(items.map(({ category }) => category)).toEqual(
					limits.map(({ category }) => category),
				);
				expect(items[0]).toMatchObject({ limitPerMinute: 6000, remaining: expect.any(Number) });
			},
		}),
	},
	{
		resource: 'account',
		operation: 'getQueue',
		prepare: () => ({
			parameters: {},
			requests: [{ method: 'GET', path: '/queue' }],
			check: (items) =>
				expect(one(items)).toMatchObject({
					running: expect.any(Number),
					queued: expect.any(Number),
				}),
		}),
	},
	{
		resource: 'robot',
		operation: 'get',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			return {
				parameters: { robotId: locator(robotId) },
				requests: [{ method: 'GET', path: `/robots/${robotId}` }],
				check: async (items) => {
					const { body } = await given.ask(`/robots/${robotId}`, scope);
					expect(one(items)).toEqual(body.data);
				},
			};
		},
	},
	{
		resource: 'robot',
		operation: 'getAll',
		prepare: async (given, scope) => {
			await newRobot(given, scope);
			await newRobot(given, scope);
			return {
				parameters: { returnAll: false, limit: 2 },
				requests: [{ method: 'GET', path: '/robots', query: { limit: '2', offset: '0' } }],
				check: async (items) => {
					const { body } = await given.ask('/robots?limit=2', scope);
					expect(items).toEqual(body.data);
				},
			};
		},
	},
	{
		resource: 'robot',
		operation: 'createScrape',
		prepare: ({ sandbox }) => {
			const name = unique('Created');
			const url = `${sandbox.siteUrl}/products`;
			return {
				parameters: { url, formats: ['markdown', 'links'], additionalFields: { name } },
				requests: [
					{
						method: 'POST',
						path: '/robots/scrape',
						body: { url, formats: ['markdown', 'links'], name },
					},
				],
				check: (items) =>
					expect(one(items)).toMatchObject({ id: expect.any(String), name, type: 'scrape', url }),
			};
		},
	},
	{
		resource: 'robot',
		operation: 'delete',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			return {
				parameters: { robotId: locator(robotId) },
				requests: [{ method: 'DELETE', path: `/robots/${robotId}` }],
				check: async (items) => {
					expect(one(items)).toEqual({ id: robotId, deleted: true });
					expect((await given.ask(`/robots/${robotId}`, scope)).status).toBe(404);
				},
			};
		},
	},
	{
		resource: 'run',
		operation: 'start',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			return {
				parameters: { robotId: locator(robotId) },
				requests: [{ method: 'POST', path: `/robots/${robotId}/runs` }],
				check: async (items) => {
					const { id, status, url } = one(items);
					expect(['running', 'queued']).toContain(status);
					expect(url).toBe(`${given.sandbox.baseUrl}/runs/${String(id)}`);
					const { body } = await given.ask(`/runs/${String(id)}`, scope);
					expect(body.data.robotId).toBe(robotId);
				},
			};
		},
	},
	{
		resource: 'run',
		operation: 'get',
		prepare: async (given, scope) => {
			const { runId, robotId } = await newRun(given, scope);
			return {
				parameters: { runId: locator(runId) },
				requests: [{ method: 'GET', path: `/runs/${runId}` }],
				check: (items) =>
					expect(one(items)).toMatchObject({ id: runId, robotId, status: 'success' }),
			};
		},
	},
	{
		resource: 'run',
		operation: 'getAll',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			const ids = await given.control.runs({ robotId, count: 3 });
			return {
				parameters: { robotId: locator(robotId), returnAll: false, limit: 2 },
				requests: [
					{ method: 'GET', path: `/robots/${robotId}/runs`, query: { limit: '2', offset: '0' } },
				],
				check: (items) => expect(items.map(({ id }) => id)).toEqual(ids.reverse().slice(0, 2)),
			};
		},
	},
	{
		resource: 'run',
		operation: 'getActive',
		prepare: async (given, scope) => {
			const { runId } = await newActiveRun(given, scope);
			return {
				parameters: {},
				requests: [{ method: 'GET', path: '/runs/active' }],
				check: (items) =>
					expect(items).toContainEqual(expect.objectContaining({ id: runId, status: 'queued' })),
			};
		},
	},
	{
		resource: 'run',
		operation: 'cancel',
		prepare: async (given, scope) => {
			const { runId } = await newActiveRun(given, scope);
			return {
				parameters: { runId: locator(runId) },
				requests: [{ method: 'POST', path: `/runs/${runId}/cancel` }],
				check: async (items) => {
					expect(one(items)).toMatchObject({ id: runId });
					const { body } = await given.ask(`/runs/${runId}`, scope);
					expect(body.data.status).toBe('aborted');
				},
			};
		},
	},
	{
		resource: 'run',
		operation: 'delete',
		prepare: async (given, scope) => {
			const { runId } = await newRun(given, scope);
			return {
				parameters: { runId: locator(runId) },
				requests: [{ method: 'DELETE', path: `/runs/${runId}` }],
				check: async (items) => {
					expect(one(items)).toEqual({ id: runId, deleted: true });
					expect((await given.ask(`/runs/${runId}`, scope)).status).toBe(404);
				},
			};
		},
	},
	{
		resource: 'webhook',
		operation: 'getAll',
		prepare: async (given, scope) => {
			const { robotId, webhookId, url } = await newWebhook(given, scope);
			return {
				parameters: { robotId: locator(robotId) },
				requests: [{ method: 'GET', path: `/robots/${robotId}/webhooks` }],
				check: (items) => expect(one(items)).toMatchObject({ id: webhookId, url, active: true }),
			};
		},
	},
	{
		resource: 'webhook',
		operation: 'create',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			const url = 'https://receiver.example.com/maxun';
			const settings = {
				events: ['run_failed'],
				active: false,
				retryAttempts: 10,
				retryDelay: 7,
				timeout: 120,
			};
			return {
				parameters: { robotId: locator(robotId), url, additionalFields: settings },
				requests: [
					{ method: 'POST', path: `/robots/${robotId}/webhooks`, body: { url, ...settings } },
				],
				check: (items) =>
					expect(one(items)).toMatchObject({ id: expect.any(String), url, ...settings }),
			};
		},
	},
	{
		resource: 'webhook',
		operation: 'update',
		prepare: async (given, scope) => {
			const { robotId, webhookId, url } = await newWebhook(given, scope);
			return {
				parameters: {
					robotId: locator(robotId),
					webhookId: locator(webhookId),
					updateFields: { active: false, timeout: 5 },
				},
				requests: [
					{
						method: 'PATCH',
						path: `/robots/${robotId}/webhooks/${webhookId}`,
						body: { active: false, timeout: 5 },
					},
				],
				check: (items) =>
					expect(one(items)).toMatchObject({ id: webhookId, url, active: false, timeout: 5 }),
			};
		},
	},
	{
		resource: 'webhook',
		operation: 'delete',
		prepare: async (given, scope) => {
			const { robotId, webhookId } = await newWebhook(given, scope);
			return {
				parameters: { robotId: locator(robotId), webhookId: locator(webhookId) },
				requests: [{ method: 'DELETE', path: `/robots/${robotId}/webhooks/${webhookId}` }],
				check: async (items) => {
					expect(one(items)).toEqual({ id: webhookId, deleted: true });
					const { body } = await given.ask(`/robots/${robotId}/webhooks`, scope);
					expect(body.data).toEqual([]);
				},
			};
		},
	},
	{
		resource: 'webhook',
		operation: 'test',
		prepare: async (given, scope) => {
			const { robotId, webhookId } = await newWebhook(given, scope);
			return {
				parameters: { robotId: locator(robotId), webhookId: locator(webhookId) },
				requests: [{ method: 'POST', path: `/robots/${robotId}/webhooks/${webhookId}/test` }],
				// Nothing listens at the webhook's address, and the answer says so.
				check: (items) => expect(one(items)).toMatchObject({ delivered: false }),
			};
		},
	},
];

for (const operation of CASES) describeOperation(world, operation);
