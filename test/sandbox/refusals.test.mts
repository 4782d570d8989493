import { expect, it } from 'vitest';
import { DEMO } from './index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

// Requests that Maxun Cloud's documentation doesn't allow. So if a node sends one, a test fails.

const sandbox = useSandbox();

const url = 'https://example.com';
const query = 'a';
const daily = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
const robot = `/robots/${DEMO.article}`;

type Wrong = Array<[field: string, given: unknown]>;

/** The field in the error for each query string. */
const queries = (...list: string[]): Wrong =>
	list.map((given) => [given.split('=')[0] ?? '', given]);

/** By endpoint. */
const WRONG: Record<string, Wrong> = {
	'GET /robots': queries(
		'limit=0',
		'limit=101',
		'limit=x',
		'offset=-1',
		'type=robot',
		'scheduled=1',
		'page=2',
	),
	'GET /runs': queries('status=done', 'source=me', 'hasChanges=yes', 'since=yesterday', 'sort=asc'),
	[`GET ${robot}/runs`]: queries('robotId=x'),
	'POST /robots/scrape': [
		['url', {}],
		['url', { url: 'example.com' }],
		['url', { url: 'ftp://example.com/' }],
		['name', { url, name: '' }],
		['formats', { url, formats: 'markdown' }],
		['formats', { url, formats: ['pdf'] }],
		['extra', { url, extra: 1 }],
		['alertsEnabled', { url, alertsEnabled: true }],
		['', '{"url":'],
	],
	'POST /robots/crawl': [
		['crawlConfig', { url }],
		['url', { crawlConfig: {} }],
		['crawlConfig.mode', { url, crawlConfig: { mode: 'site' } }],
		['crawlConfig.limit', { url, crawlConfig: { limit: 0 } }],
		['crawlConfig.depth', { url, crawlConfig: { depth: 1 } }],
		['crawlConfig.includePaths', { url, crawlConfig: { includePaths: '/a' } }],
	],
	'POST /robots/search': [
		['searchConfig', {}],
		['searchConfig.query', { searchConfig: {} }],
		['searchConfig.filters.timeRange', { searchConfig: { query, filters: { timeRange: 'hour' } } }],
		['url', { searchConfig: { query }, url }],
	],
	[`PATCH ${robot}`]: [
		['crawlConfig', { crawlConfig: {} }],
		['searchConfig', { searchConfig: { limit: 1 } }],
		['prompt', { prompt: 'x' }],
		['', {}],
	],
	[`POST ${robot}/duplicate`]: [['url', {}]],
	[`POST ${robot}/runs`]: [
		['formats', { formats: ['pdf'] }],
		['formats', { formats: [] }],
		['params', { params: [] }],
		['size', { params: { size: 1 } }],
		['format', { format: 'text' }],
	],
	[`PUT ${robot}/schedule`]: [
		['runEvery', { runEveryUnit: 'DAYS', timezone: 'UTC' }],
		['runEvery', { ...daily, runEvery: 0 }],
		['runEvery', { ...daily, runEvery: 60, runEveryUnit: 'MINUTES' }],
		['runEvery', { ...daily, runEvery: 24, runEveryUnit: 'HOURS' }],
		['runEvery', { ...daily, runEvery: 2, runEveryUnit: 'WEEKS' }],
		['runEveryUnit', { ...daily, runEveryUnit: 'YEARS' }],
		['timezone', { runEvery: 1, runEveryUnit: 'DAYS' }],
		['timezone', { ...daily, timezone: 'Mars/Olympus' }],
		['atTimeStart', { ...daily, atTimeStart: '24:00' }],
		['startFrom', { ...daily, startFrom: 'Monday' }],
		['dayOfMonth', { ...daily, dayOfMonth: 32 }],
		['atTimeEnd', { ...daily, atTimeEnd: '10:00' }],
	],
	[`POST ${robot}/webhooks`]: [
		['url', { url: 'mailto:me@example.com' }],
		['events', { url, events: [] }],
		['events', { url, events: ['run_started'] }],
		['active', { url, active: 'yes' }],
		['retryAttempts', { url, retryAttempts: 11 }],
		['retryAttempts', { url, retryAttempts: 0 }],
		['timeout', { url, timeout: 121 }],
		['retryDelay', { url, retryDelay: 1.5 }],
		['secret', { url, secret: 'x' }],
	],
	[`PUT ${robot}/monitoring`]: [
		['compareRuns', { alertsEnabled: true }],
		['alertEmail', { alertEmail: 'nobody' }],
		['alerts', { alerts: true }],
	],
	'POST /robots/document-extract': [['multipart', { prompt: 'total' }]],
};

it.each(Object.entries(WRONG))(
	'%s rejects wrong values, and its error mentions the field',
	async (endpoint, wrong) => {
		const [method = '', path = ''] = endpoint.split(' ');
		for (const [field, given] of wrong) {
			const sent = method === 'GET' ? `${path}?${String(given)}` : path;
			const body = method === 'GET' ? undefined : given;
			const answer = await sandbox.owner.send(method, sent, body);
			const at = JSON.stringify(given);
			expect(answer.status, at).toBe(400);
			expect(answer.body, at).toMatchObject({ success: false, error: expect.any(String) });
			expect(answer.body.error, at).toContain(field);
		}
	},
);

function form(file: [name: string, content: string] | undefined, fields: Record<string, string>) {
	const data = new FormData();
	if (file) data.append('file', new File([file[1]], file[0]));
	for (const [name, value] of Object.entries(fields)) data.append(name, value);
	return data;
}

it.each<[field: string, path: string, body: FormData]>([
	['"file"', 'extract', form(undefined, { prompt: 'total' })],
	['"file"', 'extract', form(['a.txt', 'text'], { prompt: 'total' })],
	['"file"', 'extract', form(['a.pdf', 'text'], { prompt: 'total' })],
	['"file"', 'extract', form(['a.csv', ''], { prompt: 'total' })],
	['"prompt"', 'extract', form(['a.csv', 'a,b'], {})],
	['"url"', 'extract', form(['a.csv', 'a,b'], { prompt: 'total', url: 'x' })],
	['"name"', 'extract', form(['a.csv', 'a,b'], { prompt: 'total', name: '' })],
	['text', 'parse', form(['a.csv', 'a'], { outputFormats: 'text' })],
])('a document with a wrong or missing %s is rejected', async (field, kind, body) => {
	const answer = await sandbox.owner.post(`/robots/document-${kind}`, body);
	expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
});
