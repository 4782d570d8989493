import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { useOperations } from './support/details.mts';
import { newRecorded, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';

const { sandbox, run, succeed } = useOperations({ settings: { agentBuildSeconds: 1.5 } });

const create = async (parameters = {}) =>
	await run('agent', 'create', {
		prompt: 'Get the name and price of each desk',
		additionalFields: { name: unique('Agent'), url: `${sandbox.siteUrl}/products` },
		...parameters,
	});

describe('agent: create', () => {
	it('the operation returns at once if it does not wait', async () => {
		const { json } = await create({ waitUntilReady: false });
		expect(json).toMatchObject([{ id: expect.any(String), status: 'creating' }]);
	});

	it('the error mentions the agent that is left after a timeout', async () => {
		await sandbox.control.settings({ agentBuildSeconds: 600 });
		const { error } = await create({ options: { timeoutMinutes: 0.01 } });
		expect(error?.message).toMatch(/^Agent \S+ was not ready within 0.01 minutes$/);
		expect(error?.description).toMatch(/Agent \S+ remains in Maxun$/);
	});

	it('the error mentions the agent when it cannot be read', async () => {
		await sandbox.respond(403, 'GET ^/agents/[^/]+$');
		const { error } = await create();
		expect(error?.description).toMatch(/Agent \S+ remains in Maxun$/);
	});

	it.each(['reset', 'truncate', 'body'] as const)(
		'the error mentions an agent that may exist if the response is lost or contains no ID (%s)',
		async (kind) => {
			const creation = { method: 'POST', path: '^/agents$', body: {} };
			await sandbox.control.fault({ ...creation, kind, before: false });
			const name = unique('Lost');
			const { error } = await create({ additionalFields: { name } });
			expect(error?.description).toContain(`An agent named '${name}' may exist in Maxun`);
		},
	);
});

it('web: extract: the timeout of the run begins when the agent is ready', async () => {
	await sandbox.control.settings({ agentBuildSeconds: 3, runSeconds: 3 });
	const url = `${sandbox.siteUrl}/products`;
	const options = { timeoutMinutes: 0.08, onTimeout: 'error' };
	await succeed('web', 'extract', { prompt: 'Get the prices', url, options });
});

it('an agent that Maxun is still building runs when it is ready, after an earlier rejection', async () => {
	const prompt = { prompt: 'Get the products', url: `${sandbox.siteUrl}/products` };
	const created = await sandbox.owner.post('/agents', { ...prompt, name: 'Not ready' });
	const agentId = String(created.data.id);
	await sandbox.respond(409, 'POST /runs$', { error: 'The agent is not ready' });
	const { json } = await succeed('agent', 'runAndWait', {
		agentId: locator(agentId),
		output: 'simplified',
	});
	expect(json).toMatchObject([{ status: 'success' }]);
});

describe('an agent that Maxun only finds under /agents', () => {
	beforeEach(async () => await sandbox.control.settings({ agentsApart: true }));

	it('can have a schedule, monitoring settings and webhooks', async () => {
		const robotId = await newRecorded(sandbox, { teamId: '' }, 'agent');
		const on = async (resource: string, operation: string, parameters = {}) => {
			const { json } = await succeed(resource, operation, {
				robotId: locator(robotId),
				...parameters,
			});
			return json;
		};
		const weekly = { runEvery: 1, runEveryUnit: 'WEEKS', timezone: 'UTC' };
		await on('schedule', 'upsert', weekly);
		expect(await on('schedule', 'get')).toMatchObject([weekly]);
		await on('schedule', 'delete');
		await on('monitoring', 'update', { updateFields: { compareRuns: true } });
		expect(await on('monitoring', 'get')).toMatchObject([{ compareRuns: true }]);
		const [webhook] = await on('webhook', 'create', { url: `${sandbox.url}/receiver` });
		const webhookId = locator(String((webhook as IDataObject).id));
		await on('webhook', 'update', { webhookId, updateFields: { active: false } });
		await on('webhook', 'test', { webhookId });
		expect(await on('webhook', 'getAll')).toMatchObject([{ active: false }]);
		await on('webhook', 'delete', { webhookId });
		expect(await on('webhook', 'getAll')).toEqual([]);
		const paths = (await sandbox.lines()).filter((line) => line.includes(' /agents/'));
		expect(new Set(paths.map((line) => line.split(' ')[0]))).toEqual(
			new Set(['GET', 'PUT', 'DELETE', 'POST', 'PATCH']),
		);
	});

	it('without an agent with that ID, the error is about the robot', async () => {
		const { error } = await run('schedule', 'get', { robotId: locator('nobody') });
		expect(error?.message).toBe("Maxun could not find robot 'nobody'");
	});
});

it("Extract With Prompt can open each row's detail page", async () => {
	const options = { deepExtraction: true, waitFor: 1 };
	const url = `${sandbox.siteUrl}/products`;
	await succeed('web', 'extract', { prompt: 'Get the prices', url, options });
	const [created] = (await sandbox.sent()).filter(({ path }) => path === '/agents');
	expect(created?.body).toMatchObject({ deepExtraction: true });
});
