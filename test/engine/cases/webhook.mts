import { expect } from 'vitest';
import { newRobot, newWebhook } from '../../helpers/fixtures.mts';
import { one, operationCase } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const webhookCases = [
	operationCase(['webhook', 'getAll'], async (given, scope) => {
		const { robotId, webhookId, url } = await newWebhook(given, scope);
		return {
			parameters: { robotId: locator(robotId) },
			requests: [{ method: 'GET', path: `/robots/${robotId}/webhooks` }],
			check: (items) => expect(one(items)).toMatchObject({ id: webhookId, url, active: true }),
		};
	}),
	operationCase(['webhook', 'create'], async (given, scope) => {
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
	}),
	operationCase(['webhook', 'update'], async (given, scope) => {
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
	}),
	operationCase(['webhook', 'delete'], async (given, scope) => {
		const { robotId, webhookId } = await newWebhook(given, scope);
		return {
			parameters: { robotId: locator(robotId), webhookId: locator(webhookId) },
			requests: [{ method: 'DELETE', path: `/robots/${robotId}/webhooks/${webhookId}` }],
			check: async (items) => {
				expect(one(items)).toEqual({ id: webhookId, deleted: true });
				const { body } = await given.client(scope).get(`/robots/${robotId}/webhooks`);
				expect(body.data).toEqual([]);
			},
		};
	}),
	operationCase(['webhook', 'test'], async (given, scope) => {
		const { robotId, webhookId } = await newWebhook(given, scope);
		return {
			parameters: { robotId: locator(robotId), webhookId: locator(webhookId) },
			requests: [{ method: 'POST', path: `/robots/${robotId}/webhooks/${webhookId}/test` }],
			// Nothing listens at the webhook's URL, and the response says so.
			check: (items) => expect(one(items)).toMatchObject({ delivered: false }),
		};
	}),
];
