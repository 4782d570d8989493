import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { CASES, QUICK } from './cases/index.mts';
import { ACTION_NODE, execute, loadPackage } from '../helpers/engine/index.mts';
import { newRecorded } from '../helpers/fixtures.mts';
import { inputOf, type Work } from './support/operations.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

/** Every endpoint of the hosted API, and operations that must call it. Others may too. */
const ENDPOINTS: Record<string, string[]> = {
	'GET /me': ['account: get'],
	'GET /usage': ['account: getUsage'],
	'GET /usage/rate-limits': ['account: getRateLimits'],
	'GET /queue': ['account: getQueue'],

	'GET /robots': ['robot: getAll'],
	'GET /robots/{id}': ['robot: get'],
	'POST /robots/scrape': ['robot: createScrape', 'web: scrape'],
	'POST /robots/crawl': ['robot: createCrawl', 'web: crawl'],
	'POST /robots/search': ['robot: createSearch', 'web: search'],
	'POST /robots/document-extract': ['robot: createDocumentExtract'],
	'POST /robots/document-parse': ['robot: createDocumentParse'],
	'PATCH /robots/{id}': ['robot: update'],
	'POST /robots/{id}/duplicate': ['robot: duplicate'],
	'DELETE /robots/{id}': ['robot: delete', 'web: crawl', 'web: scrape', 'web: search'],
	'PUT /robots/{id}/document': ['robot: replaceDocument'],
	'PATCH /robots/{id}/document-prompt': ['robot: updateDocumentPrompt'],

	'POST /sdk/robots': ['robot: createExtract', 'web: extractWithSelectors'],
	'PUT /sdk/robots/{id}': ['robot: createExtract', 'web: extractWithSelectors'],

	'POST /agents': ['agent: create', 'web: extract'],
	'GET /agents': ['agent: getAll'],
	'GET /agents/{id}': ['agent: create', 'agent: get', 'web: extract'],
	'PATCH /agents/{id}': ['agent: update'],
	'DELETE /agents/{id}': ['agent: delete', 'web: extract'],
	'POST /agents/{id}/runs': ['agent: run', 'web: extract'],
	'GET /agents/{id}/runs': ['agent: getRuns'],

	'POST /robots/{id}/runs': [
		'run: runAndWait',
		'run: start',
		'web: crawl',
		'web: scrape',
		'web: search',
	],
	'GET /runs/{id}': [
		'agent: run',
		'run: get',
		'run: runAndWait',
		'web: crawl',
		'web: extract',
		'web: scrape',
		'web: search',
	],
	'GET /runs': ['run: getAll'],
	'GET /robots/{id}/runs': ['robot: getStatistics', 'run: getAll'],
	'GET /runs/active': [
		'agent: run',
		'run: getActive',
		'run: runAndWait',
		'web: crawl',
		'web: extract',
		'web: scrape',
		'web: search',
	],
	'POST /runs/{id}/cancel': ['run: cancel'],
	'DELETE /runs/{id}': ['run: delete'],

	'PUT /robots/{id}/schedule': ['schedule: upsert'],
	'GET /robots/{id}/schedule': ['schedule: get'],
	'DELETE /robots/{id}/schedule': ['schedule: delete'],
	'GET /schedules': ['schedule: getAll'],

	'GET /robots/{id}/monitoring': ['monitoring: get'],
	'PUT /robots/{id}/monitoring': ['monitoring: update'],
	'GET /runs/{id}/diff': ['monitoring: getDiff'],

	'GET /robots/{id}/webhooks': ['webhook: getAll'],
	'POST /robots/{id}/webhooks': ['webhook: create'],
	'PATCH /robots/{id}/webhooks/{id}': ['webhook: update'],
	'DELETE /robots/{id}/webhooks/{id}': ['webhook: delete'],
	'POST /robots/{id}/webhooks/{id}/test': ['webhook: test'],
};

/**
 * The second URL of an agent's settings. The operations use the URL of any robot.
 * This URL shows that the settings are the same.
 */
const AGENT_FORMS: Record<string, [operation: string, parameters: INodeParameters]> = {
	'PUT /agents/{id}/schedule': [
		'schedule: upsert',
		{ runEvery: 3, runEveryUnit: 'DAYS', timezone: 'UTC' },
	],
	'GET /agents/{id}/schedule': ['schedule: get', {}],
	'DELETE /agents/{id}/schedule': ['schedule: delete', {}],
	'GET /agents/{id}/monitoring': ['monitoring: get', {}],
	'PUT /agents/{id}/monitoring': ['monitoring: update', { updateFields: { compareRuns: true } }],
	'GET /agents/{id}/webhooks': ['webhook: getAll', {}],
	'POST /agents/{id}/webhooks': ['webhook: create', { url: 'https://b.example.com/' }],
	'PATCH /agents/{id}/webhooks/{id}': ['webhook: update', { updateFields: { active: false } }],
	'DELETE /agents/{id}/webhooks/{id}': ['webhook: delete', {}],
	'POST /agents/{id}/webhooks/{id}/test': ['webhook: test', {}],
};

const sandbox = useSandbox(QUICK);
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|demo-[\w-]+/g;

/** The operations that called each endpoint. */
const reached = new Map<string, Set<string>>();

/** Runs an operation and returns the endpoints that it called. */
async function endpointsOf(resource: string, operation: string, work: Work): Promise<string[]> {
	await sandbox.control.clear();
	const { error } = await execute({
		parameters: maxun(resource, operation, work.parameters),
		input: inputOf([work]),
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	return (await sandbox.sent()).map(({ method, path }) => `${method} ${path.replace(ID, '{id}')}`);
}

function note(endpoints: string[], operation: string): void {
	for (const endpoint of endpoints) {
		reached.set(endpoint, (reached.get(endpoint) ?? new Set()).add(operation));
	}
}

const PERSONAL = { teamId: '' };
const bare = (parameters: INodeParameters): Work => ({ parameters, requests: [], check: () => {} });

describe('every operation runs', () => {
	it.each(CASES)(
		'the operation $resource: $operation uses its endpoints',
		async ({ resource, operation, prepare }) => {
			await sandbox.control.settings({ slots: 5 });
			const work = await prepare(sandbox, PERSONAL);
			note(await endpointsOf(resource, operation, work), `${resource}: ${operation}`);
		},
	);

	it('run: getAll reads the runs of all robots', async () => {
		const work = bare({ returnAll: false, limit: 5 });
		note(await endpointsOf('run', 'getAll', work), 'run: getAll');
	});

	it('the node has no other operations', async () => {
		const { nodeTypes } = await loadPackage();
		const { properties } = nodeTypes.getByNameAndVersion(ACTION_NODE).description;
		const offered = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [], displayOptions }) =>
				options.map((option) =>
					'value' in option ? `${displayOptions?.show?.resource}: ${option.value}` : '',
				),
			);
		const run = CASES.map(({ resource, operation }) => `${resource}: ${operation}`);
		expect([...new Set(offered)].sort()).toEqual(run.sort());
	});
});

describe('every endpoint is called', () => {
	it.each(Object.entries(ENDPOINTS))('%s', (endpoint, operations) => {
		expect([...(reached.get(endpoint) ?? [])]).toEqual(expect.arrayContaining(operations));
	});

	it('no other endpoint is called', () => {
		expect([...reached.keys()].sort()).toEqual(Object.keys(ENDPOINTS).sort());
	});

	it.each(Object.entries(AGENT_FORMS))('%s', async (endpoint, [name, parameters]) => {
		const [resource = '', operation = ''] = name.split(': ');
		const robotId = await newRecorded(sandbox, PERSONAL, 'agent');
		const body = { url: 'http://127.0.0.1:9/receiver' };
		const webhook = await sandbox.owner.post(`/agents/${robotId}/webhooks`, body);
		const schedule = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
		await sandbox.owner.put(`/agents/${robotId}/schedule`, schedule);
		const before = await sandbox.owner.get(`/agents/${robotId}`);
		const work = bare({
			robotId: locator(robotId),
			webhookId: locator(String(webhook.data.id)),
			...parameters,
		});
		const [sent, ...more] = await endpointsOf(resource, operation, work);
		expect(more).toEqual([]);
		expect(sent).toBe(endpoint.replace('/agents/', '/robots/'));
		const changes = /^(PUT|PATCH|DELETE)|^POST .*webhooks$/.test(endpoint);
		const after = await sandbox.owner.get(`/agents/${robotId}`);
		if (changes) expect(after.data).not.toEqual(before.data);
	});
});
