import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DEMO } from '../../sandbox/index.mts';
import { pairedIndex } from '../support/operations.mts';
import { locator } from '../support/parameters.mts';
import type { World } from '../support/sandbox.mts';
import { AT_ONCE, describeForm, type Form, type SelfHosted } from '../support/self-hosted.mts';

const START = /^POST \/robots\/[^/]+\/runs$/;

/** Ends a run that fails on its own page, so that the server's answer is its undifferentiated 500. */
const failed = (own: SelfHosted) => own.runAndWait(DEMO.failing);

/** What running a robot and waiting for it does on a self-hosted server of that form. */
export function describeRunAndWait(world: World, form: Form): void {
	describeForm(world, form, (own) => {
		describe('a run', () => {
			test('gives the data of the robot, in the shape that the cloud gives', async () => {
				const { items, error } = await own.runAndWait(DEMO.products, { output: 'rows' });
				expect(error).toBeUndefined();
				expect(items[0]?.length).toBeGreaterThanOrEqual(8);
				const rows = items[0]?.filter(({ json }) => 'Product' in json) ?? [];
				expect(rows.length).toBeGreaterThanOrEqual(8);
				expect(new Set(items[0]?.map(pairedIndex))).toEqual(new Set([0]));
				expect(await own.count(START)).toBe(1);
			});

			test('is started without a body, after a look at the runs there are', async () => {
				await own.runAndWait();
				const sent = await world.sent();
				const [look, start] = sent;
				expect(look).toMatchObject({ method: 'GET', path: `/robots/${DEMO.products}/runs` });
				expect(start).toMatchObject({ method: 'POST', path: `/robots/${DEMO.products}/runs` });
				expect(JSON.stringify(start?.body ?? {})).toBe('{}');
			});

			test('that goes on is found and then asked for by its id', async () => {
				await world.control.settings({ runSeconds: 5 });
				const robotId = await own.newRobot(`Slow one ${form}`);
				const { items, error } = await own.runAndWait(robotId);
				expect(error).toBeUndefined();
				const id = String(items[0]?.[0]?.json.id);
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId, hasData: true });
				const lines = await own.lines();
				expect(lines.filter((line) => START.test(line))).toHaveLength(1);
				expect(lines.at(-1)).toBe(`GET /robots/${robotId}/runs/${id}`);
				expect(lines.filter((line) => line === `GET /robots/${robotId}/runs`).length).toBeLessThan(
					5,
				);
			});

			test('of a server that answers at once works as well', async () => {
				await world.control.settings({ selfHostedAnswersAtOnce: true, runSeconds: 2 });
				const { items, error } = await own.runAndWait();
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success' });
				expect(await own.count(START)).toBe(1);
				expect(await own.runsOf(DEMO.products)).toContainEqual(
					expect.objectContaining({ runId: items[0]?.[0]?.json.id }),
				);
			});

			test('outlives a connection that is cut, and is started once', async () => {
				await world.control.settings({ selfHostedCutAfterSeconds: 1.5, runSeconds: 6 });
				const robotId = await own.newRobot(`Behind a proxy ${form}`);
				const { items, error } = await own.runAndWait(robotId);
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
				expect(await own.count(START)).toBe(1);
				expect(await own.runsOf(robotId)).toHaveLength(1);
			});

			test('outlives a connection that is cut before the run is seen', async () => {
				await world.control.settings({ selfHostedCutAfterSeconds: 0.2, runSeconds: 4 });
				const robotId = await own.newRobot(`Behind a hasty proxy ${form}`);
				const { items, error } = await own.runAndWait(robotId);
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
				expect(await own.runsOf(robotId)).toHaveLength(1);
			});

			test('whose start is lost in a gateway is looked for, and not started again', async () => {
				const robotId = await own.newRobot(`Lost ${form}`);
				await world.control.fault({
					kind: 'status',
					method: 'POST',
					status: 504,
					body: '<html>Gateway Timeout</html>',
					contentType: 'text/html',
					before: true,
				});
				const { error } = await own.runAndWait(robotId);
				expect(error?.message).toContain('It is not known whether');
				expect(error?.description).toMatch(/does not run twice/);
				expect(await own.count(START)).toBe(1);
				expect(await own.runsOf(robotId)).toEqual([]);
			}, 40_000);

			test('is not started for a robot that is not there', async () => {
				const { error } = await own.runAndWait('missing');
				expect(error).toMatchObject({ httpCode: '404' });
				expect(error?.message).toContain("robot 'missing'");
				expect(await own.count(START)).toBe(0);
			});
		});

		describe('an end that was not hoped for', () => {
			test('a failed run is told as such', async () => {
				const { error } = await failed(own);
				expect(error?.message).toMatch(/^Run \S+ of robot 'Missing page' ended as failed/);
				expect(await own.count(START)).toBe(1);
			});

			test('a failed run is returned on demand', async () => {
				const { items, error } = await own.runAndWait(DEMO.failing, { onFailure: 'return' });
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ robotId: DEMO.failing, status: 'failed' });
			});

			test('an aborted run is told from a failed one', async () => {
				await world.control.settings({ runSeconds: 20 });
				const robotId = await own.newRobot(`Aborted ${form}`);
				const running = own.runAndWait(robotId);
				await world.control.abortRun(await startedRun(own, robotId));
				const { error } = await running;
				expect(error?.message).toMatch(/ended as aborted/);
				expect(await own.count(START)).toBe(1);
			});

			test('the time limit ends the waiting and says what goes on', async () => {
				await world.control.settings({ runSeconds: 10 });
				const robotId = await own.newRobot(`Too slow ${form}`);
				const { error } = await own.runAndWait(robotId, { waitFor: 0.1 });
				expect(error?.message).toMatch(/is not over after \d+ s \(status: running\)/);
				expect(error?.description).toMatch(/Wait For/);
				for (const { runId } of await own.runsOf(robotId))
					await world.control.abortRun(String(runId));
			});
		});

		test('runs that somebody else starts at the same moment are told apart, or said not to be', async () => {
			await world.control.settings({
				runSeconds: 8,
				selfHostedCutAfterSeconds: 4,
				selfHostedSlots: 5,
			});
			const robotId = await own.newRobot(`Of two ${form}`);
			const running = own.runAndWait(robotId);
			await startedRun(own, robotId);
			void fetch(`${world.sandbox.url}/api/robots/${robotId}/runs`, {
				method: 'POST',
				headers: { 'x-api-key': world.sandbox.keys.owner, 'x-test': 'direct' },
			}).catch(() => 'cut');
			const { error } = await running;
			expect(error?.message).toMatch(/cannot be told which run/);
			for (const { runId } of await own.runsOf(robotId)) {
				expect(error?.description).toContain(String(runId));
				await world.control.abortRun(String(runId));
			}
			expect(await own.count(START)).toBe(1);
		});

		test('items run one after another, each started when the one before has ended', async () => {
			await world.control.settings({ runSeconds: 1.5 });
			const ids = [await own.newRobot(`First ${form}`), await own.newRobot(`Second ${form}`)];
			const { items, error } = await own.run(
				'run',
				'runAndWait',
				{ robotId: locator('={{ $json.id }}'), options: AT_ONCE },
				{ items: ids.map((id) => ({ id })), credentials: own.credentials({ timezone: 'UTC' }) },
			);
			expect(error).toBeUndefined();
			expect(items[0]?.map(({ json }) => json.robotId)).toEqual(ids);
			expect(items[0]?.map(pairedIndex)).toEqual([0, 1]);
			const [first, second] = items[0]?.map(({ json }) => json) ?? [];
			expect(Date.parse(String(second?.startedAt))).toBeGreaterThanOrEqual(
				Date.parse(String(first?.finishedAt)),
			);
		});

		test('a pause lies before the start', async () => {
			const began = Date.now();
			await own.runAndWait(DEMO.products, { options: { pauseBeforeStart: 2 } });
			const start = (await world.sent()).find(({ method }) => method === 'POST');
			expect(Date.parse(start?.at ?? '') - began).toBeGreaterThanOrEqual(2000);
		});

		test('cancelling the execution ends it at once', async () => {
			await world.control.settings({ runSeconds: 8 });
			const robotId = await own.newRobot(`Cancelled ${form}`);
			const began = performance.now();
			const { run } = await own.runAndWait(robotId, {}, { signal: AbortSignal.timeout(1500) });
			expect(performance.now() - began).toBeLessThan(3000);
			expect(run.status).not.toBe('success');
			for (const { runId } of await own.runsOf(robotId))
				await world.control.abortRun(String(runId));
		});

		if (form === 'observed') {
			test('a start that found no free slot is made again when there is one', async () => {
				await world.control.settings({ selfHostedSlots: 1, runSeconds: 4 });
				const other = await own.newRobot('In the way');
				const robotId = await own.newRobot('Waits for a slot');
				void own.ask(`/robots/${other}/runs`, { method: 'POST' });
				await startedRun(own, other);
				const { items, error } = await own.runAndWait(robotId);
				expect(error).toBeUndefined();
				expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
				expect(await own.count(START)).toBeGreaterThan(1);
				expect(await own.runsOf(robotId)).toHaveLength(1);
			});

			test('a start that finds no slot in time says so', async () => {
				await world.control.settings({ selfHostedSlots: 0 });
				const { error } = await own.runAndWait(DEMO.products, { waitFor: 0.05 });
				expect(error?.message).toBe(`The server has not started robot ${DEMO.products}`);
				expect(error?.description).toMatch(/busy/);
			});
		}
	});
}

/** The run of the robot that is under way; waits for it. */
async function startedRun(own: SelfHosted, robotId: string): Promise<string> {
	for (let attempt = 0; attempt < 60; attempt++) {
		const [run] = await own.runsOf(robotId);
		if (run) return String(run.runId);
		await sleep(50);
	}
	throw new Error('No run was started');
}
