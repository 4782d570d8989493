import { additionalFields, optionsOf } from '../../fields/collections';
import { crawlConfigField } from '../../fields/crawl';
import { documentField, documentFormatsField, promptField } from '../../fields/documents';
import { definitionFields, extractAdditionalFields } from '../../fields/extract';
import { checkDefinition } from '../../fields/extractDefinition';
import { formatsField } from '../../fields/formats';
import { checkAlertFields, compareRunsField, monitoringFields } from '../../fields/monitoring';
import { nameField, smartQueriesField, uniqueNameField, urlField } from '../../fields/robots';
import { paceFields } from '../../fields/runOptions';
import { queryField, searchConfigBody, searchConfigField } from '../../fields/search';
import { timeoutField } from '../../fields/waiting';
import { withoutEmpty } from '../../http/request';
import { definitionFor, lessonFor } from '../extractRobots';
import { called, operation, waitingOperation } from '../operation';

export const createCrawl = operation({
	...called('createCrawl', 'Create Crawl Robot'),
	description: 'Create a robot that visits and captures the pages of a site',
	properties: [
		urlField,
		crawlConfigField,
		additionalFields([...monitoringFields, nameField], checkAlertFields),
	],
	needs: ({ robots }) => robots.create,
	run: async (create, { url, crawlConfig, additionalFields: fields }) =>
		await create('crawl', withoutEmpty({ url, crawlConfig: withoutEmpty(crawlConfig), ...fields })),
});

export const createDocumentExtract = operation({
	...called('createDocumentExtract', 'Create Document Extract Robot'),
	description: 'Create a robot that extracts fields from a document',
	properties: [documentField, promptField, additionalFields([nameField])],
	needs: ({ robots }) => robots.createFromDocument,
	run: async (create, { inputDataFieldName, prompt, additionalFields: { name } }, { document }) =>
		await create('extract', await document(inputDataFieldName), { prompt, name }),
});

export const createDocumentParse = operation({
	...called('createDocumentParse', 'Create Document Parse Robot'),
	description: 'Create a robot that converts a document to text',
	properties: [documentField, uniqueNameField, documentFormatsField],
	needs: ({ robots }) => robots.createFromDocument,
	run: async (create, { inputDataFieldName, ...fields }, { document }) =>
		await create('parse', await document(inputDataFieldName), fields),
});

export const createExtract = waitingOperation({
	...called('createExtract', 'Create Extract Robot'),
	description:
		'Create a robot that reads named columns and single fields from a page. You do not have to record it.',
	properties: [
		{ ...urlField, description: 'The page with the data' },
		uniqueNameField,
		...definitionFields(),
		extractAdditionalFields([compareRunsField]),
		optionsOf([timeoutField, ...paceFields]),
	],
	rule: checkDefinition,
	needs: ({ extractRobots }) => extractRobots.create,
	lesson: (given) => lessonFor(given),
	startsRun: false,
	start: async (create, given, context) => {
		const { name, additionalFields: fields } = given;
		const robot = await create(name, await definitionFor(given, context), fields.compareRuns);
		return [{ json: robot }];
	},
	settings: ({ url, options }) => ({
		...options,
		subject: url,
		onFailure: 'error',
		onTimeout: 'error',
		output: 'raw',
	}),
});

export const createScrape = operation({
	...called('createScrape', 'Create Scrape Robot'),
	description: 'Create a robot that captures one page',
	properties: [
		urlField,
		formatsField,
		additionalFields([...monitoringFields, nameField, smartQueriesField], checkAlertFields),
	],
	needs: ({ robots }) => robots.create,
	run: async (create, { url, formats, additionalFields: fields }) =>
		await create('scrape', withoutEmpty({ url, formats, ...fields })),
});

export const createSearch = operation({
	...called('createSearch', 'Create Search Robot'),
	description: 'Create a robot that searches the web',
	properties: [queryField, searchConfigField, additionalFields([nameField])],
	needs: ({ robots }) => robots.create,
	run: async (create, { query, searchConfig, additionalFields: { name } }) =>
		await create(
			'search',
			withoutEmpty({ name, searchConfig: searchConfigBody(query, searchConfig) }),
		),
});
