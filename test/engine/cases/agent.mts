import { expect } from 'vitest';
import { newRecorded, unique } from '../../helpers/fixtures.mts';
import { deleting, one, operationCase, reading, requesting } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const agentCases = [
	operationCase(['agent', 'create', 'robot'], (sandbox) => {
		const prompt = 'Get name and price of the products';
		const columns = [{ column: 'Product' }, { column: 'Price', type: 'number' }];
		const withColumns = `${prompt}\nReturn exactly these columns: Product (text), Price (number)`;
		const fields = {
			url: `${sandbox.siteUrl}/products`,
			name: unique('Agent'),
			deepExtraction: true,
			compareRuns: true,
			monitoringPrompt: 'Only prices matter',
			alertsEnabled: true,
			alertEmail: 'nathan@example.com',
		};
		return {
			parameters: {
				prompt,
				waitUntilReady: true,
				additionalFields: { ...fields, columns: { values: columns } },
				options: { timeoutMinutes: 1 },
			},
			requests: [
				{ method: 'POST', path: '/agents', body: { ...fields, prompt: withColumns } },
				{ method: 'GET', path: '/agents/{1}' },
			],
			check: (items) => {
				const { name, url, deepExtraction } = fields;
				const agent = {
					type: 'agent',
					status: 'ready',
					prompt: withColumns,
					name,
					url,
					deepExtraction,
				};
				expect(one(items)).toMatchObject({ id: expect.any(String), ...agent });
			},
		};
	}),
	operationCase(['agent', 'get', 'robot'], async (given, scope) => {
		const agentId = await newRecorded(given, scope, 'agent');
		const parameters = { agentId: locator(agentId), output: 'raw' };
		return reading(given, scope, `/agents/${agentId}`, parameters);
	}),
	operationCase(['agent', 'getAll', 'robot'], async (given, scope) => {
		await newRecorded(given, scope, 'agent');
		await newRecorded(given, scope, 'agent');
		const parameters = { returnAll: false, limit: 2, output: 'raw' };
		return reading(given, scope, '/agents?limit=2&offset=0', parameters);
	}),
	operationCase(['agent', 'update', 'robot'], async (given, scope) => {
		const agentId = await newRecorded(given, scope, 'agent');
		const name = unique('Renamed');
		const request = { method: 'PATCH', path: `/agents/${agentId}`, body: { name } };
		return requesting({ agentId: locator(agentId), name }, request, { id: agentId, name });
	}),
	operationCase(['agent', 'delete'], async (given, scope) => {
		const id = await newRecorded(given, scope, 'agent');
		return deleting(given, scope, `/agents/${id}`, { id, agentId: locator(id) });
	}),
	operationCase(['agent', 'runAndWait', 'result'], async (given, scope) => {
		const agentId = await newRecorded(given, scope, 'agent');
		const options = { formats: ['markdown'] };
		return {
			parameters: {
				agentId: locator(agentId),
				output: 'rows',
				options: { timeoutMinutes: 1, onTimeout: 'error', onFailure: 'error', ...options },
			},
			requests: [
				{ method: 'POST', path: '/agents/{1}/runs', body: options },
				{ method: 'GET', path: '/runs/active' },
				{ method: 'GET', path: '/runs/{2}' },
			],
			check: async (items) => {
				expect(items.length).toBeGreaterThan(3);
				expect(items[0]).toEqual({ Product: expect.any(String), Price: expect.any(String) });
				const { body } = await given.client(scope).get(`/agents/${agentId}/runs`);
				expect(body.data).toHaveLength(1);
			},
		};
	}),
	operationCase(['agent', 'start', 'run'], async (given, scope) => {
		const agentId = await newRecorded(given, scope, 'agent');
		return {
			parameters: { agentId: locator(agentId) },
			requests: [{ method: 'POST', path: `/agents/${agentId}/runs` }],
			check: async (items) => {
				const { body } = await given.client(scope).get(`/agents/${agentId}/runs`);
				expect(body.data).toMatchObject([{ id: one(items).id }]);
			},
		};
	}),
	operationCase(['agent', 'getRuns', 'run'], async (given, scope) => {
		const agentId = await newRecorded(given, scope, 'agent');
		const ids = await given.control.runs({ robotId: agentId, count: 3 });
		return {
			parameters: {
				agentId: locator(agentId),
				returnAll: false,
				limit: 2,
				filters: { status: ['success', 'failed'] },
			},
			requests: [
				{
					method: 'GET',
					path: `/agents/${agentId}/runs`,
					query: { status: 'success,failed', limit: '2', offset: '0' },
				},
			],
			check: (items) => expect(items.map(({ id }) => id)).toEqual(ids.reverse().slice(0, 2)),
		};
	}),
];
