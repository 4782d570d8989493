import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO } from './index.mts';
import { fieldsOf, type SelfHostedClient } from '../helpers/client.mts';
import { exchanges } from '../helpers/recordings.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const CREATION = /^\/api(\/sdk\/(?:robots|crawl|search|extract\/llm))$/;

const sandbox = useSandbox({
	settings: { selfHostedForm: 'observed', runSeconds: 0.05, selfHostedStepSeconds: 0.02 },
});
let api: SelfHostedClient;
let page: string;

beforeAll(() => {
	api = sandbox.server;
	page = `${sandbox.siteUrl}/articles/oiling-a-desk`;
});
beforeEach(async () => {
	await sandbox.control.settings({ selfHostedSdk: 'observed', selfHostedUploadSeconds: 0 });
});

/** The parts of a robot that tests check. */
const storedRobot = z.object({
	recording_meta: z.object({ id: z.string() }).passthrough(),
	recording: z.object({ workflow: z.array(z.unknown()) }),
	schedule: z.unknown(),
	webhooks: z.unknown(),
});

async function create(path: string, body: unknown) {
	const answer = await api.post(path, body);
	expect([answer.status, answer.body.error]).toEqual([201, undefined]);
	return storedRobot.parse(answer.body.data).recording_meta;
}

const scrape = (name: string, more: object = {}) => ({
	meta: { name, type: 'scrape', url: page, ...more },
	workflow: [],
});

/** A recorded request with the pages of the sandbox's shop. */
function onSite(body: unknown): unknown {
	if (typeof body === 'string') return body;
	const text = (JSON.stringify(body) ?? '{}')
		.replaceAll('http://127.0.0.1:8104/article', page)
		.replaceAll('http://127.0.0.1:8104/', `${sandbox.siteUrl}/`);
	return JSON.parse(text);
}

describe('refused creations', () => {
	const refused = exchanges.filter(
		({ method, path, status, name }) =>
			method === 'POST' &&
			CREATION.test(path) &&
			status === 400 &&
			// These contain the words of a browser.
			!['a21-create-extract-refused', 'c26-llm-nourl'].includes(name),
	);

	it.each(refused)('$name is refused as on a real server', async ({ path, body, answer }) => {
		const [, route = ''] = CREATION.exec(path) ?? [];
		const response = await api.post(route, onSite(body));
		expect(response.status).toBe(400);
		expect(response.json ?? response.text).toEqual(answer);
	});

	it('the details name a page that does not open', async () => {
		const url = 'http://127.0.0.1:9/';
		const step = { action: 'scrapeSchema', name: 'A', args: [{ a: { selector: 'h1' } }] };
		const workflow = [{ where: { url }, what: [step] }];
		const { status, body } = await api.post('/sdk/robots', { meta: { name: 'X' }, workflow });
		expect([status, body.error]).toEqual([400, 'Workflow validation failed']);
		expect(String(body.details)).toContain(url);
	});
});

describe('creations', () => {
	it('the same scrape robot is returned, and another one with its name conflicts', async () => {
		const made = await create('/sdk/robots', scrape('One', { formats: ['markdown', 'links'] }));
		const again = await api.post('/sdk/robots', scrape('One', { formats: ['links', 'markdown'] }));
		expect([again.status, again.body.existing]).toEqual([200, true]);
		expect(storedRobot.parse(again.body.data).recording_meta.id).toBe(made.id);
		const other = await api.post('/sdk/robots', scrape('One', { formats: ['html'] }));
		expect([other.status, other.body.error]).toEqual([
			409,
			'A robot named "One" already exists with a different configuration. Please choose a different name.',
		]);
		expect((await api.delete(`/sdk/robots/${made.id}`)).body.message).toBe(
			'Robot deleted successfully',
		);
		expect((await api.delete(`/sdk/robots/${made.id}`)).status).toBe(404);
	});

	it('a recorded robot tries its workflow and labels the columns', async () => {
		const url = `${sandbox.siteUrl}/products`;
		const args = [{ itemSelector: 'li.product', maxItems: 2 }];
		const workflow = [{ where: { url }, what: [{ action: 'scrapeList', name: 'Things', args }] }];
		const made = await create('/sdk/robots', { meta: { name: 'Recorded' }, workflow });
		const { body } = await api.post(`/sdk/robots/${made.id}/execute`);
		const { listData } = fieldsOf(fieldsOf(body.data).data);
		expect(listData).toHaveLength(2);
		expect(listData).toContainEqual(expect.objectContaining({ 'Label 1': expect.any(String) }));
		const raw = (await api.get(`/sdk/robots/${made.id}/runs`)).list[0];
		expect(raw?.serializableOutput).toEqual({ scrapeList: { Things: listData } });
	});

	it('a crawl compares its settings, a search takes any name', async () => {
		const crawl = { url: `${sandbox.siteUrl}/`, name: 'Pages', crawlConfig: { limit: 2 } };
		await create('/sdk/crawl', crawl);
		expect((await api.post('/sdk/crawl', crawl)).body.existing).toBe(true);
		const changed = { ...crawl, crawlConfig: { limit: 3 } };
		expect((await api.post('/sdk/crawl', changed)).status).toBe(409);
		const search = { name: 'Pages', searchConfig: { query: 'desk', limit: 2 } };
		const ids = [await create('/sdk/search', search), await create('/sdk/search', search)];
		expect(ids[0]?.id).not.toBe(ids[1]?.id);
	});

	it('a prompt makes a robot with numbered columns unless there is a language model', async () => {
		const body = { url: `${sandbox.siteUrl}/products`, prompt: 'Get the products' };
		const { status, data } = await api.post('/sdk/extract/llm', body);
		expect([status, data.name]).toEqual([200, 'LLM Extract: Get the products']);
		expect(JSON.stringify(data.workflow)).toContain('Label 1');
		expect((await api.post('/sdk/extract/llm', body)).status).toBe(409);
		const model = { llmProvider: 'openai', llmApiKey: 'model-key' };
		const other = await api.post('/sdk/extract/llm', { ...body, ...model, robotName: 'Named' });
		expect(JSON.stringify(other.data.workflow)).not.toContain('Label 1');
	});
});

describe('updates', () => {
	it('fields are merged, even wrong ones, and keys of language models are readable', async () => {
		const { id } = await create('/sdk/robots', scrape('Two', { promptLlmApiKey: 'model-key' }));
		const meta = { formats: ['pdf'], description: 'hello', name: 'Shop products' };
		const { status, body } = await api.put(`/sdk/robots/${id}`, { meta });
		expect([status, body.message]).toEqual([200, 'Robot updated successfully']);
		const read = await api.get(`/sdk/robots/${id}`);
		expect(storedRobot.parse(read.data).recording_meta).toMatchObject({
			...meta,
			id,
			url: page,
			promptLlmApiKey: 'model-key',
		});
		const moved = await api.put(`/sdk/robots/${id}`, { meta: { url: 'nope' } });
		expect([moved.status, moved.body.error]).toEqual([400, 'Invalid URL format']);
		expect((await api.put(`/sdk/robots/${UNKNOWN}`, { meta })).body.error).toBe('Robot not found');
	});

	it('a new URL changes the workflow', async () => {
		const crawl = { url: `${sandbox.siteUrl}/`, name: 'Moving', crawlConfig: { limit: 1 } };
		const { id } = await create('/sdk/crawl', crawl);
		const url = `${sandbox.siteUrl}/products`;
		const { body } = await api.put(`/sdk/robots/${id}`, { meta: { url } });
		expect(JSON.stringify(storedRobot.parse(body.data).recording.workflow)).toContain(url);
		const copy = await api.post(`/sdk/robots/${id}/duplicate`, { targetUrl: page });
		expect(storedRobot.parse(copy.body.data)).toMatchObject({
			recording_meta: { name: 'Moving (oiling-a-desk)', url: page },
			schedule: null,
			webhooks: null,
		});
	});
});

describe('runs', () => {
	it('only the raw run has text, links and the reason of a failure', async () => {
		const { id } = await create('/sdk/robots', scrape('Three', { formats: ['text', 'links'] }));
		const executed = await api.post(`/sdk/robots/${id}/execute`, { formats: ['text', 'links'] });
		const { runId, data } = fieldsOf(executed.body.data);
		expect(data).toMatchObject({ text: expect.any(String), listData: [] });
		const path = `robots/${id}/runs/${String(runId)}`;
		const { run } = (await api.get(`/${path}`)).body;
		expect(run).toMatchObject({ runBySDK: true, data: { links: [] } });
		expect(fieldsOf(fieldsOf(run).data)).not.toHaveProperty('text');
		expect((await api.get(`/sdk/${path}`)).data).toMatchObject({
			serializableOutput: {
				text: [{ content: expect.any(String) }],
				links: expect.arrayContaining([{ url: expect.stringContaining('http') }]),
			},
			interpreterSettings: { formats: ['text', 'links'] },
		});
		const failing = await api.post(`/sdk/robots/${DEMO.failing}/execute`);
		expect([failing.status, failing.body]).toMatchObject([500, { message: 'Run failed' }]);
		const [failed] = (await api.get(`/sdk/robots/${DEMO.failing}/runs`)).list;
		expect(failed).toMatchObject({ status: 'failed', log: expect.stringContaining('404') });
	});

	it('a start takes formats and instructions', async () => {
		const { id } = await create('/sdk/robots', scrape('Four'));
		const start = { formats: ['html'], promptInstructions: 'How often must a desk be oiled?' };
		const { body } = await api.post(`/robots/${id}/runs`, start);
		expect(fieldsOf(fieldsOf(body.run).data)).toMatchObject({
			markdown: '',
			html: expect.stringContaining('<html'),
			promptResult: expect.stringContaining('How often'),
		});
	});

	it.each([
		['GET', `/sdk/robots/${DEMO.article}/runs/nope`, 500, 'Failed to get run'],
		['POST', `/sdk/robots/${DEMO.article}/runs/nope/abort`, 500, 'Failed to abort run'],
		['GET', `/sdk/robots/${DEMO.article}/runs/${UNKNOWN}`, 404, 'Run not found'],
		['GET', '/sdk/robots/nope/runs', 404, 'Robot not found'],
		['POST', `/sdk/robots/${UNKNOWN}/execute`, 500, 'Failed to execute robot'],
	])('%s %s fails', async (method, path, status, error) => {
		const answer = await api.send(method, path);
		expect([answer.status, answer.body.error]).toEqual([status, error]);
	});

	it('an aborted run keeps its slot, and succeeds later', async () => {
		await sandbox.control.settings({ runSeconds: 60, selfHostedSlots: 1 });
		const started = api.post(`/robots/${DEMO.article}/runs`);
		const runId = await until('the run', PATIENCE, async () => {
			const runs = await api.runs(DEMO.article);
			return runs.find(({ status }) => status === 'running')?.runId;
		});
		const path = `/sdk/robots/${DEMO.article}/runs/${String(runId)}`;
		expect((await api.post(`${path}/abort`)).data).toMatchObject({ status: 'aborted', runId });
		expect((await started).status).toBe(500);
		expect((await api.post(`${path}/abort`)).body).toMatchObject({ currentStatus: 'aborted' });
		expect((await api.post(`/robots/${DEMO.article}/runs`)).status).toBe(500);
		await sandbox.control.finishRun(String(runId));
		const later = await until('success', PATIENCE, async () => {
			const { data } = await api.get(path);
			return data.status === 'success' ? data : undefined;
		});
		expect(later).toMatchObject({ serializableOutput: { markdown: [{}] } });
		await sandbox.control.settings({ runSeconds: 0.05, selfHostedSlots: 2 });
	});

	it('a run that is aborted at once stays aborted and loses its slot', async () => {
		const early = { selfHostedSlots: 1, selfHostedAbortLosesSlotSeconds: 30, runSeconds: 60 };
		await sandbox.control.settings(early);
		const { id } = await create('/sdk/robots', scrape('Aborted early'));
		const started = api.post(`/robots/${id}/runs`);
		const runId = await api.startedRun(id);
		await api.post(`/sdk/robots/${id}/runs/${runId}/abort`);
		await started;
		await sandbox.control.finishRun(runId);
		expect((await api.post(`/robots/${id}/runs`)).status).toBe(500);
		expect((await api.runs(id)).map(({ status }) => status)).toEqual(['aborted']);
		const late = { selfHostedSlots: 3, selfHostedAbortLosesSlotSeconds: 0, runSeconds: 0.05 };
		await sandbox.control.settings(late);
	});

	it('a run that starts just before the end of another one hangs', async () => {
		await sandbox.control.settings({ selfHostedHangsBeforeEndSeconds: 4, runSeconds: 60 });
		const others = ['Early', 'Late'].map(async (name) => await create('/sdk/robots', scrape(name)));
		const [early = { id: '' }, late = { id: '' }] = await Promise.all(others);
		const first = api.post(`/robots/${early.id}/runs`);
		const ending = await api.startedRun(early.id);
		const second = api.post(`/robots/${late.id}/runs`);
		const hung = await api.startedRun(late.id);
		await sandbox.control.finishRun(ending);
		await first;
		await sandbox.control.finishRun(hung);
		const { data } = await api.get(`/sdk/robots/${late.id}/runs/${hung}`);
		expect(data.status).toBe('running');
		await api.post(`/sdk/robots/${late.id}/runs/${hung}/abort`);
		await second;
		await sandbox.control.settings({ selfHostedHangsBeforeEndSeconds: 0, runSeconds: 0.05 });
	});

	it('a search returns one report, with pages in Scrape mode', async () => {
		const searchConfig = { query: 'desk', limit: 2, mode: 'discover' };
		const { id } = await create('/sdk/search', { name: 'Find', searchConfig });
		const { data } = await api.run(id);
		const report = { query: 'desk', provider: 'duckduckgo', resultsCount: 2 };
		const found = { url: expect.any(String), title: expect.any(String), position: 1 };
		expect(fieldsOf(data).searchData).toMatchObject({
			'Search Results': { ...report, results: [found, {}] },
		});
		const pages = { searchConfig: { query: 'desk', limit: 1, mode: 'scrape' } };
		const scraping = await create('/sdk/search', pages);
		const run = await api.run(scraping.id);
		expect(fieldsOf(run.data).searchData).toMatchObject({
			'Search Results': {
				mode: 'scrape',
				results: [{ markdown: expect.any(String), searchResult: { query: 'desk', position: 1 } }],
			},
		});
	});
});

describe('screenshots', () => {
	const first = async (runId: unknown, id: string) =>
		z
			.array(z.unknown())
			.parse(
				fieldsOf((await api.get(`/robots/${id}/runs/${String(runId)}`)).body.run).screenshots,
			)[0];

	it('screenshots are inline data soon after the run or if the file store is down, otherwise URLs', async () => {
		const { id } = await create('/sdk/robots', scrape('Five', { formats: ['screenshot-visible'] }));
		const { runId } = await api.run(id);
		const url = String(await first(runId, id));
		expect(url).toMatch(/^http.*\.png$/);
		const inline = { data: expect.stringMatching(/^iVBOR/), mimeType: 'image/png' };
		await sandbox.control.settings({ selfHostedUploadSeconds: 60 });
		expect(await first(runId, id)).toEqual(inline);
		await sandbox.control.settings({ selfHostedUploadSeconds: 0, selfHostedFileStoreDown: true });
		expect(await first(runId, id)).toEqual(inline);
		expect((await fetch(url)).status).toBe(503);
		await sandbox.control.settings({ selfHostedFileStoreDown: false });
		const raw = (await api.get(`/sdk/robots/${id}/runs/${String(runId)}`)).data;
		expect(raw.binaryOutput).toEqual({ 'screenshot-visible': url });
	});
});

describe('versions', () => {
	it('older servers have no /api/sdk', async () => {
		await sandbox.control.settings({ selfHostedSdk: 'none' });
		const { status, type, text } = await api.get('/sdk/status');
		expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
		expect(text).toContain('Cannot GET /api/sdk/status');
	});

	it.each(['observed', 'newer'] as const)('a server of version %s', async (selfHostedSdk) => {
		await sandbox.control.settings({ selfHostedSdk });
		const isNewer = selfHostedSdk === 'newer';
		const { id } = await create('/sdk/robots', scrape(`Version ${selfHostedSdk}`));
		const { data } = await api.put(`/sdk/robots/${id}`, { meta: { compareRuns: true } });
		expect(storedRobot.parse(data).recording_meta).toMatchObject({ compareRuns: true });
		await api.run(id);
		await api.put(`/sdk/robots/${id}`, { meta: { url: `${sandbox.siteUrl}/products` } });
		const { runId } = await api.run(id);
		const [raw] = (await api.get(`/sdk/robots/${id}/runs`)).list.filter(
			(run) => run.runId === runId,
		);
		expect(raw?.hasChanges).toBe(isNewer ? true : undefined);
		const diff = await api.get(`/sdk/robots/${id}/runs/${String(runId)}/diff?format=markdown`);
		if (isNewer) {
			expect(diff.data).toMatchObject({
				hasChanges: true,
				changedFormats: ['markdown'],
				diffs: [{ format: 'markdown' }],
			});
		} else expect([diff.status, diff.type]).toEqual([404, 'text/html; charset=utf-8']);
		const none = await api.get(`/sdk/robots/${UNKNOWN}/runs/${UNKNOWN}/diff`);
		expect([none.status, none.type.includes('json')]).toEqual([404, isNewer]);
	});

	it('newer servers make robots from documents', async () => {
		const form = (fields: Record<string, string>) => {
			const body = new FormData();
			body.append('file', new Blob(['Total,Date\n12 EUR,May']), 'bill.csv');
			for (const [name, value] of Object.entries(fields)) body.append(name, value);
			return body;
		};
		const prompt = { prompt: 'Get the total', robotName: 'Bill' };
		expect((await api.post('/sdk/robots/document', form(prompt))).status).toBe(404);
		await sandbox.control.settings({ selfHostedSdk: 'newer' });
		const made = await create('/sdk/robots/document', form(prompt));
		expect(made).toMatchObject({ name: 'Bill', type: 'doc-extract' });
		const formats = { 'outputFormats[]': 'html', robotName: 'Pages of a bill' };
		const parsed = await create('/sdk/robots/document-parse', form(formats));
		expect(parsed).toMatchObject({ type: 'doc-parse', formats: ['html'] });
		const { data } = fieldsOf(await api.run(parsed.id));
		expect(fieldsOf(data).html).toContain('Total');
	});

	it('the status mentions the user', async () => {
		const { json } = await api.get('/sdk/status');
		expect(json).toEqual({ email: expect.stringContaining('@'), plan: 'OSS', credits: 999_999 });
	});
});
