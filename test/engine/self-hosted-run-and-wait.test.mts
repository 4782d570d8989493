import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import type { Fault } from '../helpers/control.mts';
import { useFastTime } from '../helpers/engine/fastTime.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { pairedIndex } from './support/operations.mts';
import { describeForms } from './support/self-hosted.mts';

// test/unit/startRun.test.mts has all cases of a start that is refused or lost.

useFastTime();
const sandbox = useSandbox();

const START = /^POST \/robots\/[^/]+\/runs$/;
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The first search for a started run, after the list of earlier runs. */
const SEARCH = { kind: 'status', method: 'GET', path: '/runs$', skip: 1 } as const;

describeForms(sandbox, (form, own) => {
	it('a run returns its data in the same shape as on the cloud', async () => {
		const { items, error } = await own.runAndWait(DEMO.products, { output: 'rows' });
		expect(error).toBeUndefined();
		const rows = items[0]?.filter(({ json }) => 'Product' in json) ?? [];
		expect(rows.length).toBeGreaterThanOrEqual(8);
		expect(new Set(items[0]?.map(pairedIndex))).toEqual(new Set([0]));
	});

	it('a run starts without a body, after one request for existing runs', async () => {
		await own.runAndWait();
		const [look, start] = await sandbox.sent();
		expect(look).toMatchObject({ method: 'GET', path: `/robots/${DEMO.products}/runs` });
		expect(start).toMatchObject({ method: 'POST', path: `/robots/${DEMO.products}/runs` });
		expect(JSON.stringify(start?.body ?? {})).toBe('{}');
		expect(await sandbox.count(START)).toBe(1);
	});

	it('an active run is found and then polled by its ID', async () => {
		await sandbox.control.settings({ runSeconds: 5 });
		const robotId = await newRobot(sandbox);
		const { items, error } = await own.runAndWait(robotId);
		expect(error).toBeUndefined();
		const id = String(items[0]?.[0]?.json.id);
		expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId, hasData: true });
		expect(await sandbox.count(START)).toBe(1);
		const polls = (await sandbox.lines()).filter((line) => !line.includes('/sdk/'));
		expect(polls.at(-1)).toBe(`GET /robots/${robotId}/runs/${id}`);
		expect(polls.filter((line) => line === `GET /robots/${robotId}/runs`).length).toBeLessThan(5);
	});

	it('a run survives a cut connection and starts once', async () => {
		await sandbox.control.settings({ selfHostedCutAfterSeconds: 1.5, runSeconds: 6 });
		const robotId = await newRobot(sandbox);
		const { items, error } = await own.runAndWait(robotId);
		const [run, ...others] = await sandbox.server.runs(robotId);
		expect(others).toEqual([]);
		expect(await sandbox.count(START)).toBe(1);
		if (form === 'observed') {
			expect(error).toBeUndefined();
			expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
		} else {
			// Without the server's own record, nobody can tell whether the run is ours.
			const words = `somebody else may have started them: ${run?.runId}`;
			expect(error?.description).toContain(words);
			await sandbox.control.finishRun(String(run?.runId)).catch(() => 'it has ended');
		}
	});

	it('a run whose start is lost in a gateway is not restarted, even with Retry On Fail', async () => {
		const robotId = await newRobot(sandbox);
		await sandbox.control.fault({
			kind: 'status',
			method: 'POST',
			status: 504,
			body: '<html>Gateway Timeout</html>',
			contentType: 'text/html',
			before: true,
		});
		const { error } = await own.runAndWait(robotId, {}, { node: RETRY });
		expect(error?.message).toContain('may have started');
		expect(error?.description).toMatch(/to avoid a second run/);
		expect(await sandbox.count(START)).toBe(1);
		expect(await sandbox.server.runs(robotId)).toEqual([]);
	});

	it('no run starts if the robot does not exist', async () => {
		const { error } = await own.runAndWait('missing');
		expect(error).toMatchObject({ httpCode: '404' });
		expect(error?.message).toContain("robot 'missing'");
		expect(await sandbox.count(START)).toBe(0);
	});

	it('a failed run ends the node with an error', async () => {
		const { error } = await own.runAndWait(DEMO.failing);
		expect(error?.message).toMatch(/^Run \S+ of robot 'Missing page' ended with status failed/);
		expect(await sandbox.count(START)).toBe(1);
	});

	it('the timeout ends the wait, and the error mentions the active run', async () => {
		await sandbox.control.settings({ runSeconds: 60 });
		const robotId = await newRobot(sandbox);
		const { error } = await own.runAndWait(robotId, { options: { timeoutMinutes: 0.1 } });
		expect(error?.message).toMatch(/did not end within \S+ minutes? \(status: running\)/);
		expect(error?.description).toMatch(/Timeout \(Minutes\)/);
		for (const { runId } of await sandbox.server.runs(robotId))
			await sandbox.control.abortRun(String(runId));
	});

	describe('the search for a started run', () => {
		it.each<Partial<Fault>>([
			{ status: 401 },
			{ kind: 'body', body: '{"runs":', contentType: 'application/json' },
		])('finds it although the first response is %j', async (fault) => {
			await sandbox.control.settings({ runSeconds: 4 });
			const robotId = await newRobot(sandbox);
			await sandbox.control.fault({ ...SEARCH, ...fault });
			const { items, error } = await own.runAndWait(robotId, {}, { node: RETRY });
			expect(error).toBeUndefined();
			expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
			expect(await sandbox.count(START)).toBe(1);
		});

		// As documented, the response contains the failed run, so there is no search.
		it.runIf(form === 'observed')('that fails starts no second run', async () => {
			await sandbox.control.fault({ ...SEARCH, status: 401, times: 9 });
			const { error } = await own.runAndWait(DEMO.failing, {}, { node: RETRY });
			expect(error?.message).toBe(`A run of robot '${DEMO.failing}' may have started`);
			expect(await sandbox.count(START)).toBe(1);
		});
	});

	it.runIf(form === 'observed')('the error says if no slot was free in time', async () => {
		await sandbox.control.settings({ selfHostedSlots: 1, runSeconds: 20 });
		const other = await newRobot(sandbox);
		// Another client, whose connection the end of the test may cut.
		sandbox.server.post(`/robots/${other}/runs`).catch(() => undefined);
		const runId = await sandbox.server.startedRun(other);
		const { error } = await own.runAndWait(DEMO.products, { options: { timeoutMinutes: 0.05 } });
		await sandbox.control.abortRun(runId);
		expect(error?.message).toBe(`Robot ${DEMO.products} was not started within 0.05 minutes`);
		expect(error?.description).toMatch(/busy/);
	});
});
