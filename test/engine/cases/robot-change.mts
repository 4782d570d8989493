import { expect } from 'vitest';
import { PDF } from '../../helpers/files.mts';
import { newDocumentRobot, newRobot, unique } from '../../helpers/fixtures.mts';
import { one, operationCase, requesting } from '../support/operations.mts';
import type { Wire } from '../support/wire.mts';
import { locator } from '../../helpers/parameters.mts';
import { filePart } from './robot-create.mts';

export const robotChangeCases = [
	operationCase(['robot', 'update', 'robot'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const changes = {
			name: unique('Changed'),
			url: `${given.siteUrl}/articles`,
			formats: ['html', 'text'],
			smartQueries: 'Who wrote it?',
		};
		return {
			parameters: { robotId: locator(robotId), updateFields: changes },
			requests: [{ method: 'PATCH', path: `/robots/${robotId}`, body: changes }],
			check: async (items) => {
				expect(one(items)).toMatchObject({ id: robotId, ...changes });
				const { body } = await given.client(scope).get(`/robots/${robotId}`);
				expect(body.data).toMatchObject(changes);
			},
		};
	}),
	operationCase(['robot', 'duplicate', 'robot'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const body = { url: `${given.siteUrl}/articles`, name: unique('Copy') };
		return {
			parameters: {
				robotId: locator(robotId),
				url: body.url,
				additionalFields: { name: body.name },
			},
			requests: [{ method: 'POST', path: `/robots/${robotId}/duplicate`, body }],
			check: (items) => {
				const copy = one(items);
				expect(copy).toMatchObject({ id: expect.any(String), type: 'scrape', ...body });
				expect(copy.id).not.toBe(robotId);
			},
		};
	}),
	operationCase(['robot', 'replaceDocument', 'robot'], async (given, scope) => {
		const robotId = await newDocumentRobot(given, scope);
		const parameters = { robotId: locator(robotId), inputDataFieldName: 'data' };
		const path = `/robots/${robotId}/document`;
		const request: Wire = { method: 'PUT', path, parts: [['file', filePart]] };
		return { ...requesting(parameters, request, { id: robotId }), file: PDF };
	}),
	operationCase(['robot', 'updateDocumentPrompt', 'robot'], async (given, scope) => {
		const robotId = await newDocumentRobot(given, scope);
		const prompt = 'Extract the supplier and the currency';
		return {
			parameters: { robotId: locator(robotId), prompt },
			requests: [{ method: 'PATCH', path: `/robots/${robotId}/document-prompt`, body: { prompt } }],
			check: async (items) => {
				expect(one(items)).toMatchObject({ id: robotId });
				const { data } = await given.client(scope).get(`/robots/${robotId}`);
				expect(JSON.stringify(data.extractionSchema)).toMatch(/supplier.*currency/);
			},
		};
	}),
];
