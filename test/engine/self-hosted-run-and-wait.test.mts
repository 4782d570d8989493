import { afterEach, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { setSpeed } from '../helpers/engine/time.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForms } from './support/self-hosted.mts';

// test/unit/startRun.test.mts covers all rejected and lost starts.

const sandbox = useSandbox();

const START = /^POST \/robots\/[^/]+\/runs$/;

afterEach(() => setSpeed());

describeForms(sandbox, (form, own) => {
	it('a run starts without a body, and is polled by its ID for minutes after its connection is cut', async () => {
		setSpeed(100);
		await sandbox.control.settings({ selfHostedCutAfterSeconds: 60, runSeconds: 300 });
		const robotId = await newRobot(sandbox);
		const { json } = await own.runAndWait(robotId);
		expect(json).toMatchObject([{ status: 'success', robotId, hasData: true }]);
		const id = String(json[0]?.id);
		const [look, start] = await sandbox.sent();
		expect(look).toMatchObject({ method: 'GET', path: `/robots/${robotId}/runs` });
		expect(start).toMatchObject({ method: 'POST', path: `/robots/${robotId}/runs` });
		expect(JSON.stringify(start?.body ?? {})).toBe('{}');
		expect(await sandbox.count(START)).toBe(1);
		const polls = (await sandbox.lines()).filter((line) => !line.includes('/sdk/'));
		expect(polls.at(-1)).toBe(`GET /robots/${robotId}/runs/${id}`);
		expect(polls.filter((line) => line === `GET /robots/${robotId}/runs`).length).toBeLessThan(5);
	});

	it('a run survives a cut connection and starts once', async () => {
		await sandbox.control.settings({ selfHostedCutAfterSeconds: 1.5, runSeconds: 6 });
		const robotId = await newRobot(sandbox);
		const { json, error } = await own.runAndWait(robotId);
		const [run, ...others] = await sandbox.server.runs(robotId);
		expect(others).toEqual([]);
		expect(await sandbox.count(START)).toBe(1);
		if (form === 'observed') {
			expect(json).toMatchObject([{ status: 'success', robotId }]);
		} else {
			// Without the server's own record, nothing shows whether the run is the node's.
			const words = `somebody else may have started them: ${run?.runId}`;
			expect(error?.description).toContain(words);
			await sandbox.control.finishRun(String(run?.runId)).catch(() => 'it has ended');
		}
	});

	it('no run starts if the robot does not exist', async () => {
		const { error } = await own.runAndWait('missing');
		expect(error).toMatchObject({ httpCode: '404' });
		expect(error?.message).toContain("robot 'missing'");
		expect(await sandbox.count(START)).toBe(0);
	});

	it.runIf(form === 'observed')('the error says that no browser was free in time', async () => {
		await sandbox.control.settings({ selfHostedSlots: 1, runSeconds: 20 });
		const other = await newRobot(sandbox);
		// This is another client. The end of the test may cut its connection.
		sandbox.server.post(`/robots/${other}/runs`).catch(() => undefined);
		const runId = await sandbox.server.startedRun(other);
		const { error } = await own.runAndWait(DEMO.products, { options: { timeoutMinutes: 0.05 } });
		await sandbox.control.abortRun(runId);
		expect(error?.message).toBe(`Robot ${DEMO.products} was not started within 0.05 minutes`);
		expect(error?.description).toMatch(/busy/);
	});
});
