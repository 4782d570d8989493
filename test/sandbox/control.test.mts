import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from './index.mts';
import { CloudClient } from '../helpers/client.mts';
import type { Fault } from '../helpers/control.mts';
import { TestSandbox } from '../helpers/sandbox.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { startReceiver } from './receiver.mts';

const sandbox = useSandbox();
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});
afterEach(async () => await sandbox.control.clearFaults());

const fault = async (fields: Fault) => await sandbox.control.fault(fields);

describe('faults', () => {
	it('a fault sends the chosen status, headers and body', async () => {
		await fault({ path: '^/me$', kind: 'status', status: 503, headers: { 'Retry-After': '2' } });
		const answer = await owner.get('/me');
		expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
		expect((await owner.get('/me')).status).toBe(200);
		await fault({ kind: 'body', body: '<html>hello</html>' });
		const page = await fetch(`${sandbox.baseUrl}/me`, { headers: { 'x-api-key': KEYS.owner } });
		expect(page.status).toBe(200);
		expect(page.headers.get('content-type')).toContain('text/html');
		expect(await page.text()).toBe('<html>hello</html>');
	});

	it('a fault matches by method and path and can skip requests', async () => {
		await fault({ method: 'GET', path: '/robots', kind: 'status', skip: 1, times: 2 });
		const statuses = [];
		for (let i = 0; i < 4; i++) statuses.push((await owner.get('/robots')).status);
		expect(statuses).toEqual([200, 500, 500, 200]);
	});

	it('a fault breaks the connection before or after the request runs', async () => {
		const runs = async () => (await owner.get(`/robots/${DEMO.article}/runs`)).list.length;
		const start = owner.post(`/robots/${DEMO.article}/runs`);
		await owner.finished((await start).body.id ?? '');
		const before = await runs();
		await fault({ method: 'POST', kind: 'reset' });
		await expect(owner.start(DEMO.article)).rejects.toThrow('fetch failed');
		expect(await runs()).toBe(before);
		await fault({ method: 'POST', kind: 'reset', before: false });
		await expect(owner.start(DEMO.article)).rejects.toThrow('fetch failed');
		expect(await runs()).toBe(before + 1);
		await fault({ method: 'POST', kind: 'truncate', before: false });
		await expect(owner.start(DEMO.article)).rejects.toThrow('terminated');
		expect(await runs()).toBe(before + 2);
		await fault({ method: 'POST', kind: 'status', status: 502, before: false });
		await expect(owner.start(DEMO.article)).rejects.toThrow('Injected fault');
		expect(await runs()).toBe(before + 3);
	});

	it('faults delay responses', async () => {
		await fault({ kind: 'delay', milliseconds: 300 });
		const from = Date.now();
		expect((await owner.get('/me')).status).toBe(200);
		expect(Date.now() - from).toBeGreaterThan(290);
	});
});

describe('the request log', () => {
	it('the log contains every request, including rejected ones', async () => {
		await sandbox.control.clear();
		await owner.get('/runs?limit=3');
		await owner.post('/robots/scrape', { url: 1 });
		const form = new FormData();
		form.set('prompt', 'total');
		form.set('file', new File(['abc'], 'a.csv', { type: 'text/csv' }));
		await owner.post('/robots/document-extract?x=1', form);
		await CloudClient.withKey(sandbox, 'wrong').get('/me');
		expect(await sandbox.control.requests()).toMatchObject([
			{ method: 'GET', path: '/runs', query: { limit: '3' }, body: null },
			{
				method: 'POST',
				path: '/robots/scrape',
				body: { url: 1 },
				headers: { authorization: `Bearer ${KEYS.owner}` },
			},
			{
				path: '/robots/document-extract',
				body: [
					{ name: 'prompt', value: 'total' },
					{ name: 'file', filename: 'a.csv', contentType: 'text/csv', size: 3 },
				],
			},
			{ method: 'GET', path: '/me' },
		]);
	});
});

describe('overridden runs', () => {
	it('an override can set any field to any value', async () => {
		const run = await owner.run(DEMO.article);
		const id = String(run.id);
		await sandbox.control.patchRun(id, {
			data: [{ markdown: 'x' }],
			finishedAt: 5,
			status: 'failed',
			surprise: true,
		});
		const { data } = await owner.get(`/runs/${id}`);
		expect(data).toMatchObject({
			data: [{ markdown: 'x' }],
			finishedAt: 5,
			status: 'failed',
			surprise: true,
		});
		const failed = (await owner.get('/runs?status=failed')).list;
		expect(failed.map((one) => one.id)).toContain(id);
	});

	it('the control plane can end an active run', async () => {
		const id = await owner.start(DEMO.slow);
		await sandbox.control.patchRun(id, { status: 'success', data: { textData: {} } });
		expect(await owner.finished(id)).toMatchObject({ status: 'success', data: { textData: {} } });
	});
});

describe('a restart', () => {
	it('runs, queue and deliveries continue after a restart', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
		const stateFile = join(folder, 'state.json');
		const receiver = await startReceiver();
		receiver.statuses = [500];
		const settings = { slots: 1, runSeconds: 60 };
		const first = await TestSandbox.start({ stateFile, settings });
		const before = first.owner;
		const webhook = { url: receiver.url, retryDelay: 2 };
		await before.post(`/robots/${DEMO.article}/webhooks`, webhook);
		await first.control.settings({ runSeconds: 0 });
		await before.run(DEMO.article);
		await until('the first attempt', PATIENCE, () => receiver.received[0]);
		await first.control.settings({ runSeconds: 60 });
		const running = await before.start(DEMO.products);
		const queued = await before.start(DEMO.products);
		await first.stop();
		const second = await TestSandbox.start({ stateFile, settings });
		const after = second.owner;
		expect((await after.get(`/runs/${running}`)).data.status).toBe('running');
		expect((await after.get(`/runs/${queued}`)).data.status).toBe('queued');
		expect((await after.get(`/robots/${DEMO.products}`)).data.url).toBe(
			`${second.siteUrl}/products`,
		);
		await second.control.settings({ runSeconds: 0 });
		await second.control.finishRun(running);
		expect((await after.finished(queued)).status).toBe('success');
		await until('the second attempt', PATIENCE, () => receiver.received[1]);
		expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
		await second.stop();
		await receiver.close();
		await rm(folder, { recursive: true });
	});
});
