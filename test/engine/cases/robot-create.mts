import { expect } from 'vitest';
import { INVOICE_PROMPT, PDF } from '../../helpers/files.mts';
import { unique } from '../../helpers/fixtures.mts';
import { extractRequests } from '../support/extract.mts';
import { one, operationCase, requesting } from '../support/operations.mts';
import type { FilePart, Wire } from '../support/wire.mts';
import { MONITORING } from './monitoring.mts';

export const filePart: FilePart = {
	filename: PDF.fileName,
	contentType: PDF.mimeType,
	size: PDF.content.length,
};

export const robotCreateCases = [
	operationCase(['robot', 'createScrape', 'robot'], (sandbox) => {
		const url = `${sandbox.siteUrl}/products`;
		const formats = ['markdown', 'links'];
		const fields = { name: unique('Scrape'), smartQueries: 'What does it cost?', ...MONITORING };
		const { name, smartQueries } = fields;
		const parameters = { url, formats, additionalFields: fields };
		const request = { method: 'POST', path: '/robots/scrape', body: { url, formats, ...fields } };
		const robot = { id: expect.any(String), type: 'scrape', status: 'ready' };
		const set = { name, url, formats, smartQueries, monitoring: MONITORING };
		return requesting(parameters, request, { ...robot, ...set });
	}),
	operationCase(['robot', 'createExtract', 'robot'], (sandbox) => {
		const { parameters, draft, complete } = extractRequests(`${sandbox.siteUrl}/products`);
		const name = unique('Extract');
		const meta = { name, type: 'extract', compareRuns: true };
		return {
			parameters: { ...parameters, name, additionalFields: { compareRuns: true } },
			requests: [
				{ method: 'POST', path: '/sdk/robots', body: { meta, workflow: draft } },
				{ method: 'PUT', path: '/sdk/robots/{1}', body: { workflow: complete } },
			],
			check: (items) => {
				const robot = { id: expect.any(String), type: 'extract', status: 'ready' };
				const { lists, fields } = parameters;
				expect(one(items)).toMatchObject({
					...robot,
					...{ name, url: parameters.url, monitoring: { compareRuns: true } },
					fields: fields.values,
					lists: lists.values.map((list) => ({
						...list,
						columns: expect.arrayContaining(list.columns.values),
					})),
				});
			},
		};
	}),
	operationCase(['robot', 'createCrawl', 'robot'], (sandbox) => {
		const url = `${sandbox.siteUrl}/`;
		const crawlConfig = {
			mode: 'path',
			limit: 7,
			maxDepth: 2,
			includePaths: ['/site/products/*'],
			excludePaths: ['/site/private/*', '/site/checkout'],
			useSitemap: false,
			followLinks: true,
			respectRobots: false,
			outputFormats: ['markdown', 'text'],
		};
		const fields = { name: unique('Crawl'), ...MONITORING };
		const parameters = { url, crawlConfig, additionalFields: fields };
		const body = { url, crawlConfig, ...fields };
		const robot = { id: expect.any(String), name: fields.name, type: 'crawl' };
		const monitoring = MONITORING;
		return requesting(
			parameters,
			{ method: 'POST', path: '/robots/crawl', body },
			{ ...robot, monitoring },
		);
	}),
	operationCase(['robot', 'createSearch', 'robot'], () => {
		const name = unique('Search');
		const query = 'oiling a desk';
		const settings = { mode: 'scrape', limit: 4, outputFormats: ['text'] };
		const searchConfig = { query, ...settings, filters: { timeRange: 'year' } };
		const form = { query, searchConfig: { ...settings, timeRange: 'year' } };
		const request = { method: 'POST', path: '/robots/search', body: { name, searchConfig } };
		const robot = { id: expect.any(String), name, type: 'search' };
		return requesting({ ...form, additionalFields: { name } }, request, robot);
	}),
	operationCase(['robot', 'createDocumentExtract', 'robot'], () => {
		const name = unique('Document');
		const prompt = INVOICE_PROMPT;
		const parameters = { inputDataFieldName: 'data', prompt, additionalFields: { name } };
		const request: Wire = {
			method: 'POST',
			path: '/robots/document-extract',
			parts: [
				['file', filePart],
				['prompt', prompt],
				['name', name],
			],
		};
		const extractionSchema = { type: 'object' };
		const robot = { id: expect.any(String), name, type: 'doc-extract', extractionSchema };
		return { ...requesting(parameters, request, robot), file: PDF };
	}),
	operationCase(['robot', 'createDocumentParse', 'robot'], () => {
		const name = unique('Document');
		const formats = ['markdown', 'summary'];
		const request: Wire = {
			method: 'POST',
			path: '/robots/document-parse',
			parts: [
				['file', filePart],
				['name', name],
				['outputFormats', 'markdown'],
				['outputFormats', 'summary'],
			],
		};
		const parameters = { inputDataFieldName: 'data', name, outputFormats: formats };
		const robot = { id: expect.any(String), name, type: 'doc-parse', formats };
		return { ...requesting(parameters, request, robot), file: PDF };
	}),
];
