import { expect } from 'vitest';
import { newRobot, newWebhook } from '../../helpers/fixtures.mts';
import { one, operationCase, requesting } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const webhookCases = [
	operationCase(['webhook', 'getAll'], async (given, scope) => {
		const { robotId, webhookId, url } = await newWebhook(given, scope);
		const request = { method: 'GET', path: `/robots/${robotId}/webhooks` };
		const webhook = { id: webhookId, url, active: true };
		return requesting({ robotId: locator(robotId) }, request, webhook);
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
		const parameters = { robotId: locator(robotId), url, additionalFields: settings };
		const body = { url, ...settings };
		const request = { method: 'POST', path: `/robots/${robotId}/webhooks`, body };
		return requesting(parameters, request, { id: expect.any(String), ...body });
	}),
	operationCase(['webhook', 'update'], async (given, scope) => {
		const { robotId, webhookId, url } = await newWebhook(given, scope);
		const ids = { robotId: locator(robotId), webhookId: locator(webhookId) };
		const body = { active: false, timeout: 5 };
		const request = { method: 'PATCH', path: `/robots/${robotId}/webhooks/${webhookId}`, body };
		return requesting({ ...ids, updateFields: body }, request, { id: webhookId, url, ...body });
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
		const parameters = { robotId: locator(robotId), webhookId: locator(webhookId) };
		const request = { method: 'POST', path: `/robots/${robotId}/webhooks/${webhookId}/test` };
		// Nothing listens at the webhook's URL, and the response says so.
		return requesting(parameters, request, { delivered: false });
	}),
];
