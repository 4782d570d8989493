import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { abortAfter } from '../helpers/engine/time.mts';
import { newRecorded, newRobot } from '../helpers/fixtures.mts';
import { succeeded, useOperations } from './support/details.mts';
import { pairedIndex } from './support/operations.mts';
import { locator } from '../helpers/parameters.mts';
import { AT_ONCE } from '../helpers/until.mts';

const { sandbox, run, succeed } = useOperations();

const runAndWait = async (
	robotId: string,
	parameters: INodeParameters = {},
	options: Partial<ExecuteOptions> = {},
) =>
	await run(
		'run',
		'runAndWait',
		{ output: 'simplified', robotId: locator(robotId), ...parameters },
		options,
	);

describe('the last run, when a user tests the node', () => {
	const parameters = { output: 'rows', options: { useLastRun: true } };
	const starts = async () =>
		(await sandbox.lines()).filter((line) => line.startsWith('POST')).length;

	it.each([
		['run', 'runAndWait', 'robotId'],
		['agent', 'runAndWait', 'agentId'],
	])("%s: %s returns the last completed run's data", async (resource, operation, field) => {
		const { id } = await sandbox.owner.run(DEMO.products);
		const failed = { status: 'failed', run: { data: {} } } as const;
		await sandbox.control.runs({ robotId: DEMO.products, ...failed });
		await sandbox.control.clear();
		const given = { [field]: locator(DEMO.products), ...parameters };
		const { rows, hints } = await succeed(resource, operation, given);
		expect(rows[0]).toMatchObject({ json: { Product: 'Walnut desk' }, pairedItem: { item: 0 } });
		expect(rows.length).toBeGreaterThanOrEqual(8);
		expect(hints).toEqual([expect.stringContaining(`the data of run ${id}`)]);
		expect(await starts()).toBe(0);
	});

	it.each(['trigger', 'integrated'] as const)('the mode %s starts a run', async (mode) => {
		succeeded(await runAndWait(DEMO.products, parameters, { mode }));
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
	['agent', 'runAndWait', 'agentId', 'agent'],
] as const)('%s: %s returns rows by default', async (resource, operation, field, type) => {
	const id = await newRecorded(sandbox, { teamId: '' }, type);
	const { json } = await run(resource, operation, { [field]: locator(id) });
	expect(json.length).toBeGreaterThan(3);
	expect(json[0]).toEqual({ Product: 'Walnut desk', Price: '$249.00' });
});

it('the runs of many items are concurrent, and their output is paired, in input order', async () => {
	await sandbox.control.settings({ runSeconds: 2 });
	const ids: string[] = [];
	while (ids.length < 10) ids.push(await newRobot(sandbox, { name: `Item ${ids.length} of ten` }));
	await sandbox.control.clear();
	const items = ids.map((robotId) => ({ robotId }));
	const { rows, json } = succeeded(await runAndWait('={{ $json.robotId }}', {}, { items }));
	expect(json.map(({ robotId }) => robotId)).toEqual(ids);
	expect(rows.map(pairedIndex)).toEqual(ids.map((_, index) => index));
	const starts = (await sandbox.sent()).filter(({ method }) => method === 'POST');
	const ends = json.map(({ finishedAt }) => Date.parse(String(finishedAt)));
	const first = Math.min(...ends);
	expect(starts).toHaveLength(10);
	expect(starts.filter(({ at }) => Date.parse(at) > first)).toEqual([]);
	// Two rounds of two seconds in five browsers. Sequentially, this would take twenty seconds.
	expect(Math.max(...ends) - Date.parse(starts[0]?.at ?? '')).toBeGreaterThanOrEqual(4000);
	expect(Date.now() - Math.max(...ends)).toBeLessThan(AT_ONCE);
	expect(await sandbox.count(/^GET \/runs\/active/)).toBeLessThanOrEqual(16);
	expect(await sandbox.count(/^GET \/runs\/(?!active)/)).toBe(10);
});

describe('a run that is not completed', () => {
	it.each(['simplified', 'rows', 'raw'])(
		'is returned if the options say so (%s)',
		async (output) => {
			const given = { output, options: { onFailure: 'return' } };
			const { json } = succeeded(await runAndWait(DEMO.failing, given));
			expect(json).toMatchObject([{ status: 'failed', error: expect.any(String) }]);
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
		const began = Date.now();
		const { error } = await runAndWait(await newRobot(sandbox, { name: 'Too slow' }), {
			options: { timeoutMinutes },
		});
		expect(Date.now() - began).toBeGreaterThan(1200);
		expect(Date.now() - began).toBeLessThan(AT_ONCE);
		expect(error?.message).toMatch(/running/);
		expect(error?.description).toMatch(/Timeout \(Minutes\)/);
		const { body } = await sandbox.owner.get('/runs/active');
		expect(body.data).toHaveLength(1);
	});

	it('returns the active run if the options say so', async () => {
		await sandbox.control.settings({ slots: 0 });
		const robotId = await newRobot(sandbox, { name: 'Never begins' });
		const options = { timeoutMinutes, onTimeout: 'return' };
		const { json } = succeeded(await runAndWait(robotId, { options }));
		expect(json).toMatchObject([{ id: expect.any(String), robotId, status: 'queued' }]);
		expect(await sandbox.count(/cancel/)).toBe(0);
	});

	it.each(['error', 'return'])('cancels the run if the options say so (%s)', async (onTimeout) => {
		await sandbox.control.settings({ runSeconds: 30 });
		const robotId = await newRobot(sandbox, { name: `To be canceled (${onTimeout})` });
		const options = { timeoutMinutes, onTimeout, cancelOnTimeout: true };
		const { json, error } = await runAndWait(robotId, { options });
		const told = error?.description ?? json[0]?.note;
		expect(told).toMatch(/^It was canceled/);
		expect(await sandbox.count(/^POST \/runs\/[^/]+\/cancel$/)).toBe(1);
		const { body } = await sandbox.owner.get(`/robots/${robotId}/runs`);
		expect(body.data).toEqual([expect.objectContaining({ status: 'aborted' })]);
	});

	it('causes an error that says that the run could not be canceled', async () => {
		await sandbox.control.settings({ runSeconds: 30 });
		await sandbox.respond(500, 'POST /cancel$');
		const robotId = await newRobot(sandbox, { name: 'Not to be canceled' });
		const options = { timeoutMinutes, cancelOnTimeout: true };
		const { error } = await runAndWait(robotId, { options });
		expect(error?.message).toMatch(/did not end within/);
		expect(error?.description).toMatch(
			/^It continues in Maxun, because Maxun did not cancel it \(/,
		);
	});
});

it('canceling the execution ends the wait at once', async () => {
	await sandbox.control.settings({ runSeconds: 30 });
	const began = Date.now();
	const signal = abortAfter(2500);
	const { execution } = await runAndWait(await newRobot(sandbox), {}, { signal });
	expect(Date.now() - began).toBeLessThan(AT_ONCE);
	expect(execution.status).not.toBe('success');
	const before = (await sandbox.sent()).length;
	await sleep(1500);
	expect((await sandbox.sent()).length).toBe(before);
});
