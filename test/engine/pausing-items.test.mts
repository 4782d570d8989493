import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { locator, maxun } from '../helpers/parameters.mts';
import { newRobot, robotsLeft } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
const { startHost, passTime } = paused;

describe('stored data that becomes unreadable during a pause', () => {
	const outcome = async (execution: string) => {
		await paused.host.reaches(execution, ['success', 'error']);
		const [items = [], errors = []] = paused.host.output(execution);
		return { items, errors: errors.map(({ json }) => String(json.error)) };
	};

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
		await startHost({}, { credentials });
		const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
		await paused.host.reaches(execution, ['waiting']);
		failOnce(credentials, failure);
		await paused.finishAndResume(execution);
		const ended = await paused.host.reaches(execution, ['success', 'error'], 30_000);
		expect(ended).toMatchObject({ status });
		expect(await sandbox.count(/^POST .*\/runs$/)).toBe(1);
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
		const { run } = await paused.host.reaches(execution, ['success', 'error'], 30_000);
		expect(run?.data.resultData.error).toMatchObject({
			message: expect.stringContaining('n8n could not use the credential'),
			description: expect.stringContaining('It does not exist'),
		});
	});

	const changeState = (execution: string) =>
		paused.host.changeState(execution, { states: 'of another version' });
	const changePause = (execution: string) =>
		paused.host.changePause(execution, (pause) => delete pause.source);

	it.each([
		['state', false, changeState],
		['state', true, changeState],
		['pause', false, changePause],
	])(
		'a stored %s that cannot be read fails the node, and no run starts again (Retry On Fail: %s)',
		async (_, retryOnFail, change) => {
			await startHost({}, { node: { retryOnFail, waitBetweenTries: 1 } });
			const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
			await paused.host.reaches(execution, ['waiting']);
			change(execution);
			await sandbox.control.clear();
			paused.host.resumeByTimer(execution);
			const { run } = await paused.host.reaches(execution, ['success', 'error']);
			const { message, description } = Object(run?.data.resultData.error);
			expect(message).toBe('The stored state of this execution could not be read');
			expect(description).toContain('Use Run: Get Many to find them');
			expect(await sandbox.lines()).toEqual([]);
		},
	);

	it('an item whose URLs changed during the pause causes an error that says so, and keeps the robots of its unread runs', async () => {
		await sandbox.control.settings({ runSeconds: 600 });
		const limit = Date.now() + 6000;
		const page = `${sandbox.siteUrl}/products?page=`;
		const urls = `={{ Date.now() < ${limit} ? '${page}1 ${page}2' : '${page}1' }}`;
		const robotId = locator(await newRobot(sandbox));
		await startHost(
			{},
			{
				parameters: maxun('run', 'runOnUrls', { robotId, urls, options: { pauseAfter: 1 } }),
				node: { onError: 'continueErrorOutput' },
			},
		);
		const execution = paused.host.start([{}]);
		await paused.host.reaches(execution, ['waiting']);
		await sleep(limit - Date.now());
		await passTime(execution);
		const { items, errors } = await outcome(execution);
		expect(items).toEqual([]);
		const changed: unknown = expect.stringMatching(/settings of this item changed/);
		expect(errors).toEqual([changed, changed]);
		expect(await robotsLeft(sandbox)).toHaveLength(2);
	});
});

it('an item with little time left does not prevent the others from pausing', async () => {
	await startHost({
		options: { pauseAfter: 1, timeoutMinutes: '={{ $json.timeoutMinutes }}', onTimeout: 'return' },
	});
	const [hasty, patient] = [await newRobot(sandbox), await newRobot(sandbox)];
	const execution = paused.host.start([
		{ robotId: hasty, timeoutMinutes: 0.1 },
		{ robotId: patient, timeoutMinutes: 60 },
	]);
	await paused.host.reaches(execution, ['waiting']);
	for (const id of await sandbox.owner.activeRuns())
		await sandbox.control.patchRun(id, { status: 'success' });
	await passTime(execution);
	await paused.host.reaches(execution, ['success', 'error']);
	expect(paused.host.output(execution)[0]?.map(({ json }) => json)).toEqual([
		expect.objectContaining({ robotId: hasty, timedOut: true }),
		expect.objectContaining({ robotId: patient, status: 'success' }),
	]);
});

describe('an execution pauses', () => {
	const waitsForRun = async () =>
		await until('a run', PATIENCE, async () => (await sandbox.owner.activeRuns())[0]);

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'in the second attempt of Retry On Fail, too (On Error: %s)',
		async (onError) => {
			const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1, onError };
			await startHost({}, { node });
			const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
			await sandbox.control.patchRun(await waitsForRun(), { status: 'failed' });
			await paused.host.reaches(execution, ['waiting']);
			await paused.finishAndResume(execution);
			await paused.host.reaches(execution, ['success']);
			expect(paused.host.output(execution)[0]).toMatchObject([{ json: { status: 'success' } }]);
			expect(await sandbox.count(/^POST .*\/runs$/)).toBe(2);
		},
	);

	it('while Maxun builds an agent', async () => {
		await sandbox.control.settings({ agentBuildSeconds: 600 });
		const options = { pauseAfter: 1 };
		const url = `${sandbox.siteUrl}/products`;
		const parameters = maxun('web', 'extract', { prompt: 'Get the prices', url, options });
		await startHost({}, { parameters });
		const execution = paused.host.start([{}]);
		await paused.host.reaches(execution, ['waiting']);
		expect(await sandbox.count(/^POST .*\/runs$/)).toBe(0);
		expect(await sandbox.count(/^POST \/agents$/)).toBe(1);
	});
});
