import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from './index.mts';
import { CloudClient } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { startReceiver } from './receiver.mts';
import { readDocument } from './engine/documents.mts';
import { runDataSchema, runSchema } from './model.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0.05 } });
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});

describe('starting a run', () => {
	it('the start response contains flat fields and the URL of the run', async () => {
		const { status, body } = await owner.post(`/robots/${DEMO.products}/runs`);
		expect(status).toBe(202);
		const url = `${sandbox.baseUrl}/runs/${body.id ?? ''}`;
		expect(body).toEqual({ success: true, id: body.id, status: 'running', url });
	});

	it('a run extracts the rows of a shop page', async () => {
		const run = await owner.run(DEMO.products);
		expect(run).toMatchObject({
			robotId: DEMO.products,
			robotName: 'Shop products',
			status: 'success',
			source: 'api',
			error: null,
			isPartial: false,
			hasChanges: false,
			screenshots: [],
		});
		expect(run.data).toMatchObject({
			textData: { Heading: 'Products', Summary: '24 products, page 1 of 3' },
			markdown: null,
			links: [],
		});
		const rows = runDataSchema.parse(run.data).listData;
		expect(rows).toHaveLength(8);
		expect(rows[0]).toEqual({
			Product: 'Walnut desk',
			Price: '$249.00',
			Stock: '12 in stock',
			Link: `${sandbox.siteUrl}/products/1`,
		});
	});

	it("the run's parameters and formats override those of the robot", async () => {
		const paged = await owner.run(DEMO.products, { params: { page: '3' }, formats: ['text'] });
		expect(paged.data).toMatchObject({
			textData: { Summary: '24 products, page 3 of 3' },
			text: expect.stringContaining('Enamel pot'),
		});
		const unknown = await owner.post(`/robots/${DEMO.products}/runs`, { params: { size: 1 } });
		expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringContaining('size')]);
	});

	it('a run captures a page in every text format', async () => {
		const run = await owner.run(DEMO.article, {
			formats: ['markdown', 'html', 'text', 'links', 'summary'],
		});
		expect(run.data).toMatchObject({
			markdown: expect.stringContaining('# How to oil a wooden desk'),
			html: expect.stringContaining('<h1>How to oil a wooden desk</h1>'),
			text: expect.stringContaining('Sand the desk along the grain'),
			summary: expect.stringMatching(/^A wooden desk needs oil about once a year\. Linseed/),
			links: expect.arrayContaining([`${sandbox.siteUrl}/products`]),
			promptResult: null,
		});
	});

	it('a run answers questions from the page', async () => {
		const { data } = await owner.post('/robots/scrape', {
			url: `${sandbox.siteUrl}/articles/choosing-a-lamp`,
			name: 'Questions',
			smartQueries: 'How many lumens are enough for reading?\nWho invented television?',
		});
		const run = await owner.run(String(data.id));
		expect(runDataSchema.parse(run.data).promptResult?.split('\n')).toEqual([
			expect.stringContaining('For reading, 450 lumens are enough.'),
			'Who invented television? Not found on the page.',
		]);
	});

	it('without a browser, the screenshot of a run is a placeholder', async () => {
		const run = await owner.run(DEMO.article, { formats: ['screenshot-visible'] });
		expect(run).toMatchObject({ status: 'success', error: null });
		const [address] = runSchema.shape.screenshots.parse(run.screenshots);
		const image = await fetch(String(address));
		expect(image.headers.get('content-type')).toBe('image/png');
		const { html } = await readDocument('image.png', Buffer.from(await image.arrayBuffer()));
		expect(html).toMatch(/This is a placeholder.*Install Chromium.*CHROMIUM_PATH/s);
	});

	it('a failed run has an error', async () => {
		const missing = await owner.run(DEMO.failing);
		expect(missing).toMatchObject({ status: 'failed', error: expect.stringContaining('404') });
		const gone = await startReceiver();
		await gone.close();
		const id = await newRobot(sandbox, { name: 'Refused', url: gone.url, formats: ['text'] });
		expect(await owner.run(id)).toMatchObject({
			status: 'failed',
			error: expect.stringContaining('ECONNREFUSED'),
		});
	});

	it('a run needs a credit', async () => {
		const id = await newRobot(sandbox, { name: 'Poor', owner: 'poor' });
		const answer = await CloudClient.withKey(sandbox, KEYS.poor).post(`/robots/${id}/runs`);
		expect(answer.status).toBe(402);
	});

	it.each([{ formats: ['pdf'] }, { formats: [] }, { params: [] }, { format: 'text' }])(
		'the body %j is invalid',
		async (body) => {
			expect((await owner.post(`/robots/${DEMO.article}/runs`, body)).status).toBe(400);
		},
	);
});

describe('the queue', () => {
	it('each slot processes one run, and the queue keeps its order', async () => {
		await sandbox.control.abortRuns(await owner.activeRuns());
		await sandbox.control.settings({ slots: 2, runSeconds: 60 });
		const started = [];
		for (let i = 0; i < 4; i++) started.push(await owner.post(`/robots/${DEMO.article}/runs`));
		expect(started.map(({ body }) => body.status)).toEqual([
			'running',
			'running',
			'queued',
			'queued',
		]);
		expect((await owner.get('/queue')).data).toMatchObject({ running: 2, queued: 2 });
		const active = await owner.get('/runs/active');
		expect(active.list.map(({ id }) => id)).toEqual(started.map(({ body }) => body.id).reverse());
		await sandbox.control.settings({ runSeconds: 0.3 });
		for (const { body } of started.slice(0, 2)) await sandbox.control.finishRun(body.id ?? '');
		const runs = [];
		for (const { body } of started) runs.push(await owner.finished(body.id ?? ''));
		const starts = runs.map(({ startedAt }) => Date.parse(String(startedAt)));
		expect(starts[2]).toBeGreaterThanOrEqual(Date.parse(String(runs[0]?.finishedAt)));
		expect(starts).toEqual([...starts].sort());
		expect(Number(runs[2]?.durationMs)).toBeGreaterThanOrEqual(300);
		await sandbox.control.settings({ slots: 5, runSeconds: 0.05 });
	});
});

describe('canceling and deleting', () => {
	it('the API cancels running and queued runs but not finished ones', async () => {
		await sandbox.control.settings({ slots: 1 });
		const running = await owner.start(DEMO.slow);
		const queued = await owner.start(DEMO.article);
		expect((await owner.delete(`/runs/${running}`)).status).toBe(409);
		expect((await owner.post(`/runs/${queued}/cancel`)).data.status).toBe('aborted');
		expect((await owner.post(`/runs/${running}/cancel`)).status).toBe(200);
		const run = await owner.finished(running);
		expect(run.status).toBe('aborted');
		expect(Date.parse(String(run.finishedAt))).toBeGreaterThan(0);
		expect((await owner.post(`/runs/${running}/cancel`)).status).toBe(409);
		expect((await owner.delete(`/runs/${running}`)).status).toBe(200);
		expect((await owner.get(`/runs/${running}`)).status).toBe(404);
		await sandbox.control.settings({ slots: 5 });
	});
});

describe('listing runs', () => {
	it('the list supports filters and paging and omits run data', async () => {
		const robotId = await newRobot(sandbox, { name: 'History' });
		await sandbox.control.runs({ robotId, count: 60 });
		await sandbox.control.runs({ robotId, count: 3, status: 'failed' });
		await sandbox.control.runs({
			robotId,
			run: { source: 'schedule', hasChanges: true, startedAt: '2020-05-01T00:00:00.000Z' },
		});
		const list = async (query: string) =>
			(await owner.get(`/runs?robotId=${robotId}&${query}`)).list;
		expect(await list('')).toHaveLength(25);
		expect(await list('limit=50&offset=50')).toHaveLength(14);
		expect(await list('status=failed')).toHaveLength(3);
		expect(await list('status=failed,success&limit=100')).toHaveLength(64);
		expect(await list('source=schedule')).toHaveLength(1);
		expect(await list('hasChanges=true')).toHaveLength(1);
		expect(await list('until=2020-06-01T00:00:00Z')).toHaveLength(1);
		expect(await list('since=2020-06-01&limit=100')).toHaveLength(63);
		const all = await list('limit=100');
		expect(all[0]).not.toHaveProperty('data');
		const times = all.map(({ startedAt }) => Date.parse(String(startedAt)));
		expect(times).toEqual([...times].sort((a, b) => b - a));
		expect((await owner.get(`/robots/${robotId}/runs?limit=100`)).list).toEqual(all);
	});

	it.each(['status=done', 'source=me', 'hasChanges=yes', 'since=yesterday', 'sort=asc'])(
		'the query %s is invalid',
		async (query) => {
			const answer = await owner.get(`/runs?${query}`);
			expect(answer.status).toBe(400);
			expect(answer.body.error).toContain(query.split('=')[0]);
		},
	);

	it('only paths without a robot ID accept robotId', async () => {
		const answer = await owner.get(`/robots/${DEMO.article}/runs?robotId=${DEMO.article}`);
		expect(answer.status).toBe(400);
	});
});
