import { expect } from 'vitest';
import {
	newActiveRun,
	newChangedRun,
	newRecorded,
	newRobot,
	newRun,
} from '../../helpers/fixtures.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { deleting, one, operationCase, requesting, type Scope } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

const OPTIONS = { downloadScreenshots: false, timeoutMinutes: 1, onFailure: 'error' };
const ROW = { Product: expect.any(String), Price: expect.any(String) };

/** Runs of robots and of agents. */
export function runsOf(
	resource: 'run' | 'agent',
	create: (given: TestSandbox, scope: Scope) => Promise<string>,
) {
	const [field, root] = resource === 'run' ? ['robotId', '/robots'] : ['agentId', '/agents'];
	return [
		operationCase(
			[resource, 'start', resource === 'agent' ? 'run' : undefined],
			async (given, scope) => {
				const id = await create(given, scope);
				return {
					parameters: { [field]: locator(id) },
					requests: [{ method: 'POST', path: `${root}/${id}/runs` }],
					check: async (items) => {
						const run = one(items);
						expect(['running', 'queued']).toContain(run.status);
						expect(run.url).toBe(`${given.baseUrl}/runs/${String(run.id)}`);
						const { data } = await given.client(scope).get(`/runs/${String(run.id)}`);
						expect(data.robotId).toBe(id);
					},
				};
			},
		),
		operationCase([resource, 'runAndWait', 'result'], async (given, scope) => {
			const id = await newRecorded(given, scope, resource === 'agent' ? 'agent' : 'extract');
			const body = { formats: ['text'] };
			await given.control.settings({ slots: 5 });
			return {
				parameters: {
					[field]: locator(id),
					output: 'rows',
					options: { ...OPTIONS, onTimeout: 'error', ...body },
				},
				requests: [
					{ method: 'POST', path: `${root}/{1}/runs`, body },
					{ method: 'GET', path: '/runs/active' },
					{ method: 'GET', path: '/runs/{2}' },
				],
				check: async (items) => {
					expect(items.length).toBeGreaterThan(3);
					expect(items[0]).toEqual(ROW);
					const { list } = await given.client(scope).get(`${root}/${id}/runs`);
					expect(list).toHaveLength(1);
				},
			};
		}),
		operationCase(
			[resource, resource === 'run' ? 'getAll' : 'getRuns', 'run'],
			async (given, scope) => {
				const id = await create(given, scope);
				const ids = await given.control.runs({ robotId: id, count: 3 });
				const filters = { status: ['success', 'failed'] };
				const query = { status: 'success,failed', limit: '2', offset: '0' };
				return {
					parameters: { [field]: locator(id), returnAll: false, limit: 2, filters },
					requests: [{ method: 'GET', path: `${root}/${id}/runs`, query }],
					check: (items) => expect(items.map((run) => run.id)).toEqual(ids.reverse().slice(0, 2)),
				};
			},
		),
	];
}

export const runCases = [
	...runsOf('run', newRobot),
	operationCase(['run', 'runOnUrls'], async (given, scope) => {
		const robotId = await newRecorded(given, scope);
		const url = `${given.siteUrl}/products?page=2`;
		const options = { formats: ['text'] };
		await given.control.settings({ slots: 5 });
		return {
			parameters: {
				robotId: locator(robotId),
				urls: url,
				options: { ...OPTIONS, ...options },
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
				expect(items[0]).toEqual({ pageUrl: url, ...ROW });
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
