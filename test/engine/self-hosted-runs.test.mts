import { beforeEach, describe, expect, it } from 'vitest';
import { newRecorded, newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForm, NO_PAUSE } from './support/self-hosted.mts';
import { succeeded } from './support/details.mts';

const sandbox = useSandbox();

describeForm(sandbox, 'observed', (own) => {
	// Runs of earlier tests don't matter.
	beforeEach(async () => await sandbox.control.settings({ selfHostedSlots: 50 }));

	const { succeed } = own;

	describe('starting a run', () => {
		it('output formats and questions apply to this run only', async () => {
			const id = await newRobot(sandbox, { url: `${sandbox.siteUrl}/articles` });
			const options = { formats: ['text', 'links'], smartQueries: 'Which oil?' };
			const [run] = await succeed('run', 'start', { robotId: locator(id), options });
			expect(run).toMatchObject({ id: expect.any(String), robotId: id });
			const start = (await sandbox.sent()).find(({ method }) => method === 'POST');
			expect(start).toMatchObject({
				path: `/robots/${id}/runs`,
				body: { formats: ['text', 'links'], promptInstructions: 'Which oil?' },
			});
		});

		it('a start waits for a free browser instead of failing', async () => {
			await sandbox.control.settings({ runSeconds: 1.5, selfHostedSlots: 2 });
			const ids = [await newRobot(sandbox), await newRobot(sandbox), await newRobot(sandbox)];
			const parameters = { robotId: locator('={{ $json.id }}') };
			const runs = await succeed('run', 'start', parameters, { items: ids.map((id) => ({ id })) });
			expect(runs.map(({ robotId }) => robotId)).toEqual(ids);
			for (const id of ids) {
				const { body } = await sandbox.server.get(`/robots/${id}/runs`);
				expect(Object(body).runs.totalCount).toBe(1);
			}
		});
	});

	describe('reading a run', () => {
		it('a run with rows does not need a second request', async () => {
			const id = await newRecorded(sandbox, { teamId: '' });
			const run = { data: { listData: [{ Product: 'Desk' }] } };
			const [runId = ''] = await sandbox.control.runs({ robotId: id, run });
			const ids = { robotId: locator(id), runId: locator(runId) };
			expect(await succeed('run', 'get', { ...ids, output: 'rows' })).toHaveLength(1);
			expect(await sandbox.lines()).toEqual([`GET /robots/${id}/runs/${runId}`]);
		});

		it('screenshots are files, even while the file store is down', async () => {
			const id = await newRobot(sandbox, {
				formats: ['screenshot-visible', 'screenshot-fullpage'],
			});
			for (const selfHostedFileStoreDown of [false, true]) {
				await sandbox.control.settings({ selfHostedFileStoreDown });
				const parameters = { output: 'rows', options: { downloadScreenshots: true } };
				const [item] = (await own.runAndWait(id, parameters)).rows;
				expect(item?.json.screenshotError).toBeUndefined();
				expect(Object.keys(item?.binary ?? {})).toEqual(['screenshot', 'screenshot_2']);
			}
		});
	});

	it('a run is canceled once', async () => {
		await sandbox.control.settings({ runSeconds: 30 });
		const id = await newRobot(sandbox);
		const robotId = locator(id);
		const [started] = await succeed('run', 'start', { robotId });
		const runId = locator(String(started?.id));
		await sandbox.control.clear();
		const [canceled] = await succeed('run', 'cancel', { robotId, runId });
		expect(canceled).toEqual({
			id: started?.id,
			robotId: id,
			status: 'aborted',
			canceled: true,
		});
		const path = `/sdk/robots/${id}/runs/${String(started?.id)}`;
		expect(await sandbox.lines()).toEqual([`GET ${path}`, `POST ${path}/abort`]);
		const again = await own.run('run', 'cancel', { robotId, runId });
		expect(again.error?.message).toBe('Maxun could not cancel the run');
	});

	describe('a run that is canceled early does not block a browser', () => {
		const settings = { runSeconds: 60, selfHostedSlots: 1, selfHostedTimezone: 'Asia/Kathmandu' };
		const browserStartsIn = async (seconds: number) =>
			await sandbox.control.settings({ ...settings, selfHostedAbortLosesSlotSeconds: seconds });
		// Browsers of earlier tests may still be running.
		beforeEach(async () => {
			const { runs } = Object(await sandbox.control.state());
			for (const { id } of runs) await sandbox.control.finishRun(id);
		});

		/** Ends a canceled run's browser, and expects that another run can start. */
		const expectFreeSlot = async (robotId: string) => {
			const [run] = await sandbox.server.runs(robotId);
			await sandbox.control.finishRun(String(run?.runId));
			await sandbox.control.settings({ runSeconds: 0.1 });
			succeeded(await own.runAndWait(robotId, { options: { timeoutMinutes: 0.2 } }));
		};
		const startAndCancel = async (id: string) => {
			const robotId = locator(id);
			const [started] = await succeed('run', 'start', { robotId });
			const runId = locator(String(started?.id));
			return await succeed('run', 'cancel', { robotId, runId });
		};

		it('because the node waits until the log shows that the browser has started', async () => {
			await browserStartsIn(5);
			const id = await newRobot(sandbox);
			expect(await startAndCancel(id)).toMatchObject([{ status: 'aborted', canceled: true }]);
			await expectFreeSlot(id);
		});

		it('because without a log, the node waits until the run is ten seconds old', async () => {
			await browserStartsIn(8);
			const id = await newRecorded(sandbox, { teamId: '' });
			expect(await startAndCancel(id)).toMatchObject([{ status: 'aborted', canceled: true }]);
			await expectFreeSlot(id);
		});

		it('with Cancel on Timeout', async () => {
			await browserStartsIn(5);
			const id = await newRobot(sandbox);
			const options = { timeoutMinutes: 0.04, cancelOnTimeout: true, onTimeout: 'return' };
			const { json } = await own.runAndWait(id, { options });
			expect(json).toMatchObject([{ timedOut: true, note: 'It was canceled' }]);
			await expectFreeSlot(id);
		});

		const scrape = async (timeoutMinutes: number, signal?: AbortSignal) => {
			const url = `${sandbox.siteUrl}/products`;
			const options = { ...NO_PAUSE, timeoutMinutes };
			return await own.run('web', 'scrape', { url, formats: ['markdown'], options }, { signal });
		};

		it('on a temporary robot', async () => {
			await browserStartsIn(5);
			const { error } = await scrape(0.04);
			expect(error?.message).toContain('did not end within');
			await sandbox.control.settings({ runSeconds: 0.1 });
			const options = { timeoutMinutes: 0.2 };
			expect((await own.runAndWait(await newRobot(sandbox), { options })).error).toBeUndefined();
		});

		it('in a canceled execution, and its temporary robot is then deleted', async () => {
			await browserStartsIn(30);
			const controller = new AbortController();
			const running = scrape(5, controller.signal);
			await until('the run', 20_000, async () => (await sandbox.count(/^GET .*runs\/./)) > 0);
			controller.abort();
			await running;
			await until('its deletion', 20_000, async () => (await sandbox.count(/^DELETE/)) > 0);
			expect(await sandbox.count(/abort$/)).toBe(1);
		});
	});
});
