import { expect } from 'vitest';
import {
	newActiveRun,
	newChangedRun,
	newRecorded,
	newRobot,
	newRun,
} from '../../helpers/fixtures.mts';
import { deleting, one, operationCase, requesting } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const runCases = [
	operationCase(['run', 'start'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		return {
			parameters: { robotId: locator(robotId) },
			requests: [{ method: 'POST', path: `/robots/${robotId}/runs` }],
			check: async (items) => {
				const { id, status, url } = one(items);
				expect(['running', 'queued']).toContain(status);
				expect(url).toBe(`${given.baseUrl}/runs/${String(id)}`);
				const { data } = await given.client(scope).get(`/runs/${String(id)}`);
				expect(data.robotId).toBe(robotId);
			},
		};
	}),
	operationCase(['run', 'runAndWait', 'result'], async (given, scope) => {
		const robotId = await newRecorded(given, scope);
		const options = { formats: ['text'] };
		await given.control.settings({ slots: 5 });
		return {
			parameters: {
				robotId: locator(robotId),
				output: 'rows',
				options: {
					downloadScreenshots: false,
					timeoutMinutes: 1,
					onTimeout: 'error',
					onFailure: 'error',
					...options,
				},
			},
			requests: [
				{ method: 'POST', path: '/robots/{1}/runs', body: options },
				{ method: 'GET', path: '/runs/active' },
				{ method: 'GET', path: '/runs/{2}' },
			],
			check: async (items) => {
				expect(items.length).toBeGreaterThan(3);
				expect(items[0]).toEqual({ Product: expect.any(String), Price: expect.any(String) });
				const { body } = await given.client(scope).get(`/robots/${robotId}/runs`);
				expect(body.data).toHaveLength(1);
			},
		};
	}),
	operationCase(['run', 'runOnUrls'], async (given, scope) => {
		const robotId = await newRecorded(given, scope);
		const url = `${given.siteUrl}/products?page=2`;
		const options = { formats: ['text'] };
		await given.control.settings({ slots: 5 });
		return {
			parameters: {
				robotId: locator(robotId),
				urls: url,
				options: {
					downloadScreenshots: false,
					onFailure: 'error',
					timeoutMinutes: 1,
					...options,
				},
			},
			requests: [
				{
					method: 'POST',
					path: '/robots/{1}/duplicate',
					body: { url, name: expect.stringMatching(/^n8n urls until \S+Z \w{10}$/) },
				},
				{ method: 'POST', path: '/robots/{2}/runs', body: options },
				{ method: 'GET', path: '/runs/active' },
				{ method: 'GET', path: '/runs/{3}' },
				{ method: 'DELETE', path: '/robots/{2}' },
			],
			check: async (items) => {
				expect(items.length).toBeGreaterThan(3);
				const row = { pageUrl: url, Product: expect.any(String), Price: expect.any(String) };
				expect(items[0]).toEqual(row);
				const { list } = await given.client(scope).get('/robots?q=n8n&limit=100');
				expect(list).toEqual([]);
			},
		};
	}),
	operationCase(['run', 'get', 'result'], async (given, scope) => {
		const { runId, robotId } = await newRun(given, scope);
		const parameters = { runId: locator(runId), output: 'simplified' };
		const run = { id: runId, robotId, status: 'success' };
		return requesting(parameters, { method: 'GET', path: `/runs/${runId}` }, run);
	}),
	operationCase(['run', 'compare'], async (given, scope) => {
		const { robotId, previousRunId, runId } = await newChangedRun(given, scope);
		return {
			parameters: { robotId: locator(robotId) },
			requests: [
				{
					method: 'GET',
					path: `/robots/${robotId}/runs`,
					query: { status: 'success', limit: '21', offset: '0' },
				},
				{ method: 'GET', path: `/runs/${runId}` },
				{ method: 'GET', path: `/runs/${previousRunId}` },
			],
			check: (items) =>
				expect(one(items)).toEqual({
					change: 'changed',
					diff: '- 249\n+ 199',
					before: { markdown: expect.stringContaining('249') },
					markdown: expect.stringContaining('199'),
					text: expect.stringContaining('199'),
				}),
		};
	}),
	operationCase(['run', 'getAll', 'run'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const ids = await given.control.runs({ robotId, count: 3 });
		return {
			parameters: { robotId: locator(robotId), returnAll: false, limit: 2 },
			requests: [
				{ method: 'GET', path: `/robots/${robotId}/runs`, query: { limit: '2', offset: '0' } },
			],
			check: (items) => expect(items.map(({ id }) => id)).toEqual(ids.reverse().slice(0, 2)),
		};
	}),
	operationCase(['run', 'getActive', 'run'], async (given, scope) => {
		const { runId } = await newActiveRun(given, scope);
		return {
			parameters: {},
			requests: [{ method: 'GET', path: '/runs/active' }],
			check: (items) =>
				expect(items).toContainEqual(expect.objectContaining({ id: runId, status: 'queued' })),
		};
	}),
	operationCase(['run', 'cancel', 'run'], async (given, scope) => {
		const { runId } = await newActiveRun(given, scope);
		return {
			parameters: { runId: locator(runId) },
			requests: [{ method: 'POST', path: `/runs/${runId}/cancel` }],
			check: async (items) => {
				expect(one(items)).toMatchObject({ id: runId });
				const { data } = await given.client(scope).get(`/runs/${runId}`);
				expect(data.status).toBe('aborted');
			},
		};
	}),
	operationCase(['run', 'delete'], async (given, scope) => {
		const { runId: id } = await newRun(given, scope);
		return deleting(given, scope, `/runs/${id}`, { id, runId: locator(id) });
	}),
];
