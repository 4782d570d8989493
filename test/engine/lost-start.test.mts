import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../helpers/control.mts';
import { execute, type ExecuteOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
beforeEach(async () => await sandbox.control.settings({ slots: 5, runSeconds: 0.2 }));
afterEach(async () => {
	for (const id of await sandbox.owner.activeRuns()) await sandbox.owner.post(`/runs/${id}/cancel`);
});

const START = { method: 'POST', path: '/runs$' };
/** Loses the response to a start that Maxun has carried out. */
const lose = async (fault: Partial<Fault> = {}) =>
	await sandbox.control.fault({ ...START, kind: 'status', status: 504, before: false, ...fault });

const runAndWait = async (
	robotIds: string[],
	more: object = {},
	options: Partial<ExecuteOptions> = {},
) =>
	await execute({
		parameters: maxun('run', 'runAndWait', {
			robotId: locator('={{ $json.robotId }}'),
			options: { ...more },
		}),
		items: robotIds.map((robotId) => ({ robotId })),
		credentials: sandbox.credentials(),
		...options,
	});

const runsOf = async (robotId: string) =>
	(await sandbox.owner.get(`/robots/${robotId}/runs`)).list.map(({ id }) => id);

const PAGE = '<html><body>Please sign in</body></html>';

describe('a run whose start gets no response', () => {
	it.each<[string, Partial<Fault>]>([
		['a 504 from a gateway', { body: '<h1>Gateway Timeout</h1>' }],
		['a 504 with JSON', {}],
		['a cut connection', { kind: 'reset' }],
		['a cut response', { kind: 'truncate' }],
		['a page of a proxy', { kind: 'body', status: 200, body: PAGE, contentType: 'text/html' }],
		['an empty response', { kind: 'body', status: 200, body: '' }],
		['a response without an ID', { kind: 'body', status: 202, body: { success: true } }],
	])('is found after %s and returned', async (_, fault) => {
		const robotId = await newRobot(sandbox);
		await lose(fault);
		const { items, error } = await runAndWait([robotId]);
		expect(error).toBeUndefined();
		expect(items[0]?.map(({ json }) => json.id)).toEqual(await runsOf(robotId));
		expect(await sandbox.count(/^POST .*\/runs$/)).toBe(1);
	});

	it('is found while it is queued', async () => {
		await sandbox.control.settings({ slots: 0 });
		const robotId = await newRobot(sandbox);
		await lose();
		const { items } = await runAndWait([robotId], { waitFor: 0.05, onTimeout: 'return' });
		expect(items[0]?.map(({ json }) => json.id)).toEqual(await runsOf(robotId));
	});

	it('is also found for an agent, and without waiting', async () => {
		const agentId = await newRobot(sandbox, { type: 'agent', prompt: 'Products' });
		await lose();
		const { items, error } = await execute({
			parameters: maxun('agent', 'run', { agentId: locator(agentId), waitForCompletion: false }),
			credentials: sandbox.credentials(),
		});
		expect(error).toBeUndefined();
		expect(items[0]?.map(({ json }) => json.id)).toEqual(await runsOf(agentId));
	});

	it('is not mistaken for the run of another item, even if several are lost', async () => {
		const robotId = await newRobot(sandbox);
		await lose({ skip: 1, times: 3 });
		const { items, error } = await runAndWait([robotId, robotId, robotId, robotId, robotId]);
		expect(error).toBeUndefined();
		const ids = items[0]?.map(({ json }) => json.id) ?? [];
		expect([...ids].sort()).toEqual([...(await runsOf(robotId))].sort());
		expect(new Set(ids).size).toBe(5);
	});

	it('is reported with its robot and time if it does not exist', async () => {
		const robotId = await newRobot(sandbox);
		await sandbox.control.runs({ robotId }); // an earlier run
		await lose({ before: true });
		const since = new Date().toISOString().slice(0, 13);
		const { error } = await runAndWait([robotId]);
		expect(error?.message).toBe(`A run of robot '${robotId}' may have started`);
		expect(error?.description).toContain(`Check the runs since ${since}`);
		expect(error).toMatchObject({ httpCode: '504' });
		expect(await sandbox.count(/^POST .*\/runs$/)).toBe(1);
	});

	it('is not chosen among runs of other clients', async () => {
		const robotId = await newRobot(sandbox);
		await sandbox.owner.start(robotId);
		const foreign = await runsOf(robotId);
		await lose();
		const { error } = await runAndWait([robotId]);
		expect(error?.description).toContain('Several runs could be the right one');
		for (const id of foreign) expect(error?.description).toContain(id);
	});

	it('is not looked for if Maxun refused the start', async () => {
		const robotId = await newRobot(sandbox);
		await lose({ before: true, status: 500 });
		const { error } = await runAndWait([robotId]);
		expect(error).toMatchObject({ httpCode: '500' });
		expect(await sandbox.lines()).toEqual([`POST /robots/${robotId}/runs`]);
	});
});
