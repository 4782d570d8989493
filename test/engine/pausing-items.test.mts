import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { locator, maxun } from '../helpers/parameters.mts';
import { newRobot, robotsLeft } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';
import { moveDate } from '../helpers/engine/time.mts';
import { PATIENCE, until } from '../helpers/until.mts';

const MINUTE = 60_000;

const paused = usePausing();
const { sandbox, startHost, pause, passTime } = paused;

describe('stored data that becomes unreadable during a pause', () => {
	function failOnce(credentials: ReturnType<typeof sandbox.credentials>, failure: Error): void {
		const values = credentials.maxunCloudApi;
		let looks = 0;
		Object.defineProperty(credentials, 'maxunCloudApi', {
			get: () => {
				if (++looks > 1) return values;
				throw failure;
			},
		});
	}

	it.each([
		['is read again', new Error('Connection terminated unexpectedly'), 'success'],
		['fails the item at once if it is gone', new UserError('It does not exist'), 'error'],
	])('a credential that n8n cannot read after a pause %s', async (_, failure, status) => {
		const credentials = sandbox.credentials();
		const execution = await pause([{ robotId: await newRobot(sandbox) }], {}, { credentials });
		failOnce(credentials, failure);
		await paused.finishAndResume(execution);
		expect(await paused.end(execution)).toMatchObject({ status });
		expect(await sandbox.starts()).toBe(1);
	});

	it('a credential that is deleted while the node polls ends the wait', async () => {
		const credentials = sandbox.credentials();
		await startHost({ options: { pauseAfter: 600 } }, { credentials });
		const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
		await until('a poll', PATIENCE, async () => (await sandbox.count(/active/)) > 0);
		const gone = (): never => {
			throw new UserError('It does not exist');
		};
		Object.defineProperty(credentials, 'maxunCloudApi', { get: gone });
		expect((await paused.end(execution)).error).toMatchObject({
			message: expect.stringContaining('n8n could not use the credential'),
			description: expect.stringContaining('It does not exist'),
		});
	});

	const changeState = (execution: string) =>
		paused.host.changePause(execution, ({ state }) =>
			Object.assign(Object(state), { states: 'of another version' }),
		);
	const changePause = (execution: string) =>
		paused.host.changePause(execution, (pause) => delete pause.source);

	it.each([
		['state', false, changeState],
		['state', true, changeState],
		['pause', false, changePause],
	])(
		'a stored %s that cannot be read fails the node, and no run starts again (Retry On Fail: %s)',
		async (_, retryOnFail, change) => {
			const node = { retryOnFail, waitBetweenTries: 1 };
			const execution = await pause([{ robotId: await newRobot(sandbox) }], {}, { node });
			change(execution);
			await sandbox.control.clear();
			paused.host.resumeByTimer(execution);
			const { error } = await paused.end(execution);
			expect(error?.message).toBe('The stored state of this execution could not be read');
			expect(error?.description).toContain('Use Run: Get Many to find them');
			expect(await sandbox.lines()).toEqual([]);
		},
	);

	it('an item whose URLs changed during the pause causes an error that says so, and keeps the robots of its unread runs', async () => {
		await sandbox.control.settings({ runSeconds: 600 });
		const limit = Date.now() + 6000;
		const page = `${sandbox.siteUrl}/products?page=`;
		const urls = `={{ Date.now() < ${limit} ? '${page}1 ${page}2' : '${page}1' }}`;
		const robotId = locator(await newRobot(sandbox));
		const parameters = maxun('run', 'runOnUrls', { robotId, urls, options: { pauseAfter: 1 } });
		const node = { onError: 'continueErrorOutput' } as const;
		const execution = await pause([{}], {}, { parameters, node });
		await sleep(limit - Date.now());
		await passTime(execution);
		const { items, failed } = await paused.end(execution);
		expect(items).toEqual([]);
		const changed = { json: { error: expect.stringMatching(/settings of this item changed/) } };
		expect(failed).toMatchObject([changed, changed]);
		expect(await robotsLeft(sandbox)).toHaveLength(2);
	});

	it('the error names an option that is wrong after the pause, and the robots that remain', async () => {
		await sandbox.control.settings({ runSeconds: 600 });
		const limit = Date.now() + 6000;
		const timeoutMinutes = `={{ Date.now() < ${limit} ? 60 : 'soon' }}`;
		const url = `={{ '${sandbox.siteUrl}/products?item=' + $itemIndex }}`;
		const options = { pauseAfter: 1, timeoutMinutes };
		const parameters = maxun('web', 'scrape', { url, formats: ['text'], options });
		const execution = await pause([{}, {}], {}, { parameters });
		await sleep(limit - Date.now());
		await passTime(execution);
		const { error } = await paused.end(execution);
		expect(error?.message).toBe("'Timeout (Minutes)' must be a number");
		const left = await robotsLeft(sandbox);
		expect(left).toHaveLength(2);
		for (const robotId of left) expect(error?.description).toContain(robotId);
	});
});

it('an item with little time left does not prevent the others from pausing', async () => {
	const timeoutMinutes = '={{ $json.timeoutMinutes }}';
	const [hasty, patient] = [await newRobot(sandbox), await newRobot(sandbox)];
	const items = [
		{ robotId: hasty, timeoutMinutes: 0.1 },
		{ robotId: patient, timeoutMinutes: 60 },
	];
	const options = { pauseAfter: 1, timeoutMinutes, onTimeout: 'return' };
	const execution = await pause(items, { options });
	for (const id of await sandbox.owner.activeRuns())
		await sandbox.control.patchRun(id, { status: 'success' });
	await passTime(execution);
	expect((await paused.end(execution)).json).toEqual([
		expect.objectContaining({ robotId: hasty, timedOut: true }),
		expect.objectContaining({ robotId: patient, status: 'success' }),
	]);
});

describe('an execution pauses', () => {
	it('after ten minutes of work, although runs keep ending', async () => {
		const limits = { options: { pauseAfter: 3600, timeoutMinutes: 600 } };
		const robots = [await newRobot(sandbox), await newRobot(sandbox), await newRobot(sandbox)];
		await startHost(limits);
		const execution = paused.host.start(robots.map((robotId) => ({ robotId })));
		const active = async (count: number) =>
			await until('the runs', PATIENCE, async () => {
				const runs = await sandbox.owner.activeRuns();
				return runs.length === count ? runs : undefined;
			});
		const [first = '', second = ''] = await active(3);
		moveDate(9 * MINUTE);
		await sandbox.control.finishRun(first);
		await active(2);
		expect(paused.host.of(execution)).toMatchObject({ status: 'running' });
		moveDate(2 * MINUTE);
		await paused.host.reaches(execution, ['waiting']);
		await sandbox.control.finishRun(second);
		await paused.finishAndResume(execution);
		expect((await paused.end(execution)).json).toHaveLength(3);
		expect(await sandbox.starts()).toBe(3);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'also in the second attempt of Retry On Fail (On Error: %s)',
		async (onError) => {
			const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1, onError };
			await startHost({}, { node });
			const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
			await sandbox.control.patchRun(await sandbox.owner.startedRun(), { status: 'failed' });
			await paused.host.reaches(execution, ['waiting']);
			await paused.finishAndResume(execution);
			expect((await paused.end(execution)).json).toMatchObject([{ status: 'success' }]);
			expect(await sandbox.starts()).toBe(2);
		},
	);

	it('while Maxun builds an agent', async () => {
		await sandbox.control.settings({ agentBuildSeconds: 600 });
		const options = { pauseAfter: 1 };
		const url = `${sandbox.siteUrl}/products`;
		const parameters = maxun('web', 'extract', { prompt: 'Get the prices', url, options });
		await pause([{}], {}, { parameters });
		expect(await sandbox.starts()).toBe(0);
		expect(await sandbox.count(/^POST \/agents$/)).toBe(1);
	});
});
