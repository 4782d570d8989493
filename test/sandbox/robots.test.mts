import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from './index.mts';
import { type Answer, CloudClient } from '../helpers/client.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
let owner: CloudClient;
let url: string;

beforeAll(async () => {
	owner = sandbox.owner;
	url = `${sandbox.siteUrl}/products/1`;
});

const names = (answer: Answer) => answer.list.map(({ name }) => name);

describe('reading robots', () => {
	it('a robot contains all documented fields', async () => {
		const { data } = await owner.get(`/robots/${DEMO.article}`);
		expect(data).toEqual({
			id: DEMO.article,
			name: 'Shop article',
			type: 'scrape',
			status: 'ready',
			error: null,
			url: `${sandbox.siteUrl}/articles/oiling-a-desk`,
			description: null,
			smartQueries: null,
			formats: ['markdown', 'links'],
			teamId: null,
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
			schedule: null,
			monitoring: {
				compareRuns: false,
				monitoringPrompt: null,
				alertsEnabled: false,
				alertEmail: null,
			},
			webhooks: [],
		});
	});

	it('the list supports filters and paging, newest first', async () => {
		expect(names(await owner.get('/robots?type=extract'))).toEqual(['Shop products']);
		expect(names(await owner.get('/robots?q=SHOP'))).toEqual(['Shop products', 'Shop article']);
		expect(names(await owner.get('/robots?scheduled=true'))).toEqual([]);
		expect(names(await owner.get('/robots?scheduled=false&limit=2&offset=1'))).toEqual([
			'Shop article',
			'Slow page',
		]);
		const poor = CloudClient.withKey(sandbox, KEYS.poor);
		await sandbox.control.bulkRobots(130, 'scrape', { owner: 'poor' });
		expect((await poor.get('/robots')).list).toHaveLength(25);
		expect((await poor.get('/robots?limit=100')).list).toHaveLength(100);
		expect((await poor.get('/robots?limit=100&offset=100')).list).toHaveLength(30);
	});

	it.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'type=robot', 'scheduled=1', 'page=2'])(
		'the API rejects the query %s and mentions the parameter',
		async (query) => {
			const answer = await owner.get(`/robots?${query}`);
			expect(answer.status).toBe(400);
			expect(answer.body.error).toContain(query.split('=')[0]);
		},
	);

	it('an unknown robot returns 404', async () => {
		expect((await owner.get('/robots/nobody')).status).toBe(404);
	});
});

describe('creating a scrape robot', () => {
	it('a new scrape robot has the documented defaults', async () => {
		const { status, data } = await owner.post('/robots/scrape', { url });
		expect(status).toBe(201);
		expect(data).toMatchObject({
			name: 'Scrape Robot - 127.0.0.1',
			type: 'scrape',
			status: 'ready',
			url,
			formats: ['markdown'],
			smartQueries: null,
		});
	});

	it('a scrape robot accepts every field', async () => {
		const fields = { name: 'Full', url, formats: ['html', 'text'], smartQueries: 'Which price?' };
		const monitoring = {
			compareRuns: true,
			monitoringPrompt: 'prices',
			alertsEnabled: true,
			alertEmail: 'me@example.com',
		};
		const { data } = await owner.post('/robots/scrape', { ...fields, ...monitoring });
		expect(data).toMatchObject({ ...fields, monitoring });
	});

	it.each([
		['url', {}],
		['url', { url: 'example.com' }],
		['url', { url: 'ftp://example.com/' }],
		['name', { url: 'https://example.com', name: '' }],
		['formats', { url: 'https://example.com', formats: 'markdown' }],
		['formats', { url: 'https://example.com', formats: ['pdf'] }],
		['extra', { url: 'https://example.com', extra: 1 }],
		['alertsEnabled', { url: 'https://example.com', alertsEnabled: true }],
	])('the %s of %j is invalid', async (field, body) => {
		const answer = await owner.post('/robots/scrape', body);
		expect(answer.status).toBe(400);
		expect(answer.body.error).toContain(field);
	});

	it('the API rejects a non-JSON body', async () => {
		expect((await owner.post('/robots/scrape', '{"url":')).status).toBe(400);
	});

	it('the API rejects a used name', async () => {
		await owner.post('/robots/scrape', { url, name: 'Twice' });
		const again = await owner.post('/robots/scrape', { url, name: 'Twice' });
		expect([again.status, again.body.success]).toEqual([409, false]);
	});

	it('the plan limits the number of robots', async () => {
		const member = CloudClient.withKey(sandbox, KEYS.member);
		await sandbox.control.bulkRobots(9, 'scrape', { owner: 'member' });
		expect((await member.post('/robots/scrape', { url, name: 'Tenth' })).status).toBe(201);
		const eleventh = await member.post('/robots/scrape', { url, name: 'Eleventh' });
		expect([eleventh.status, eleventh.body.error]).toEqual([403, expect.stringContaining('plan')]);
	});
});

describe('deleting a robot', () => {
	it('deletion includes the runs and fails while one is active', async () => {
		const { data } = await owner.post('/robots/scrape', { url, name: 'Gone soon' });
		const id = String(data.id);
		const runId = await owner.start(id);
		expect((await owner.delete(`/robots/${id}`)).status).toBe(409);
		await owner.finished(runId);
		const removed = await owner.delete(`/robots/${id}`);
		expect([removed.status, removed.data]).toEqual([200, { id }]);
		expect((await owner.get(`/robots/${id}`)).status).toBe(404);
		expect((await owner.get(`/runs/${runId}`)).status).toBe(404);
		expect((await owner.delete(`/robots/${id}`)).status).toBe(404);
	});

	it('the settings choose the response to a deletion', async () => {
		const first = await owner.post('/robots/scrape', { url, name: 'First' });
		const second = await owner.post('/robots/scrape', { url, name: 'Second' });
		await sandbox.control.settings({ deleteAnswer: 'success' });
		expect((await owner.delete(`/robots/${String(first.data.id)}`)).body).toEqual({
			success: true,
		});
		await sandbox.control.settings({ deleteAnswer: 'empty' });
		const empty = await owner.delete(`/robots/${String(second.data.id)}`);
		expect([empty.status, empty.body]).toEqual([204, {}]);
		await sandbox.control.settings({ deleteAnswer: 'data' });
	});
});
