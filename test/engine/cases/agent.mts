import { expect } from 'vitest';
import { newRecorded, unique } from '../../helpers/fixtures.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { one, operationCase, requesting, type Scope } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';
import { MONITORING } from './monitoring.mts';
import { entryCases } from './robot.mts';
import { runsOf } from './run.mts';

const newAgent = async (given: TestSandbox, scope: Scope) =>
	await newRecorded(given, scope, 'agent');

export const agentCases = [
	operationCase(['agent', 'create', 'robot'], (sandbox) => {
		const prompt = 'Get name and price of the products';
		const columns = [{ column: 'Product' }, { column: 'Price', type: 'number' }];
		const withColumns = `${prompt}\nReturn exactly these columns: Product (text), Price (number)`;
		const fields = {
			url: `${sandbox.siteUrl}/products`,
			name: unique('Agent'),
			deepExtraction: true,
			...MONITORING,
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
	...entryCases('agent', newAgent),
	operationCase(['agent', 'update', 'robot'], async (given, scope) => {
		const agentId = await newAgent(given, scope);
		const name = unique('Renamed');
		const request = { method: 'PATCH', path: `/agents/${agentId}`, body: { name } };
		return requesting({ agentId: locator(agentId), name }, request, { id: agentId, name });
	}),
	...runsOf('agent', newAgent),
];
