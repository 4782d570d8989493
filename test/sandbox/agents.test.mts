import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from './index.mts';
import { CloudClient } from '../helpers/client.mts';
import { TestSandbox } from '../helpers/sandbox.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0, agentBuildSeconds: 1 } });
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});

const built = async (id: unknown, client = owner) =>
	await until('the end of the building', PATIENCE, async () => {
		const { data } = await client.get(`/agents/${String(id)}`);
		return data.status === 'creating' ? undefined : data;
	});

describe('agents', () => {
	it('an agent builds in the background, then extracts rows', async () => {
		const prompt = 'Get the name and price of each product';
		const url = `${sandbox.siteUrl}/products`;
		const { status, data } = await owner.post('/agents', { prompt, url });
		expect(status).toBe(202);
		expect(data).toMatchObject({
			name: `LLM Extract: ${prompt}`,
			type: 'agent',
			status: 'creating',
			prompt,
			deepExtraction: false,
		});
		const early = await owner.post(`/agents/${String(data.id)}/runs`);
		expect(early.status).toBe(409);
		expect(await built(data.id)).toMatchObject({ status: 'ready', error: null, url });
		const started = await owner.post(`/agents/${String(data.id)}/runs`, {});
		expect(started.status).toBe(202);
		const run = await owner.finished(started.body.id ?? '');
		expect(run.data).toMatchObject({
			listData: expect.arrayContaining([
				{ Name: 'Oak chair', Price: '$89.50', Link: `${sandbox.siteUrl}/products/2` },
			]),
		});
		const runs = await owner.get(`/agents/${String(data.id)}/runs`);
		expect(runs.list.map(({ id }) => id)).toEqual([run.id]);
	});

	it('an agent without a URL finds the page itself', async () => {
		const { data } = await owner.post('/agents', {
			prompt: 'products of the shop',
			name: 'Finder',
		});
		expect(data.url).toBeNull();
		const agent = await built(data.id);
		expect(agent.status).toBe('ready');
		expect(String(agent.url)).toContain(sandbox.siteUrl);
	});

	it('on paid plans, deep extraction opens the detail pages', async () => {
		const body = {
			prompt: 'prices of all products',
			name: 'Deep',
			url: `${sandbox.siteUrl}/products?page=3`,
			deepExtraction: true,
		};
		const { data } = await owner.post('/agents', body);
		await built(data.id);
		expect((await owner.run(String(data.id))).data).toMatchObject({
			listData: expect.arrayContaining([
				expect.objectContaining({
					Price: '$36.00',
					'Article number': 'LS-0024',
					'Delivery time': '4 weeks',
				}),
			]),
		});
		const free = await CloudClient.withKey(sandbox, KEYS.member).post('/agents', body);
		expect([free.status, free.body.error]).toEqual([403, expect.stringContaining('paid plan')]);
	});

	it('a failed agent has an error and does not count toward the plan', async () => {
		const member = CloudClient.withKey(sandbox, KEYS.member);
		const url = `${sandbox.siteUrl}/products`;
		const failing = await member.post('/agents', { prompt: 'Do something impossible', url });
		expect(await built(failing.data.id, member)).toMatchObject({
			status: 'failed',
			error: expect.stringContaining('could not work out'),
		});
		const missing = `${sandbox.siteUrl}/missing`;
		const lost = await member.post('/agents', { prompt: 'prices', url: missing });
		expect(await built(lost.data.id, member)).toMatchObject({
			status: 'failed',
			error: expect.stringContaining('404'),
		});
		for (const name of ['One', 'Two']) {
			expect((await member.post('/agents', { prompt: 'prices', url, name })).status).toBe(202);
		}
		const third = await member.post('/agents', { prompt: 'prices', url, name: 'Three' });
		expect([third.status, third.body.error]).toEqual([403, expect.stringContaining('2 agents')]);
	});

	it('agent and robot endpoints list, rename and delete agents', async () => {
		const url = `${sandbox.siteUrl}/products`;
		const { data } = await owner.post('/agents', { prompt: 'prices', url, name: 'Mine' });
		const path = `/agents/${String(data.id)}`;
		await built(data.id);
		expect((await owner.get('/agents?limit=1')).list).toMatchObject([{ name: 'Mine' }]);
		expect((await owner.get('/robots?type=agent&q=mine')).list).toMatchObject([{ id: data.id }]);
		expect((await owner.patch(path, { name: 'Yours' })).data.name).toBe('Yours');
		expect((await owner.patch(path, { prompt: 'x' })).status).toBe(400);
		expect((await owner.get(`/agents/${DEMO.article}`)).status).toBe(404);
		const webhook = await owner.post(`${path}/webhooks`, { url: 'https://example.com/hook' });
		expect(webhook.status).toBe(201);
		expect((await owner.get(`/robots/${String(data.id)}/webhooks`)).list).toHaveLength(1);
		const compare = await owner.put(`${path}/monitoring`, { compareRuns: true });
		expect(compare.data.compareRuns).toBe(true);
		expect((await owner.delete(path)).status).toBe(200);
		expect((await owner.get(path)).status).toBe(404);
	});

	it('an unfinished agent resumes after a restart', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
		const stateFile = join(folder, 'state.json');
		const first = await TestSandbox.start({ stateFile, settings: { agentBuildSeconds: 60 } });
		const before = first.owner;
		const { data } = await before.post('/agents', { prompt: 'products', name: 'Patient' });
		await first.stop();
		const second = await TestSandbox.start({ stateFile, settings: { agentBuildSeconds: 0 } });
		const agent = await built(data.id, second.owner);
		expect(agent.status).toBe('ready');
		await second.stop();
		await rm(folder, { recursive: true });
	});
});
