import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from './index.mts';
import type { CloudClient } from '../helpers/client.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});
beforeEach(async () => {
	await fetch(`${sandbox.siteUrl}/_reset`, { method: 'POST' });
});

const path = `/robots/${DEMO.products}/monitoring`;
const changePrice = async (id: number, price: number) =>
	await fetch(`${sandbox.siteUrl}/_prices`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ id, price }),
	});

describe('monitoring settings', () => {
	it('an update keeps the other settings, and alerts need run comparison', async () => {
		expect((await owner.get(path)).data).toEqual({
			compareRuns: false,
			monitoringPrompt: null,
			alertsEnabled: false,
			alertEmail: null,
		});
		expect((await owner.put(path, { alertsEnabled: true })).status).toBe(400);
		await owner.put(path, { compareRuns: true, alertEmail: 'me@example.com' });
		const { data } = await owner.put(path, { alertsEnabled: true });
		expect(data).toMatchObject({
			compareRuns: true,
			alertsEnabled: true,
			alertEmail: 'me@example.com',
		});
		expect((await owner.put(path, { compareRuns: false })).status).toBe(400);
		expect((await owner.put(path, { alertEmail: 'nobody' })).status).toBe(400);
		expect((await owner.put(path, { alerts: true })).status).toBe(400);
		const off = await owner.put(path, {
			compareRuns: false,
			alertsEnabled: false,
			alertEmail: null,
		});
		expect(off.data.compareRuns).toBe(false);
	});
});

describe('changes between runs', () => {
	it('a run lists changed lines, matches a filter and sends an alert', async () => {
		await owner.put(path, { compareRuns: true, alertsEnabled: true });
		const first = await owner.run(DEMO.products);
		const same = await owner.run(DEMO.products);
		expect(same).toMatchObject({ hasChanges: false, changedFormats: [] });
		await changePrice(1, 199);
		const changed = await owner.run(DEMO.products);
		expect(changed).toMatchObject({ hasChanges: true, changedFormats: ['captured-list'] });
		const { data } = await owner.get(`/runs/${String(changed.id)}/diff`);
		expect(data).toMatchObject({
			runId: changed.id,
			previousRunId: same.id,
			hasChanges: true,
			changedFormats: ['captured-list'],
			diffs: [
				{
					format: 'captured-list',
					changes: [
						{ added: false, removed: true, value: expect.stringContaining('$249.00') },
						{ added: true, removed: false, value: expect.stringContaining('$199.00') },
						{ added: false, removed: false, value: expect.stringContaining('Oak chair') },
					],
				},
			],
		});
		const listed = await owner.get('/runs?hasChanges=true');
		expect(listed.list.map(({ id }) => id)).toEqual([changed.id]);
		expect(await sandbox.control.alerts()).toMatchObject([
			{ runId: changed.id, to: 'owner@example.com' },
		]);
		expect((await owner.get(`/runs/${String(first.id)}/diff`)).status).toBe(404);
	});

	it('the diff can return a single format', async () => {
		const { data } = await owner.post('/robots/scrape', {
			url: `${sandbox.siteUrl}/products/5`,
			name: 'Watched',
			formats: ['text', 'markdown', 'html'],
			compareRuns: true,
		});
		const id = String(data.id);
		await owner.run(id);
		await changePrice(5, 25);
		const run = await owner.run(id);
		expect(run.changedFormats).toEqual(['text', 'markdown', 'html']);
		const diff = async (format: string) =>
			await owner.get(`/runs/${String(run.id)}/diff?format=${format}`);
		expect((await diff('text')).data.diffs).toEqual([
			{
				format: 'text',
				changes: expect.arrayContaining([{ value: '$25.00\n', added: true, removed: false }]),
			},
		]);
		expect((await diff('captured-list')).data.diffs).toEqual([]);
		expect((await diff('pdf')).status).toBe(400);
	});

	it('changes count only if they match the prompt', async () => {
		const create = async (name: string, monitoringPrompt: string) => {
			const url = `${sandbox.siteUrl}/products/6`;
			const body = { url, name, formats: ['text'], compareRuns: true, monitoringPrompt };
			return String((await owner.post('/robots/scrape', body)).data.id);
		};
		const fitting = await create('Fitting', 'tell me when it costs $61');
		const other = await create('Other', 'tell me about the weather');
		for (const id of [fitting, other]) await owner.run(id);
		await changePrice(6, 61);
		expect((await owner.run(fitting)).hasChanges).toBe(true);
		expect((await owner.run(other)).hasChanges).toBe(false);
	});

	it('the API rejects a diff of an active run', async () => {
		const id = await owner.start(DEMO.slow);
		expect((await owner.get(`/runs/${id}/diff`)).status).toBe(409);
		await owner.post(`/runs/${id}/cancel`);
	});
});
