import { agentPromptField, agentUrlField, deepExtractionField } from '../fields/agents';
import {
	conversionErrorsOfRows,
	formatFields,
	foundTableFields,
	onlyTableFields,
	promptWithColumns,
	tableFields,
} from '../fields/columns';
import { crawlConfigField, siteMapOptions } from '../fields/crawl';
import { definitionFields, extractAdditionalFields } from '../fields/extract';
import { checkDefinition, definitionOf, tableIn } from '../fields/extractDefinition';
import { shownIf } from '../fields/field';
import { formatsField, formatsFor } from '../fields/formats';
import { entryOutputField, outputsWithFormats, pageOutputField } from '../fields/output';
import { smartQueriesField, urlField } from '../fields/robots';
import { temporaryOptionsField } from '../fields/runOptions';
import { queryField, searchConfigBody, searchConfigField } from '../fields/search';
import { skipReadFields } from '../fields/skipRead';
import { withoutEmpty } from '../http/request';
import { definitionFor, formOfRows, lessonFor } from './extractRobots';
import { getChanges } from './getChanges';
import { oneStep } from './oneStep';
import { called, type Resource } from './operation';

const extractRows = oneStep({
	...called('extractRows', 'Extract Rows', 'from page'),
	description:
		'Get the rows of a page in one step, automatically, by example or with selectors, without a language model',
	builderHint:
		'Use this to get the rows of a page, such as a product list. The URL is enough. If you need certain columns, give values from the page, or CSS selectors.',
	properties: [
		{ ...urlField, description: 'The page with the data' },
		...definitionFields(formatFields),
		extractAdditionalFields(),
		entryOutputField('row'),
		temporaryOptionsField([...foundTableFields, conversionErrorsOfRows]),
	],
	rule: checkDefinition,
	operation: 'selectors',
	needs: ({ extractRobots }) => extractRobots.create,
	lesson: (given) => lessonFor(given, !given.options.keepRobot),
	create: async (create, given, name, context) =>
		await create(name, await definitionFor(given, context)),
	settings: (given) => ({
		...given,
		keeping:
			definitionOf(given).examples && !given.options.keepRobot
				? {
						word: given.specifyFields === 'automatic' ? 'lists' : 'rows',
						page: given.url,
						isAutomatic: given.specifyFields === 'automatic',
						form: formOfRows(given),
					}
				: undefined,
		address: given.url,
		table: tableIn(given),
		lists: definitionOf(given).lists,
	}),
});

const scrape = oneStep({
	...called('scrape', 'Scrape Page'),
	description: 'Get the content of a page in one step',
	builderHint:
		'Use this to read one page without an existing robot, for example an article as Markdown or a screenshot of a page.',
	properties: [
		{ ...urlField, description: 'The page to scrape' },
		shownIf({ output: outputsWithFormats }, formatsField),
		pageOutputField,
		temporaryOptionsField([...tableFields(), smartQueriesField, ...skipReadFields]),
	],
	operation: 'scrape',
	needs: ({ robots }) => robots.create,
	create: async (create, { url, output, formats: given, options: { smartQueries } }, name) => {
		const formats = formatsFor(output, given);
		return await create('scrape', withoutEmpty({ url, name, formats, smartQueries }));
	},
	sharesRuns: true,
	fields: ({ url }) => ({ url }),
	settings: (params) => ({ ...params, address: params.url }),
});

const crawl = oneStep({
	...called('crawl', 'Crawl Site'),
	description: 'Get the pages of a site in one step, one item per page',
	builderHint:
		'Use this to read all pages or many pages of one website without an existing robot, for example documentation for a vector store, or the contacts of a firm.',
	properties: [urlField, crawlConfigField, pageOutputField, temporaryOptionsField(tableFields())],
	operation: 'crawl',
	needs: ({ robots }) => robots.create,
	create: async (create, { url, output, crawlConfig: { outputFormats, ...config } }, name) => {
		const crawlConfig = { ...config, outputFormats: formatsFor(output, outputFormats) };
		return await create('crawl', { url, name, crawlConfig: withoutEmpty(crawlConfig) });
	},
	settings: (params) => params,
});

const map = oneStep({
	...called('map', 'Map Site'),
	description:
		'List the URLs of a site in one step, one item per URL. To find links, Maxun opens 10 pages by default.',
	builderHint:
		'Use this to find the URLs of a website, for example to read only some of them with Scrape Page.',
	properties: [urlField, temporaryOptionsField(siteMapOptions)],
	operation: 'map',
	needs: ({ robots }) => robots.create,
	create: async (create, { url, options: { maxPages } }, name) => {
		// A sitemap begins with the same pages for years, and Maxun only lists the links of opened pages.
		const crawlConfig = { limit: maxPages, outputFormats: ['links'], useSitemap: false };
		return await create('crawl', { url, name, crawlConfig });
	},
	settings: ({ url, options }) => ({ url, options, siteMap: { url, ...options } }),
});

const extract = oneStep({
	value: 'extract',
	name: 'Extract With Prompt',
	action: 'Extract data with prompt',
	description: 'In one step, get the data that a prompt describes, one item per row',
	builderHint:
		'Use this to extract fields that you can only describe in words. It is slow. If you know CSS selectors or values on the page, use Extract Rows instead.',
	properties: [
		agentPromptField,
		agentUrlField,
		temporaryOptionsField([...onlyTableFields(), deepExtractionField]),
	],
	operation: 'extract',
	kind: 'agent',
	needs: ({ agents }) => agents.create,
	create: async (create, { prompt, url, options: { columns, deepExtraction } }, name) =>
		await create(
			withoutEmpty({ prompt: promptWithColumns(prompt, columns), url, name, deepExtraction }),
		),
	settings: (params) => params,
});

const search = oneStep({
	...called('search', 'Search Web'),
	description: 'Get search results in one step, one item per result',
	builderHint: 'Use this to search the web for a question or keywords, without a URL.',
	properties: [
		queryField,
		searchConfigField,
		entryOutputField('result'),
		temporaryOptionsField(tableFields()),
	],
	operation: 'search',
	needs: ({ robots }) => robots.create,
	create: async (create, { query, searchConfig }, name) =>
		await create('search', { name, searchConfig: searchConfigBody(query, searchConfig) }),
	settings: (params) => params,
});

export const web: Resource = {
	name: 'Web',
	value: 'web',
	description: 'Get data in one step, without your own robot',
	operations: [scrape, getChanges, crawl, map, search, extractRows, extract],
};
