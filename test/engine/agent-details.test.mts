import { beforeEach, describe, expect, test } from 'vitest';
import { operationsOn } from './support/details.mts';
import { unique } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const { run } = operationsOn(sandbox);
beforeEach(async () => await sandbox.control.settings({ agentBuildSeconds: 1.5 }));

const create = async (parameters = {}) =>
	await run('agent', 'create', {
		prompt: 'Get the name and price of each desk',
		additionalFields: { name: unique('Agent'), url: `${sandbox.siteUrl}/products` },
		...parameters,
	});

const LOOK = { method: 'GET', path: '^/agents/[^/]+$' } as const;

describe('agent: create', () => {
	test('waits until the agent is built', async () => {
		const { json } = await create();
		expect(json).toMatchObject([{ status: 'ready' }]);
	});

	test('goes on at once where nobody waits', async () => {
		const { json } = await create({ waitUntilReady: false });
		expect(json).toMatchObject([{ id: expect.any(String), status: 'creating' }]);
	});

	test('names the agent that is left when the time is up', async () => {
		const { error } = await create({ waitFor: 0.01 });
		expect(error?.message).toMatch(/^Agent \S+ is not ready after 0.01 minutes$/);
		expect(error?.description).toMatch(/Agent \S+ is left in Maxun$/);
	});

	test('outlasts a service that cannot be asked for a while', async () => {
		const now = { 'retry-after': '0' };
		await sandbox.control.fault({ ...LOOK, kind: 'status', status: 503, times: 6, headers: now });
		const { json, error } = await create();
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ status: 'ready' }]);
	});

	test('names the agent when it cannot be asked for', async () => {
		await sandbox.control.fault({ ...LOOK, kind: 'status', status: 403, times: 1 });
		const { error } = await create();
		expect(error?.description).toMatch(/Agent \S+ is left in Maxun$/);
	});

	test('says so when the answer names no agent', async () => {
		await sandbox.control.fault({ kind: 'body', method: 'POST', path: '^/agents$', body: {} });
		const { error } = await create();
		expect(error?.message).toBe('Maxun did not say which agent it builds');
	});
});
