import { describe, expect, it } from 'vitest';
import { DEMO } from '../../sandbox/index.mts';
import { pairedIndex } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';
import { newRobot } from '../../helpers/fixtures.mts';
import type { Fault } from '../../helpers/control.mts';
import { AT_ONCE } from '../../helpers/until.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { NO_PAUSE, describeForm, type Form, type SelfHosted } from '../support/self-hosted.mts';

const START = /^POST \/robots\/[^/]+\/runs$/;

/** Fails a run on its own page, so that the server returns its generic 500. */
const failed = (own: SelfHosted) => own.runAndWait(DEMO.failing);

/** How Run and Wait behaves on a self-hosted server of that form. */
export function describeRunAndWait(sandbox: TestSandbox, form: Form): void {
	/** Starts a run as another client, whose connection the end of the test may cut. */
	const startElsewhere = (robotId: string): void => {
		sandbox.server.post(`/robots/${robotId}/runs`).catch(() => undefined);
	};

	describeForm(sandbox, form, (own) => {
		describe('a run', () => {
			it('a run returns its data in the same shape as on the cloud', async () => {
				const { items, error } = await own.runAndWait(DEMO.products, { output: 'rows' });
				expect(error).toBeUndefined();
				expect(items[0]?.length).toBeGreaterThanOrEqual(8);
				const rows = items[0]?.filter(({ json }) => 'Product' in json) ?? [];
				expect(rows.length).toBeGreaterThanOrEqual(8);
				expect(new Set(items[0]?.map(pairedIndex))).toEqual(new Set([0]));
				expect(await sandbox.count(START)).toBe(1);
			});

			it('a run starts without a body, after one request for existing runs', async () => {
				await own.runAndWait();
				const sent = await sandbox.sent();
				const [look, start] = sent;
				expect(look).toMatchObject({ method: 'GET', path: `/robots/${DEMO.products}/runs` });
				expect(start).toMatchObject({ method: 'POST', path: `/robots/${DEMO.products}/runs` });
				expect(JSON.stringify(start?.body ?? {})).toBe('{}');
			});

			it('an active run is found and then polled by its ID', async () => {
				await sandbox.control.settings({ runSeconds: 5 });
				const robotId = await newRobot(sandbox, { name: `Slow one ${form}` });
				const { items, error } = await own.runAndWait(robotId);
				expect(error).toBeUndefined();
				const id = String(items[0]?.[0]?.json.id);
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId, hasData: true });
				const lines = await sandbox.lines();
				expect(lines.filter((line) => START.test(line))).toHaveLength(1);
				const polls = lines.filter((line) => !line.includes('/sdk/'));
				expect(polls.at(-1)).toBe(`GET /robots/${robotId}/runs/${id}`);
				expect(lines.filter((line) => line === `GET /robots/${robotId}/runs`).length).toBeLessThan(
					5,
				);
			});

			it('the node also waits for a run if the server responds at once', async () => {
				await sandbox.control.settings({ selfHostedAnswersAtOnce: true, runSeconds: 2 });
				const { items, error } = await own.runAndWait();
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success' });
				expect(await sandbox.count(START)).toBe(1);
				expect(await sandbox.server.runs(DEMO.products)).toContainEqual(
					expect.objectContaining({ runId: items[0]?.[0]?.json.id }),
				);
			});

			/** Without the server's own record, nobody can tell whether the run is ours. Then the error mentions it. */
			const survives = async (robotId: string) => {
				const { items, error } = await own.runAndWait(robotId);
				const [run, ...others] = await sandbox.server.runs(robotId);
				expect(others).toEqual([]);
				expect(await sandbox.count(START)).toBe(1);
				if (form === 'documented') {
					expect(error?.description).toContain(
						`somebody else may have started them: ${run?.runId}`,
					);
					await sandbox.control.finishRun(String(run?.runId)).catch(() => 'it has ended');
				} else {
					expect(error).toBeUndefined();
					expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
				}
			};

			it('a run survives a cut connection and starts once', async () => {
				await sandbox.control.settings({ selfHostedCutAfterSeconds: 1.5, runSeconds: 6 });
				const robotId = await newRobot(sandbox, { name: `Behind a proxy ${form}` });
				await survives(robotId);
			});

			it('a run survives a connection that is cut before the run appears', async () => {
				await sandbox.control.settings({ selfHostedCutAfterSeconds: 0.2, runSeconds: 4 });
				const robotId = await newRobot(sandbox, { name: `Behind a hasty proxy ${form}` });
				await survives(robotId);
			});

			it.each([
				['', undefined],
				[', even with Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }],
			])(
				'a run whose start is lost in a gateway is not restarted%s',
				async (_, node) => {
					const robotId = await newRobot(sandbox);
					await sandbox.control.fault({
						kind: 'status',
						method: 'POST',
						status: 504,
						body: '<html>Gateway Timeout</html>',
						contentType: 'text/html',
						before: true,
					});
					const { error } = await own.runAndWait(robotId, {}, { node });
					expect(error?.message).toContain('may have started');
					expect(error?.description).toMatch(/to avoid a second run/);
					expect(await sandbox.count(START)).toBe(1);
					expect(await sandbox.server.runs(robotId)).toEqual([]);
				},
				60_000,
			);

			it('a run that does not appear in time is not started again by Retry On Fail', async () => {
				const robotId = await newRobot(sandbox);
				const late = {
					kind: 'delay',
					milliseconds: 4_000,
					method: 'POST',
					path: '/runs$',
				} as const;
				await sandbox.control.fault(late);
				const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
				const options = { waitFor: 2 / 60 };
				await own.runAndWait(robotId, { options }, { node });
				expect(await sandbox.count(START)).toBe(1);
				// Otherwise the run would start during a later test, and take as long as the runs of that test.
				await sandbox.server.startedRun(robotId);
			});

			it.each<[string, Partial<Fault>]>([
				['the page of a proxy', { kind: 'body', status: 200, body: '<html>Please sign in</html>' }],
				['an empty response', { kind: 'body', status: 200, body: '' }],
				['a cut response', { kind: 'truncate' }],
			])('a run whose start is answered with %s is found and not restarted', async (_, fault) => {
				const robotId = await newRobot(sandbox);
				const start = { method: 'POST', path: '/runs$', kind: 'body', before: false } as const;
				await sandbox.control.fault({ ...start, contentType: 'text/html', ...fault });
				await survives(robotId);
			});

			it('no run starts if the robot does not exist', async () => {
				const { error } = await own.runAndWait('missing');
				expect(error).toMatchObject({ httpCode: '404' });
				expect(error?.message).toContain("robot 'missing'");
				expect(await sandbox.count(START)).toBe(0);
			});
		});

		describe('a run that does not succeed', () => {
			it('a failed run ends the node with an error', async () => {
				const { error } = await failed(own);
				expect(error?.message).toMatch(/^Run \S+ of robot 'Missing page' ended with status failed/);
				expect(await sandbox.count(START)).toBe(1);
			});

			it('a failed run is returned if the options say so', async () => {
				const { items, error } = await own.runAndWait(DEMO.failing, {
					options: { onFailure: 'return' },
				});
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ robotId: DEMO.failing, status: 'failed' });
			});

			it('an aborted run has a different error', async () => {
				await sandbox.control.settings({ runSeconds: 20 });
				const robotId = await newRobot(sandbox, { name: `Aborted ${form}` });
				const running = own.runAndWait(robotId);
				await sandbox.control.abortRun(await sandbox.server.startedRun(robotId));
				const { error } = await running;
				expect(error?.message).toMatch(/ended with status aborted/);
				expect(await sandbox.count(START)).toBe(1);
			});

			it('the timeout ends the wait, and the error mentions the active run', async () => {
				await sandbox.control.settings({ runSeconds: 60 });
				const robotId = await newRobot(sandbox, { name: `Too slow ${form}` });
				const { error } = await own.runAndWait(robotId, { options: { waitFor: 0.1 } });
				expect(error?.message).toMatch(/did not end within \S+ minutes? \(status: running\)/);
				expect(error?.description).toMatch(/Timeout \(Minutes\)/);
				for (const { runId } of await sandbox.server.runs(robotId))
					await sandbox.control.abortRun(String(runId));
			});
		});

		it('the error says if the run could be one that somebody else started at the same time', async () => {
			await sandbox.control.settings({
				runSeconds: 8,
				selfHostedCutAfterSeconds: 4,
				selfHostedSlots: 5,
			});
			const robotId = await newRobot(sandbox, { name: `Of two ${form}` });
			const running = own.runAndWait(robotId);
			await sandbox.server.startedRun(robotId);
			startElsewhere(robotId);
			const { error } = await running;
			expect(error?.message).toMatch(/^A run of robot \S+ may have started/);
			for (const { runId } of await sandbox.server.runs(robotId)) {
				expect(error?.description).toContain(String(runId));
				await sandbox.control.abortRun(String(runId));
			}
			expect(await sandbox.count(START)).toBe(1);
		});

		it('items run one after another, each after the previous one has ended', async () => {
			await sandbox.control.settings({ runSeconds: 1.5 });
			const ids = [
				await newRobot(sandbox, { name: `First ${form}` }),
				await newRobot(sandbox, { name: `Second ${form}` }),
			];
			const { items, error } = await own.run(
				'run',
				'runAndWait',
				{ output: 'simplified', robotId: locator('={{ $json.id }}'), options: NO_PAUSE },
				{
					items: ids.map((id) => ({ id })),
					credentials: sandbox.serverCredentials({ timezone: 'UTC' }),
				},
			);
			expect(error).toBeUndefined();
			expect(items[0]?.map(({ json }) => json.robotId)).toEqual(ids);
			expect(items[0]?.map(pairedIndex)).toEqual([0, 1]);
			const [first, second] = items[0]?.map(({ json }) => json) ?? [];
			expect(Date.parse(String(second?.startedAt))).toBeGreaterThanOrEqual(
				Date.parse(String(first?.finishedAt)),
			);
		});

		it('the configured pause comes before the start', async () => {
			const began = Date.now();
			await own.runAndWait(DEMO.products, { options: { delayBeforeStart: 2 } });
			const start = (await sandbox.sent()).find(({ method }) => method === 'POST');
			expect(Date.parse(start?.at ?? '') - began).toBeGreaterThanOrEqual(2000);
		});

		it('canceling the execution ends it at once', async () => {
			await sandbox.control.settings({ runSeconds: 60 });
			const robotId = await newRobot(sandbox, { name: `Canceled ${form}` });
			const began = performance.now();
			const { run } = await own.runAndWait(robotId, {}, { signal: AbortSignal.timeout(1500) });
			expect(performance.now() - began).toBeLessThan(1500 + AT_ONCE);
			expect(run.status).not.toBe('success');
			for (const { runId } of await sandbox.server.runs(robotId))
				await sandbox.control.abortRun(String(runId));
		});

		if (form === 'observed') {
			it('a start is retried until a slot is free', async () => {
				await sandbox.control.settings({ selfHostedSlots: 1, runSeconds: 4 });
				const other = await newRobot(sandbox, { name: 'In the way' });
				const robotId = await newRobot(sandbox, { name: 'Waits for a slot' });
				startElsewhere(other);
				await sandbox.server.startedRun(other);
				const { items, error } = await own.runAndWait(robotId);
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
				expect(await sandbox.count(START)).toBeGreaterThan(1);
				expect(await sandbox.server.runs(robotId)).toHaveLength(1);
			});

			it('the error says if no slot was free in time', async () => {
				await sandbox.control.settings({ selfHostedSlots: 1, runSeconds: 20 });
				const other = await newRobot(sandbox, { name: 'In the way for long' });
				startElsewhere(other);
				const runId = await sandbox.server.startedRun(other);
				const { error } = await own.runAndWait(DEMO.products, { options: { waitFor: 0.05 } });
				await sandbox.control.abortRun(runId);
				expect(error?.message).toBe(`Robot ${DEMO.products} was not started within 0.05 minutes`);
				expect(error?.description).toMatch(/busy/);
			});
		}
	});
}
