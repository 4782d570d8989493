import type { INodeParameters } from 'n8n-workflow';
import { DEMO } from '../../sandbox/index.mts';
import { locator } from '../../helpers/parameters.mts';

const ROBOT = { robotId: locator(DEMO.article) };
const AGENT = { agentId: locator(DEMO.article) };
const PAGE = { url: 'https://example.com/', formats: ['markdown'] };
const SCHEDULE = { ...ROBOT, runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
const DOCUMENT = { inputDataFieldName: 'data', prompt: 'The total', name: 'Invoice' };
/** The result of an expression without data. */
const NOTHING = '={{ "" }}';

/** Parameters, and how the error message for each begins. */
type Row = [resource: string, operation: string, parameters: INodeParameters, message: string];

const additional = (fields: INodeParameters) => ({ additionalFields: fields });
const update = (fields: INodeParameters) => ({ updateFields: fields });
const LONELY_ALERTS = additional({ alertsEnabled: true });
const ALERTS = "'Send Alerts' requires 'Compare Runs'";
const ADDRESS = "'URL' must be a valid URL that starts with http:// or https://";

const HEADING = { name: 'Heading', selector: 'h1' };
const LIST = { name: 'Items', itemSelector: 'li' };
const EXTRACT = { url: 'https://example.com/', name: 'Items', specifyFields: 'fields' };
/** A fixed collection with one entry. */
const one = (name: string, entry: INodeParameters) => ({ [name]: { values: [entry] } });
const FIELD = one('fields', HEADING);

export const WRONG_INPUT: Row[] = [
	['robot', 'createScrape', { ...PAGE, url: NOTHING }, "'URL' is required"],
	['robot', 'createScrape', { ...PAGE, url: 'example.com' }, ADDRESS],
	['robot', 'createScrape', { ...PAGE, formats: ['pdf'] }, "'Formats' must be one of html, links"],
	['robot', 'createScrape', { ...PAGE, ...LONELY_ALERTS }, ALERTS],
	['robot', 'createCrawl', { ...PAGE, url: 'file:///etc/passwd' }, ADDRESS],
	['robot', 'createCrawl', { ...PAGE, crawlConfig: { limit: 0 } }, "'Max Pages' must be 1 or more"],
	[
		'robot',
		'createCrawl',
		{ ...PAGE, crawlConfig: { limit: 2.5 } },
		"'Max Pages' must be a whole number",
	],
	[
		'robot',
		'createCrawl',
		{ ...PAGE, crawlConfig: { limit: 'many' } },
		"'Max Pages' must be a number",
	],
	[
		'robot',
		'createCrawl',
		{ ...PAGE, crawlConfig: { maxDepth: -1 } },
		"'Max Depth' must be 0 or more",
	],
	[
		'robot',
		'createCrawl',
		{ ...PAGE, crawlConfig: { mode: 'sandbox' } },
		"'Mode' must be one of domain",
	],
	[
		'robot',
		'createCrawl',
		{ ...PAGE, crawlConfig: { useSitemap: 'perhaps' } },
		"'Use Sitemap' must be true or false",
	],
	[
		'robot',
		'createCrawl',
		{ ...PAGE, crawlConfig: { outputFormats: ['pdf'] } },
		"'Output Formats' must be one of html",
	],
	['robot', 'createCrawl', { ...PAGE, ...LONELY_ALERTS }, ALERTS],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT },
		"'Lists' must contain a list, unless there is a field",
	],
	['robot', 'createExtract', { ...EXTRACT, ...FIELD, name: NOTHING }, "'Name' is required"],
	['robot', 'createExtract', { ...EXTRACT, ...FIELD, url: 'example.com' }, ADDRESS],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('fields', { name: 'Price' }) },
		"'Fields' must contain a selector for the field 'Price'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('fields', { selector: 'h1' }) },
		"'Fields' must contain a name for field 1",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('fields', { name: 'Price', selector: 'li[' }) },
		"'Fields' must contain a valid selector for the field 'Price'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('fields', { name: 'Price', selector: '//b' }) },
		"'Fields' must contain a CSS selector for the field 'Price'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('fields', { name: 'A', selector: 'a', take: 'attribute' }) },
		"'Fields' must contain an attribute for the field 'A'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, fields: { values: [HEADING, HEADING] } },
		"'Fields' must not contain two fields named 'Heading'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('lists', { ...LIST, pagination: 'clickNext' }) },
		"'Lists' must contain a selector for the 'Pagination Selector' of the list 'Items'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('lists', { ...LIST, rowLimit: 10_001 }) },
		"'Lists' must contain a whole number from 1 to 10,000 as 'Max Rows' of the list 'Items'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('lists', { ...LIST, columns: { values: [HEADING, HEADING] } }) },
		"'Lists' must not contain two columns named 'Heading'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...FIELD, ...one('lists', { ...LIST, columns: { values: [HEADING] } }) },
		"'Lists' must not contain a column with the name of the field 'Heading'",
	],
	[
		'robot',
		'createExtract',
		{
			...EXTRACT,
			...one('lists', { ...LIST, itemSelector: '//li', columns: { values: [HEADING] } }),
		},
		"'Lists' must use one kind of selector for the list 'Items'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...one('lists', LIST), ...additional({ startUrl: 'https://example.com/login' }) },
		"'Lists' must contain columns for the list 'Items', because 'Start URL' is set",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...FIELD, ...one('steps', { action: 'type', selector: '#q' }) },
		"'Steps' must contain a text for step 1",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, ...FIELD, ...one('steps', { action: 'dance' }) },
		"'Steps' must contain a known action for step 1",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, specifyFields: 'json', json: '{' },
		"'JSON' is not valid",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, specifyFields: 'json', json: '{"columns": []}' },
		"'JSON' must be an object with fields, lists, steps, but contains 'columns'",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, specifyFields: 'json', json: '{"fields": ["h1"]}' },
		"'JSON' must contain only objects",
	],
	[
		'robot',
		'createExtract',
		{ ...EXTRACT, specifyFields: 'json', json: '{"fields": [{"name": "A"}]}' },
		"'JSON' must contain a selector for the field 'A'",
	],
	['robot', 'createSearch', { query: NOTHING }, "'Query' is required"],
	[
		'robot',
		'createSearch',
		{ query: 'x', searchConfig: { limit: 0 } },
		"'Max Results' must be 1 or more",
	],
	[
		'robot',
		'createSearch',
		{ query: 'x', searchConfig: { mode: 'find' } },
		"'Mode' must be one of",
	],
	[
		'robot',
		'createSearch',
		{ query: 'x', searchConfig: { timeRange: 'decade' } },
		"'Time Range' must be one of day, week, month, year",
	],
	['robot', 'createDocumentExtract', { ...DOCUMENT, prompt: NOTHING }, "'Prompt' is required"],
	[
		'robot',
		'createDocumentExtract',
		{ ...DOCUMENT, inputDataFieldName: NOTHING },
		"'Input Data Field Name' is required",
	],
	['robot', 'createDocumentParse', { ...DOCUMENT, name: NOTHING }, "'Name' is required"],
	[
		'robot',
		'createDocumentParse',
		{ ...DOCUMENT, outputFormats: ['text'] },
		"'Output Formats' must be one of html, links, markdown, summary",
	],
	[
		'robot',
		'update',
		{ ...ROBOT, ...update({}) },
		"'Update Fields' must contain at least one field",
	],
	['robot', 'update', { ...ROBOT, ...update({ url: 'example' }) }, ADDRESS],
	['robot', 'update', { ...ROBOT, ...update({ rowLimit: 0 }) }, "'Max Rows' must be 1 or more"],
	[
		'robot',
		'update',
		{ ...ROBOT, ...update({ pagination: 'clickNext' }) },
		"'Pagination Selector' must contain a selector for the pagination",
	],
	[
		'robot',
		'update',
		{ ...ROBOT, ...update({ columnNames: { values: [{ column: 'A' }] } }) },
		"'Column Names' must contain both names",
	],
	[
		'robot',
		'update',
		{ ...ROBOT, ...update({ listName: 'A' }) },
		"'List Name' requires a change to this list",
	],
	['robot', 'update', { ...ROBOT, ...update({ formats: ['pdf'] }) }, "'Formats' must be one of"],
	[
		'robot',
		'update',
		{ ...ROBOT, ...update({ searchConfig: { limit: 0 } }) },
		"'Max Results' must be 1 or more",
	],
	['robot', 'duplicate', { ...ROBOT, url: NOTHING }, "'URL' is required"],
	['robot', 'updateDocumentPrompt', { ...ROBOT, prompt: NOTHING }, "'Prompt' is required"],
	[
		'robot',
		'getAll',
		{ returnAll: true, output: 'fields', fields: [] },
		"'Field Names or IDs' must contain at least one value",
	],
	[
		'run',
		'runAndWait',
		{ robotId: locator('r1'), output: 'fields', fields: [] },
		"'Field Names or IDs' must contain at least one value",
	],
	['run', 'runOnUrls', { ...ROBOT, urls: NOTHING }, "'URLs' must contain at least one value"],
	['run', 'runOnUrls', { ...ROBOT, urls: '={{ 7 }}' }, "'URLs' must be a list of URLs"],
	[
		'run',
		'runOnUrls',
		{ ...ROBOT, urls: 'https://example.com/', options: { maxRuns: 51 } },
		"'Max Concurrent Runs' must be 50 or less",
	],
	['robot', 'getAll', { returnAll: false, limit: 0 }, "'Limit' must be 1 or more"],
	['robot', 'getAll', { returnAll: true, filters: { type: 'toy' } }, "'Type' must be one of agent"],

	['agent', 'create', { prompt: NOTHING }, "'Prompt' is required"],
	['agent', 'create', { prompt: 'x', ...additional({ url: 'here' }) }, ADDRESS],
	['agent', 'create', { prompt: 'x', ...LONELY_ALERTS }, ALERTS],
	[
		'agent',
		'create',
		{ prompt: 'x', options: { waitFor: 0 } },
		"'Timeout (Minutes)' must be more than 0",
	],
	['agent', 'update', { ...AGENT, name: NOTHING }, "'Name' is required"],
	['agent', 'get', { agentId: locator(NOTHING) }, "'Agent' is required"],

	['schedule', 'upsert', { ...SCHEDULE, runEvery: 0 }, "'Run Every' must be 1 or more"],
	['schedule', 'upsert', { ...SCHEDULE, runEvery: 1.5 }, "'Run Every' must be a whole number"],
	['schedule', 'upsert', { ...SCHEDULE, runEvery: 'often' }, "'Run Every' must be a number"],
	[
		'schedule',
		'upsert',
		{ ...SCHEDULE, runEvery: 60, runEveryUnit: 'MINUTES' },
		"'Run Every' must be 59 or less for minutes",
	],
	[
		'schedule',
		'upsert',
		{ ...SCHEDULE, runEvery: 24, runEveryUnit: 'HOURS' },
		"'Run Every' must be 23 or less for hours",
	],
	[
		'schedule',
		'upsert',
		{ ...SCHEDULE, runEvery: 2, runEveryUnit: 'WEEKS' },
		"'Run Every' must be 1 or less for weeks",
	],
	[
		'schedule',
		'upsert',
		{ ...SCHEDULE, runEveryUnit: 'YEARS' },
		"'Unit' must be one of DAYS, HOURS, MINUTES",
	],
	...['25:00', '9', '09:60', 'noon', '09:30:00'].map(
		(atTimeStart): Row => [
			'schedule',
			'upsert',
			{ ...SCHEDULE, atTimeStart },
			"'Time' must be a time of day, such as 09:30",
		],
	),
	[
		'schedule',
		'upsert',
		{ ...SCHEDULE, timezone: 'Mars/Olympus' },
		"'Time Zone Name or ID' must be an IANA time zone, such as Europe/Berlin",
	],
	[
		'schedule',
		'upsert',
		{ ...SCHEDULE, runEveryUnit: 'WEEKS', startFrom: 'FUNDAY' },
		"'Day of Week' must be one of MONDAY",
	],
	...[0, 32].map(
		(dayOfMonth): Row => [
			'schedule',
			'upsert',
			{ ...SCHEDULE, runEveryUnit: 'MONTHS', dayOfMonth },
			`'Day of Month' must be ${dayOfMonth === 0 ? '1 or more' : '31 or less'}`,
		],
	),

	[
		'monitoring',
		'update',
		{ ...ROBOT, ...update({}) },
		"'Update Fields' must contain at least one field",
	],
	[
		'monitoring',
		'update',
		{ ...ROBOT, ...update({ alertsEnabled: true, compareRuns: false }) },
		"'Send Alerts' requires 'Compare Runs'",
	],
	[
		'monitoring',
		'getDiff',
		{ runId: locator('r'), format: 'pdf' },
		"'Format' must be one of captured-list",
	],

	['run', 'start', { ...ROBOT, options: { formats: ['pdf'] } }, "'Formats' must be one of"],
	[
		'run',
		'start',
		{
			...ROBOT,
			params: {
				mappingMode: 'defineBelow',
				value: { city: '={{ "" }}' }, // n8n itself refuses a field that is empty in the form
				schema: [{ id: 'city', displayName: 'City', required: true }],
			},
		},
		"'Input Parameters' must contain a value for City",
	],
	['run', 'start', { ...ROBOT, params: '{"page": 1' }, "'Input Parameters' is not valid JSON:"],
	['run', 'start', { ...ROBOT, params: '[1]' }, "'Input Parameters' must be a JSON object"],
	[
		'run',
		'runAndWait',
		{ ...ROBOT, options: { waitFor: 0 } },
		"'Timeout (Minutes)' must be more than 0",
	],
	[
		'run',
		'runAndWait',
		{ ...ROBOT, options: { waitFor: 'long' } },
		"'Timeout (Minutes)' must be a number",
	],
	[
		'run',
		'runAndWait',
		{ ...ROBOT, output: 'xml' },
		"'Output' must be one of documents, raw, rows, fields, simplified",
	],
	[
		'run',
		'runAndWait',
		{ ...ROBOT, options: { onTimeout: 'cry' } },
		"'On Timeout' must be one of return, error",
	],
	['run', 'get', { runId: locator(NOTHING) }, "'Run' is required"],
	[
		'run',
		'getAll',
		{ returnAll: true, filters: { since: 'some day' } },
		"'Since' must be a date and time",
	],
	['run', 'getAll', { returnAll: true, filters: { status: ['dead'] } }, "'Status' must be one of"],
	['run', 'getAll', { returnAll: true, filters: { source: 'x' } }, "'Source' must be one of api"],

	['robot', 'getStatistics', { ...ROBOT, period: 'year' }, "'Period' must be one of day, week"],
	['robot', 'getStatistics', { ...ROBOT, period: 'custom', since: NOTHING }, "'Since' is required"],
	[
		'robot',
		'getStatistics',
		{ ...ROBOT, period: 'custom', since: 'some day' },
		"'Since' must be a date and time",
	],
	['web', 'scrape', { ...PAGE, url: 'example.com' }, ADDRESS],
	['web', 'crawl', { url: NOTHING }, "'URL' is required"],
	['web', 'extractWithSelectors', PAGE, "'Lists' must contain a list, unless there is a field"],
	[
		'web',
		'crawl',
		{ ...PAGE, output: 'rows', options: one('columns', { name: 'A' }) },
		"'Columns' is required",
	],
	['web', 'search', { query: NOTHING }, "'Query' is required"],
	['web', 'extract', { prompt: NOTHING }, "'Prompt' is required"],
	['web', 'extract', { prompt: 'x', url: 'here' }, ADDRESS],

	['webhook', 'create', { ...ROBOT, url: 'ftp://example.com' }, ADDRESS],
	[
		'webhook',
		'create',
		{ ...ROBOT, ...PAGE, ...additional({ events: ['run_lost'] }) },
		"'Events' must be one of run_completed, run_failed",
	],
	[
		'webhook',
		'create',
		{ ...ROBOT, ...PAGE, ...additional({ retryAttempts: 11 }) },
		"'Max Attempts' must be 10 or less",
	],
	[
		'webhook',
		'create',
		{ ...ROBOT, ...PAGE, ...additional({ timeout: 121 }) },
		"'Timeout (Seconds)' must be 120 or less",
	],
	['account', 'get', { options: { maxRetries: 11 } }, "'Max Retries' must be 10 or less"],
	[
		'account',
		'get',
		{ options: { concurrency: 0 } },
		"'Max Concurrent Requests' must be 1 or more",
	],
];
