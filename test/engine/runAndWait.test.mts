import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { execute, type ExecuteOptions } from '../helpers/engine/index.mts';
import { newRecorded, newRobot } from '../helpers/fixtures.mts';
import { pairedIndex } from './support/operations.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { AT_ONCE } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const DEFAULTS = { slots: 5, runSeconds: 0.3 };
beforeEach(async () => await sandbox.control.settings(DEFAULTS));
afterEach(async () => {
	await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
});

const runAndWait = async (
	robotId: string,
	parameters: INodeParameters = {},
	options: Partial<ExecuteOptions> = {},
) =>
	await execute({
		parameters: maxun('run', 'runAndWait', {
			output: 'simplified',
			robotId: locator(robotId),
			...parameters,
		}),
		credentials: sandbox.credentials(),
		...options,
	});

describe('the last run, when a user tests the node', () => {
	const parameters = { output: 'rows', options: { useLastRun: true } };
	const starts = async () =>
		(await sandbox.lines()).filter((line) => line.startsWith('POST')).length;

	it.each([
		['run', 'runAndWait', 'robotId'],
		['agent', 'run', 'agentId'],
	])("%s: %s returns the last completed run's data", async (resource, operation, field) => {
		const { id } = await sandbox.owner.run(DEMO.products);
		const [failed = ''] = await sandbox.control.runs({ robotId: DEMO.products });
		await sandbox.control.patchRun(failed, { status: 'failed', data: {} });
		await sandbox.control.clear();
		const { items, hints, error } = await execute({
			parameters: maxun(resource, operation, { [field]: locator(DEMO.products), ...parameters }),
			credentials: sandbox.credentials(),
		});
		expect(error).toBeUndefined();
		expect(items[0]?.[0]).toMatchObject({
			json: { Product: 'Walnut desk' },
			pairedItem: { item: 0 },
		});
		expect(items[0]?.length).toBeGreaterThanOrEqual(8);
		expect(hints).toMatchObject([{ message: expect.stringContaining(`the data of run ${id}`) }]);
		expect(await starts()).toBe(0);
	});

	it.each(['trigger', 'integrated'] as const)('the mode %s starts a run', async (mode) => {
		const { error } = await runAndWait(DEMO.products, parameters, { mode });
		expect(error).toBeUndefined();
		expect(await starts()).toBeGreaterThan(0);
	});

	it('a robot without a completed run returns nothing', async () => {
		const { error } = await runAndWait(await newRobot(sandbox), parameters);
		expect(error?.message).toMatch(/^Robot .* has no completed run with data$/);
		expect(error?.description).toBe("To start a run, turn off 'Use Last Run When Testing'");
		expect(await starts()).toBe(0);
	});
});

it.each([
	['run', 'runAndWait', 'robotId', 'extract'],
	['agent', 'run', 'agentId', 'agent'],
] as const)('%s: %s returns rows by default', async (resource, operation, field, type) => {
	const id = await newRecorded(sandbox, { teamId: '' }, type);
	const { items } = await execute({
		parameters: maxun(resource, operation, { [field]: locator(id) }),
		credentials: sandbox.credentials(),
	});
	expect(items[0]?.length).toBeGreaterThan(3);
	expect(items[0]?.[0]?.json).toEqual({ Product: 'Walnut desk', Price: '$249.00' });
});

describe('many items', () => {
	it('the runs of many items are concurrent, and their output is paired, in input order', async () => {
		await sandbox.control.settings({ runSeconds: 2, slots: 5 });
		const ids = [];
		for (let index = 0; index < 10; index++)
			ids.push(await newRobot(sandbox, { name: `Item ${index} of ten` }));
		await sandbox.control.clear();
		const { items, error } = await execute({
			parameters: maxun('run', 'runAndWait', {
				output: 'simplified',
				robotId: locator('={{ $json.robotId }}'),
			}),
			items: ids.map((robotId) => ({ robotId })),
			credentials: sandbox.credentials(),
		});
		expect(error).toBeUndefined();
		expect(items[0]?.map(({ json }) => json.robotId)).toEqual(ids);
		expect(items[0]?.map(pairedIndex)).toEqual(ids.map((_, index) => index));
		const starts = (await sandbox.sent()).filter(({ method }) => method === 'POST');
		const ends = items[0]?.map(({ json }) => Date.parse(String(json.finishedAt))) ?? [];
		const first = Math.min(...ends);
		expect(starts).toHaveLength(10);
		expect(starts.filter(({ at }) => Date.parse(at) > first)).toEqual([]);
		// Two rounds of two seconds in five browsers. Sequentially, this would take twenty seconds.
		expect(Math.max(...ends) - Date.parse(starts[0]?.at ?? '')).toBeGreaterThanOrEqual(4000);
		expect(Date.now() - Math.max(...ends)).toBeLessThan(AT_ONCE);
		expect(await sandbox.count(/^GET \/runs\/active/)).toBeLessThanOrEqual(16);
		expect(await sandbox.count(/^GET \/runs\/(?!active)/)).toBe(10);
	});

	it('an item that cannot start and an item that fails do not affect others', async () => {
		const { items, error } = await execute({
			parameters: maxun('run', 'runAndWait', {
				output: 'simplified',
				robotId: locator('={{ $json.robotId }}'),
			}),
			items: ['missing', DEMO.article, DEMO.failing].map((robotId) => ({ robotId })),
			credentials: sandbox.credentials(),
			node: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		expect(items[0]?.map(pairedIndex)).toEqual([1]);
		expect(items[1]?.map(pairedIndex)).toEqual([0, 2]);
		expect(String(items[1]?.[0]?.json.error)).toContain('missing');
		expect(String(items[1]?.[1]?.json.error)).toMatch(/failed/);
		expect(await sandbox.count(/^POST /)).toBe(3);
	});
});

describe('a run that is not completed', () => {
	it('fails the node with the reason', async () => {
		const { error } = await runAndWait(DEMO.failing);
		expect(error?.message).toMatch(/failed/);
		const [run] = (await sandbox.owner.get(`/runs?robotId=${DEMO.failing}&limit=1`)).list;
		expect(error?.description).toContain(Object(run).error);
	});

	it.each(['simplified', 'rows', 'raw'])(
		'is returned if the options say so (%s)',
		async (output) => {
			const { items, error } = await runAndWait(DEMO.failing, {
				output,
				options: { onFailure: 'return' },
			});
			expect(error).toBeUndefined();
			expect(items[0]).toHaveLength(1);
			expect(items[0]?.[0]?.json).toMatchObject({ status: 'failed', error: expect.any(String) });
		},
	);

	it('has a different error if it was canceled', async () => {
		await sandbox.control.settings({ runSeconds: 30 });
		const running = runAndWait(await newRobot(sandbox, { name: 'To be aborted' }));
		await sandbox.control.abortRun(await sandbox.owner.startedRun());
		const { error } = await running;
		expect(error?.message).toMatch(/aborted/);
	});
});

describe('the timeout', () => {
	const timeoutMinutes = 0.02; // 1.2 seconds

	it('fails the node, and the error mentions the active run', async () => {
		await sandbox.control.settings({ runSeconds: 30 });
		const began = performance.now();
		const { error } = await runAndWait(await newRobot(sandbox, { name: 'Too slow' }), {
			options: { timeoutMinutes },
		});
		expect(performance.now() - began).toBeGreaterThan(1200);
		expect(performance.now() - began).toBeLessThan(AT_ONCE);
		expect(error?.message).toMatch(/running/);
		expect(error?.description).toMatch(/Timeout \(Minutes\)/);
		const { body } = await sandbox.owner.get('/runs/active');
		expect(body.data).toHaveLength(1);
	});

	it('returns the active run if the options say so', async () => {
		await sandbox.control.settings({ slots: 0 });
		const robotId = await newRobot(sandbox, { name: 'Never begins' });
		const { items, error } = await runAndWait(robotId, {
			options: { timeoutMinutes, onTimeout: 'return' },
		});
		expect(error).toBeUndefined();
		expect(items[0]).toHaveLength(1);
		expect(items[0]?.[0]?.json).toMatchObject({
			id: expect.any(String),
			robotId,
			status: 'queued',
		});
		expect(await sandbox.count(/cancel/)).toBe(0);
	});

	it.each(['error', 'return'])('cancels the run if the options say so (%s)', async (onTimeout) => {
		await sandbox.control.settings({ runSeconds: 30 });
		const robotId = await newRobot(sandbox, { name: `To be canceled (${onTimeout})` });
		const options = { timeoutMinutes, onTimeout, cancelOnTimeout: true };
		const { items, error } = await runAndWait(robotId, { options });
		const told = error?.description ?? items[0]?.[0]?.json.note;
		expect(told).toMatch(/^It was canceled/);
		expect(await sandbox.count(/^POST \/runs\/[^/]+\/cancel$/)).toBe(1);
		const { body } = await sandbox.owner.get(`/robots/${robotId}/runs`);
		expect(body.data).toEqual([expect.objectContaining({ status: 'aborted' })]);
	});

	it('causes an error that says that the run could not be canceled', async () => {
		await sandbox.control.settings({ runSeconds: 30 });
		await sandbox.control.fault({ kind: 'status', status: 500, path: '/cancel$', times: 1 });
		const robotId = await newRobot(sandbox, { name: 'Not to be canceled' });
		const { error } = await runAndWait(robotId, {
			options: { timeoutMinutes, cancelOnTimeout: true },
		});
		expect(error?.message).toMatch(/did not end within/);
		expect(error?.description).toMatch(/^It could not be canceled \(/);
	});
});

it('canceling the execution ends the wait at once', async () => {
	await sandbox.control.settings({ runSeconds: 30 });
	const began = performance.now();
	const signal = AbortSignal.timeout(800);
	const { run } = await runAndWait(await newRobot(sandbox, { name: 'Canceled' }), {}, { signal });
	expect(performance.now() - began).toBeLessThan(AT_ONCE);
	expect(run.status).not.toBe('success');
	const before = (await sandbox.sent()).length;
	await sleep(1500);
	expect((await sandbox.sent()).length).toBe(before);
});
