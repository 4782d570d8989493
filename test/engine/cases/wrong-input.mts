import type { INodeParameters } from 'n8n-workflow';
import { DEMO } from '../../sandbox/index.mts';
import { locator } from '../../helpers/parameters.mts';

const ROBOT = { robotId: locator(DEMO.article) };
const AGENT = { agentId: locator(DEMO.article) };
const PAGE = { url: 'https://example.com/', formats: ['markdown'] };
const SCHEDULE = { ...ROBOT, runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
const DOCUMENT = { inputDataFieldName: 'data', prompt: 'The total', name: 'Invoice' };
/** The value of an expression that doesn't find data. */
const NOTHING = '={{ "" }}';

type Row = [resource: string, operation: string, parameters: INodeParameters, message: string];

/** Changes to valid parameters, and the beginning of each error message. */
type Wrong = [changes: INodeParameters, message: string];

const rows = (resource: string, operation: string, valid: INodeParameters, wrong: Wrong[]): Row[] =>
	wrong.map(([changes, message]) => [resource, operation, { ...valid, ...changes }, message]);

const additional = (fields: INodeParameters) => ({ additionalFields: fields });
const update = (fields: INodeParameters) => ({ updateFields: fields });
const LONELY_ALERTS = additional({ alertsEnabled: true });
const ALERTS = "'Send Alerts' requires 'Compare Runs'";
const ADDRESS = "'URL' must be a valid URL that starts with http:// or https://";

const HEADING = { name: 'Heading', selector: 'h1' };
const LIST = { name: 'Items', rowSelector: 'li' };
const EXTRACT = { url: 'https://example.com/', name: 'Items', specifyFields: 'fields' };
const one = (name: string, entry: INodeParameters) => ({ [name]: { values: [entry] } });
const FIELD = one('fields', HEADING);
const field = (name: string, selector: string) => one('fields', { name, selector });
const list = (changes: INodeParameters) => one('lists', { ...LIST, ...changes });
const json = (text: string) => ({ specifyFields: 'json', json: text });
const twice = { values: [HEADING, HEADING] };
const columns = (...values: INodeParameters[]) => list({ columns: { values } });
const step = (fields: INodeParameters) => ({ ...FIELD, ...one('steps', fields) });
const TOO_MANY: Wrong = [
	{ urls: 'https://example.com/', options: { maxQueued: 51 } },
	"'Max Concurrent Runs' must be 50 or less",
];
const NO_VALUE = 'must contain at least one value';

export const WRONG_INPUT: Row[] = [
	...rows('robot', 'createScrape', PAGE, [
		[{ url: NOTHING }, "'URL' is required"],
		[{ url: 'example.com' }, ADDRESS],
		[{ formats: ['pdf'] }, "'Output Formats' must be one of html, links"],
		[LONELY_ALERTS, ALERTS],
	]),
	...rows('robot', 'createCrawl', PAGE, [
		[{ url: 'file:///etc/passwd' }, ADDRESS],
		[{ crawlConfig: { limit: 0 } }, "'Max Pages' must be 1 or more"],
		[{ crawlConfig: { maxDepth: -1 } }, "'Max Depth' must be 0 or more"],
		[{ crawlConfig: { mode: 'sandbox' } }, "'Link Scope' must be one of domain"],
		[{ crawlConfig: { useSitemap: 'perhaps' } }, "'Use Sitemap' must be true or false"],
		[{ crawlConfig: { outputFormats: ['pdf'] } }, "'Output Formats' must be one of html"],
		[LONELY_ALERTS, ALERTS],
	]),
	...rows('robot', 'createExtract', EXTRACT, [
		[{}, "'Lists' is empty. Add a list for elements that repeat, or a field for a single value"],
		[{ ...FIELD, name: NOTHING }, "'Name' is required"],
		[{ ...FIELD, url: 'example.com' }, ADDRESS],
		[field('Price', NOTHING), "'Selector' of field 1 is required"],
		[field(NOTHING, 'h1'), "'Name' of field 1 is required"],
		[field('Price', 'li['), "'Selector' of field 1 must be a valid selector. 'li[' is incomplete"],
		[field('Price', '//b'), "'Selector' of field 1 must be a valid selector. '//b' is XPath"],
		[
			one('fields', { ...HEADING, returnValue: 'attribute', attribute: NOTHING }),
			"'Attribute' of field 1 is required",
		],
		[{ fields: twice }, "'Fields' must not contain two fields named 'Heading'"],
		[
			list({ pagination: 'clickNext', paginationSelector: NOTHING }),
			"'Pagination Selector' of list 1 is required",
		],
		[list({ rowLimit: 10_001 }), "'Max Rows' of list 1 must be 10000 or less"],
		[list({ columns: twice }), "'Columns' of list 1 must not contain two columns named 'Heading'"],
		[
			one('lists', {
				rowSelector: NOTHING,
				columns: { values: [{ name: NOTHING, selector: 'b' }] },
			}),
			"'Row Selector' of list 1 is required; 'Name' of column 1 in list 1 is required",
		],
		[
			{ ...FIELD, ...columns(HEADING) },
			"'Name' of column 1 in list 1 must not be the name of a field",
		],
		[
			list({ rowSelector: 'li:hover' }),
			"'Row Selector' of list 1 must be a valid selector. In 'li:hover', ':hover' cannot be used. Remove it",
		],
		[list({ rowLimit: 'abc' }), "'Max Rows' of list 1 must be a number"],
		[
			{
				lists: { values: [LIST, { ...LIST, name: 'More', pagination: 'automatic' }] },
				...additional({ startUrl: 'https://example.com/login' }),
			},
			"'Columns' of list 1 is required, because Maxun detects nothing with 'Start URL' or 'Skip Selector Check'; 'Columns' of list 2 is required; 'Pagination' of list 2 must not be Automatic",
		],
		[step({ action: 'type', selector: '#q', text: NOTHING }), "'Text' of step 1 is required"],
		[step({ action: 'dance' }), "'Action' of step 1 must be one of click, goTo"],
		[json('{'), "'JSON' is not valid"],
		[json('{"columns": []}'), "'JSON' must contain only lists, fields, steps, but contains '"],
		[json('{"fields": ["h1"]}'), "'JSON': 'fields[0]' must be an object"],
		[json('{"fields": [{"name": "A"}]}'), "'JSON': 'fields[0].selector' is required"],
	]),
	...rows('robot', 'createSearch', {}, [
		[{ query: NOTHING }, "'Query' is required"],
		[{ query: 'x', searchConfig: { limit: 0 } }, "'Max Results' must be 1 or more"],
		[{ query: 'x', searchConfig: { mode: 'find' } }, "'Result Content' must be one of"],
		[
			{ query: 'x', searchConfig: { timeRange: 'age' } },
			"'Time Range' must be one of any, day, week",
		],
	]),
	...rows('robot', 'createDocumentExtract', DOCUMENT, [
		[{ prompt: NOTHING }, "'Prompt' is required"],
		[{ inputDataFieldName: NOTHING }, "'Input Data Field Name' is required"],
	]),
	...rows('document', 'extractData', DOCUMENT, [
		[{ specifyFields: 'prompt', prompt: ' ' }, "'Prompt' is required"],
		[{ specifyFields: 'fields' }, "'Fields' must contain at least one field"],
	]),
	...rows('robot', 'createDocumentParse', DOCUMENT, [
		[{ name: NOTHING }, "'Name' is required"],
		[{ outputFormats: ['text'] }, "'Output Formats' must be one of html, links, markdown, summary"],
	]),
	...rows('robot', 'update', ROBOT, [
		[update({}), "'Update Fields' must contain at least one field"],
		[update({ url: 'example' }), ADDRESS],
		[update({ formats: ['pdf'] }), "'Output Formats' must be one of"],
		[update({ searchConfig: { limit: 0 } }), "'Max Results' must be 1 or more"],
		[update({ searchConfig: { outputFormats: [] } }), `'Output Formats' ${NO_VALUE}`],
		[update({ crawlConfig: { outputFormats: [] } }), `'Output Formats' ${NO_VALUE}`],
	]),
	...rows('robot', 'duplicate', ROBOT, [[{ url: NOTHING }, "'URL' is required"]]),
	...rows('robot', 'updateDocumentPrompt', ROBOT, [[{ prompt: NOTHING }, "'Prompt' is required"]]),
	...rows('robot', 'getAll', {}, [
		[{ returnAll: true, output: 'fields', fields: [] }, `'Field Names or IDs' ${NO_VALUE}`],
		[{ returnAll: false, limit: 0 }, "'Limit' must be 1 or more"],
		[{ returnAll: true, filters: { type: 'toy' } }, "'Type' must be one of agent"],
	]),
	...rows('run', 'runOnUrls', ROBOT, [
		[{ urls: NOTHING }, `'URLs' ${NO_VALUE}`],
		[{ urls: '={{ 7 }}' }, "'URLs' must be a list of URLs"],
		TOO_MANY,
	]),
	...rows('web', 'getChanges', { what: 'text' }, [TOO_MANY]),
	...rows('agent', 'create', {}, [
		[{ prompt: NOTHING }, "'Prompt' is required"],
		[{ prompt: 'x', ...additional({ url: 'here' }) }, ADDRESS],
		[{ prompt: 'x', ...LONELY_ALERTS }, ALERTS],
		[{ prompt: 'x', options: { timeoutMinutes: 0 } }, "'Timeout (Minutes)' must be more than 0"],
	]),
	...rows('agent', 'update', AGENT, [[{ name: NOTHING }, "'Name' is required"]]),
	...rows('robot', 'get', { robotId: locator('Shop products', 'name') }, [
		[{ robotId: locator(NOTHING) }, "'Robot' is required"],
		[{ robotId: locator(NOTHING, 'name') }, "'Robot' is required"],
		[{ generalOptions: { maxRetries: -1 } }, "'Max Retries' must be 0 or more"],
	]),
	...rows('agent', 'get', {}, [[{ agentId: locator(NOTHING) }, "'Agent' is required"]]),
	...rows('schedule', 'upsert', SCHEDULE, [
		[{ runEvery: 0 }, "'Run Every' must be 1 or more"],
		[{ runEvery: 60, runEveryUnit: 'MINUTES' }, "'Run Every' must be 59 or less for minutes"],
		[{ runEvery: 24, runEveryUnit: 'HOURS' }, "'Run Every' must be 23 or less for hours"],
		[{ runEvery: 2, runEveryUnit: 'WEEKS' }, "'Run Every' must be 1 for weeks"],
		[{ runEveryUnit: 'YEARS' }, "'Unit' must be one of MINUTES, HOURS, DAYS"],
		...['25:00', '9', '09:30:00'].map(
			(atTimeStart): Wrong => [{ atTimeStart }, "'Start Time' must be a time of day, such as"],
		),
		[{ timezone: 'Mars/Olympus' }, "'Time Zone Name or ID' must be an IANA time zone, such as"],
		[{ runEveryUnit: 'WEEKS', startFrom: 'FUNDAY' }, "'Day of Week' must be one of MONDAY"],
		[{ runEveryUnit: 'MONTHS', dayOfMonth: 0 }, "'Day of Month' must be 1 or more"],
		[{ runEveryUnit: 'MONTHS', dayOfMonth: 32 }, "'Day of Month' must be 31 or less"],
	]),
	...rows('monitoring', 'update', ROBOT, [
		[update({}), "'Update Fields' must contain at least one field"],
		[update({ alertsEnabled: true, compareRuns: false }), ALERTS],
	]),
	...rows('monitoring', 'getDiff', {}, [
		[{ runId: locator('r'), format: 'pdf' }, "'Format' must be one of captured-list"],
	]),
	...rows('run', 'start', ROBOT, [
		[{ options: { formats: ['pdf'] } }, "'Output Formats' must be one of"],
		[
			{
				params: {
					mappingMode: 'defineBelow',
					value: { city: '={{ "" }}' }, // n8n itself rejects a required field that is empty.
					schema: [{ id: 'city', displayName: 'City', required: true }],
				},
			},
			"'Input Parameters' must contain a value for City",
		],
		[{ params: '{"page": 1' }, "'Input Parameters' is not valid JSON:"],
		[{ params: '[1]' }, "'Input Parameters' must be a JSON object"],
	]),
	...rows('run', 'runAndWait', ROBOT, [
		[{ options: { timeoutMinutes: 0 } }, "'Timeout (Minutes)' must be more than 0"],
		[{ options: { timeoutMinutes: 525_601 } }, "'Timeout (Minutes)' must be at most 525600 (a"],
		[{ options: { timeoutMinutes: 'long' } }, "'Timeout (Minutes)' must be a number"],
		[{ options: { minCredits: 'many' } }, "'Min Credits' must be a number"],
		[{ options: { minCredits: -1 } }, "'Min Credits' must be 0 or more"],
		[{ options: { minCredits: 1.5 } }, "'Min Credits' must be a whole number"],
		[{ output: 'xml' }, "'Output' must be one of contacts, documents, raw, rows, fields"],
		[{ output: 'fields', fields: [] }, `'Field Names or IDs' ${NO_VALUE}`],
		[{ options: { onTimeout: 'cry' } }, "'On Timeout' must be one of return, error"],
		[{ options: { ifNoData: 'fail' } }, "'If No Data' must be one of nothing, item, error"],
	]),
	...rows('run', 'get', {}, [
		[{ runId: locator(NOTHING) }, "'Run' is required"],
		[
			{
				runId: locator('r'),
				output: 'rows',
				options: one('columns', { column: 'Added', type: 'date', dateFormat: 'DD/MM/YYYY' }),
			},
			"'Date Format' of column 1 must not be 'DD/MM/YYYY'",
		],
	]),
	...rows('run', 'getAll', {}, [
		[{ returnAll: true, filters: { since: 'some day' } }, "'Since' must be a date and time"],
		[
			{ returnAll: true, filters: { since: '2026-06-02', until: '2026-06-01' } },
			"'Since' is later than 'Until'",
		],
		[{ returnAll: true, filters: { status: ['dead'] } }, "'Status' must be one of"],
		[{ returnAll: true, filters: { source: 'x' } }, "'Started By' must be one of api"],
	]),
	...rows('web', 'scrape', PAGE, [[{ url: 'example.com' }, ADDRESS]]),
	...rows('web', 'crawl', {}, [[{ url: NOTHING }, "'URL' is required"]]),
	...rows('web', 'extractRows', PAGE, [
		[{ specifyFields: 'example' }, "'Columns' is empty. Add a column"],
	]),
	...rows('web', 'crawl', PAGE, [
		[
			{ output: 'rows', options: one('columns', { name: 'A' }) },
			"'Captured Column' of column 1 is required",
		],
	]),
	...rows('web', 'search', {}, [[{ query: NOTHING }, "'Query' is required"]]),
	...rows('web', 'extract', {}, [
		[{ prompt: NOTHING }, "'Prompt' is required"],
		[{ prompt: 'x', url: 'here' }, ADDRESS],
	]),
	...rows('webhook', 'create', ROBOT, [[{ url: 'ftp://example.com' }, ADDRESS]]),
	...rows('webhook', 'create', { ...ROBOT, ...PAGE }, [
		[additional({ events: ['run_lost'] }), "'Events' must be one of run_completed, run_failed"],
		[additional({ retryAttempts: 11 }), "'Max Attempts' must be 10 or less"],
		[additional({ timeout: 121 }), "'Timeout (Seconds)' must be 120 or less"],
	]),
	...rows('account', 'get', {}, [
		[{ generalOptions: { maxRetries: 11 } }, "'Max Retries' must be 10 or less"],
		[{ generalOptions: { concurrency: 0 } }, "'Max Concurrent Requests' must be 1 or more"],
	]),
];
