import { expect, it } from 'vitest';
import { useSandbox } from '../helpers/useSandbox.mts';
import { CASES, QUICK } from './cases/index.mts';
import { offers } from './support/offers.mts';

/** Every endpoint of Maxun Cloud's API. An agent's settings also have a robot's endpoints. */
const ENDPOINTS = [
	...['GET /me', 'GET /usage', 'GET /usage/rate-limits', 'GET /queue'],
	...['GET /robots', 'GET /robots/{id}', 'PATCH /robots/{id}', 'DELETE /robots/{id}'],
	...['POST /robots/scrape', 'POST /robots/crawl', 'POST /robots/search'],
	...['POST /robots/document-extract', 'POST /robots/document-parse'],
	...['PUT /robots/{id}/document', 'PATCH /robots/{id}/document-prompt'],
	'POST /robots/{id}/duplicate',
	...['POST /sdk/robots', 'PUT /sdk/robots/{id}'],
	...['GET /agents', 'POST /agents', 'GET /agents/{id}', 'PATCH /agents/{id}'],
	...['DELETE /agents/{id}', 'GET /agents/{id}/runs', 'POST /agents/{id}/runs'],
	...['GET /robots/{id}/runs', 'POST /robots/{id}/runs', 'GET /runs/active'],
	...['GET /runs/{id}', 'DELETE /runs/{id}', 'POST /runs/{id}/cancel', 'GET /runs/{id}/diff'],
	...['GET /schedules', 'GET /robots/{id}/schedule', 'PUT /robots/{id}/schedule'],
	'DELETE /robots/{id}/schedule',
	...['GET /robots/{id}/monitoring', 'PUT /robots/{id}/monitoring'],
	...['GET /robots/{id}/webhooks', 'POST /robots/{id}/webhooks'],
	...['PATCH /robots/{id}/webhooks/{id}', 'DELETE /robots/{id}/webhooks/{id}'],
	'POST /robots/{id}/webhooks/{id}/test',
];

const sandbox = useSandbox(QUICK);
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|demo-[\w-]+|\{\d\}/g;

it('the operations use exactly the endpoints of the API', async () => {
	const used = new Set<string>();
	for (const { prepare } of CASES) {
		const { requests } = await prepare(sandbox, { teamId: '' });
		for (const { method, path } of requests) used.add(`${method} ${path.replace(ID, '{id}')}`);
	}
	// If no robot is selected, Run: Get Many also uses `GET /runs`.
	expect([...used].sort()).toEqual([...ENDPOINTS].sort());
});

it('every operation of the node has a case', async () => {
	const tested = CASES.map(({ resource, operation }) => `${resource}: ${operation}`);
	expect((await offers()).map(({ id }) => id).sort()).toEqual(tested.sort());
});
