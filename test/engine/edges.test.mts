import { afterEach, describe, expect, it } from 'vitest';
import { newRobot, newRun, robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { operationsOn } from './support/details.mts';

// Runs and robots in rare states: not ended, failed, or rejected by the plan.

const sandbox = useSandbox({ settings: { slots: 20, runSeconds: 0.05, agentBuildSeconds: 0.1 } });
const { call, run, succeed } = operationsOn(sandbox);
const OWNER = { teamId: '' };
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

afterEach(async () => {
	await sandbox.control.clearFaults();
	await sandbox.control.settings({ runSeconds: 0.05, agentBuildSeconds: 0.1 });
	await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
	for (const id of await robotsLeft(sandbox)) await sandbox.owner.delete(`/robots/${id}`);
});

describe('Run: Get of a run that was not completed', () => {
	it.each(['running', 'failed', 'aborted'])(
		'returns the run itself with a hint: %s',
		async (status) => {
			const { runId } = await newRun(sandbox, OWNER);
			await sandbox.control.patchRun(runId, { status, error: 'The page is gone' });
			for (const output of ['rows', 'documents', 'simplified']) {
				const { json, hints } = await succeed('run', 'get', { runId: locator(runId), output });
				expect(json).toMatchObject([{ id: runId, status, error: 'The page is gone' }]);
				expect(hints).toEqual([
					expect.stringContaining(
						`${status === 'running' ? 'The run has the' : 'The run ended with'} status ${status}, so the output describes the run`,
					),
				]);
			}
		},
	);

	it('tells a model, too', async () => {
		const { runId } = await newRun(sandbox, OWNER);
		await sandbox.control.patchRun(runId, { status: 'failed', error: 'The page is gone' });
		const [item] = await call('run', 'get', { runId: locator(runId), output: 'rows' });
		expect(item).toMatchObject({ status: 'failed', error: 'The page is gone' });
	});
});

it('a plan that allows no more robots is not reported to a model as a missing permission', async () => {
	const body = { success: false, error: 'Your plan allows 10 robots. Upgrade to create more' };
	const refusal = { kind: 'status', status: 403, path: '/robots/scrape$', body } as const;
	await sandbox.control.fault({ ...refusal, method: 'POST', times: 100 });
	const parameters = { url: `${sandbox.siteUrl}/products`, formats: ['text'] };
	const [item] = await call('web', 'scrape', parameters);
	expect(item.error).toMatch(
		/Your plan allows 10 robots.*Tell the user that the credits or the limits of the Maxun plan are used up/,
	);
	expect(item.error).not.toContain('API key');
});

it('an agent that Maxun is still building runs when it is ready, after an earlier rejection', async () => {
	await sandbox.control.settings({ agentBuildSeconds: 3 });
	const prompt = { prompt: 'Get the products', url: `${sandbox.siteUrl}/products` };
	const created = await sandbox.owner.post('/agents', { ...prompt, name: 'Not ready' });
	const agentId = String(created.data.id);
	const refusal = { kind: 'status', status: 409, path: '/runs$', method: 'POST' } as const;
	await sandbox.control.fault({
		...refusal,
		times: 1,
		body: { success: false, error: 'The agent is not ready' },
	});
	const { json } = await succeed('agent', 'run', {
		agentId: locator(agentId),
		output: 'simplified',
	});
	expect(json).toMatchObject([{ status: 'success' }]);
	await sandbox.owner.delete(`/agents/${agentId}`);
});

describe('options that apply to all items', () => {
	it('come from the first item with valid options', async () => {
		const robotId = await newRobot(sandbox);
		const { error } = await run(
			'run',
			'runAndWait',
			{
				robotId: locator(robotId),
				options: { teamId: '={{ $json.team }}', minCredits: 1_000_000_000 },
			},
			{ items: [{ team: 'no team' }, { team: '' }], node: { onError: 'continueRegularOutput' } },
		);
		expect(error).toBeUndefined();
		expect(await sandbox.count(/^POST /)).toBe(0);
	});
});

it("Keep Robot with Retry On Fail keeps only the last attempt's robot", async () => {
	const { error } = await run(
		'web',
		'scrape',
		{
			url: `${sandbox.siteUrl}/missing`,
			formats: ['text'],
			options: { keepRobot: true, onFailure: 'error' },
		},
		{ node: RETRY },
	);
	expect(error?.message).toMatch(/ended with status failed/);
	expect(await sandbox.count(/^POST \/robots\/scrape$/)).toBe(3);
	expect(await robotsLeft(sandbox)).toHaveLength(1);
});
