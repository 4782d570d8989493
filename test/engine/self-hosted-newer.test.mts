import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { INVOICE_PROMPT, memoryFile, PDF } from '../helpers/files.mts';
import { newChangedRun, newRobot, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForm } from './support/self-hosted.mts';

const sandbox = useSandbox();

describeForm(sandbox, 'observed', (own) => {
	beforeEach(async () => await sandbox.control.settings({ selfHostedSdk: 'newer' }));

	describe('newer servers compare runs', () => {
		it('the setting is read and changed', async () => {
			const id = await newRobot(sandbox);
			const robotId = locator(id);
			const read = async (operation: string, more: INodeParameters = {}) => {
				const { items, error } = await own.run('monitoring', operation, { robotId, ...more });
				expect(error).toBeUndefined();
				return items[0]?.[0]?.json;
			};
			expect(await read('get')).toEqual({ robotId: id, compareRuns: false });
			const updateFields = { compareRuns: true };
			expect(await read('update', { updateFields })).toEqual({ robotId: id, compareRuns: true });
			expect((await sandbox.sent()).at(-1)).toMatchObject({
				method: 'PUT',
				path: `/sdk/robots/${id}`,
				body: { meta: { compareRuns: true } },
			});
			expect(await read('get')).toEqual({ robotId: id, compareRuns: true });
		});

		it('a new robot can compare its runs', async () => {
			const { error } = await own.run('robot', 'createScrape', {
				url: `${sandbox.siteUrl}/articles`,
				formats: ['text'],
				additionalFields: { name: unique('Compared'), compareRuns: true },
			});
			expect(error).toBeUndefined();
			expect((await sandbox.sent()).at(-1)?.body).toMatchObject({ meta: { compareRuns: true } });
		});

		it('the diff of a run is read', async () => {
			const { robotId, runId } = await newChangedRun(sandbox, { teamId: '' });
			const { items, error } = await own.run('monitoring', 'getDiff', {
				robotId: locator(robotId),
				runId: locator(runId),
				format: 'text',
				asPatch: true,
			});
			expect(error).toBeUndefined();
			expect(await sandbox.lines()).toEqual([
				`GET /sdk/robots/${robotId}/runs/${runId}/diff?format=text`,
			]);
			expect(items[0]?.[0]?.json).toMatchObject({
				runId,
				hasChanges: true,
				diffs: [{ format: 'text' }],
				patch: expect.stringContaining('+ 199'),
			});
		});
	});

	describe('newer servers read documents', () => {
		const create = async (operation: string, parameters: INodeParameters) =>
			await own.run(
				'robot',
				operation,
				{ inputDataFieldName: 'data', ...parameters },
				{
					input: [
						{ json: {}, binary: { data: memoryFile(PDF.content, PDF.fileName, PDF.mimeType) } },
					],
				},
			);
		const parts = async () => {
			const [sent] = await sandbox.sent();
			expect(sent?.method).toBe('POST');
			const body = Array.isArray(sent?.body) ? sent.body : [];
			return {
				path: sent?.path,
				fields: body.map(({ name, value, filename }) => [name, value ?? filename]),
			};
		};

		it('a robot that extracts fields is created', async () => {
			const name = unique('Invoice');
			const { items, error } = await create('createDocumentExtract', {
				prompt: INVOICE_PROMPT,
				additionalFields: { name },
			});
			expect(error).toBeUndefined();
			const { path, fields } = await parts();
			expect(path).toBe('/sdk/robots/document');
			expect(fields).toEqual([
				['file', PDF.fileName],
				['prompt', INVOICE_PROMPT],
				['robotName', name],
			]);
			expect(items[0]?.[0]?.json).toMatchObject({ name, type: 'doc-extract' });
		});

		it('a robot that converts a document is created', async () => {
			const name = unique('Parse');
			const outputFormats = ['markdown', 'links'];
			const { items, error } = await create('createDocumentParse', { name, outputFormats });
			expect(error).toBeUndefined();
			const { path, fields } = await parts();
			expect(path).toBe('/sdk/robots/document-parse');
			expect(fields).toEqual([
				['file', PDF.fileName],
				['robotName', name],
				['outputFormats[]', 'markdown'],
				['outputFormats[]', 'links'],
			]);
			expect(items[0]?.[0]?.json).toMatchObject({ name, type: 'doc-parse' });
		});
	});
});
