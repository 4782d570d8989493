import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from '../sandbox/index.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { newRobot, productUrl } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';
import { usePausing } from './support/pausing.mts';

const { sandbox, ...operations } = useOperations({ settings: { slots: 5, runSeconds: 0.05 } });

let robotId = '';
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});

const creditsLeft = async () => Number((await sandbox.owner.get('/usage')).data.credits);

async function run(
	minCredits: unknown,
	{ operation = 'runAndWait', ...setup }: Partial<ExecuteOptions> & { operation?: string } = {},
) {
	const options: INodeParameters = JSON.parse(JSON.stringify({ minCredits }));
	return await operations.run('run', operation, { robotId: locator(robotId), options }, setup);
}

const usageRequests = async () => await sandbox.count(/^GET \/usage$/);
const starts = async () => await sandbox.count(/^POST /);

describe('Min Credits', () => {
	it('does not start any runs if there are fewer credits, after one request for all items', async () => {
		const left = await creditsLeft();
		const { error } = await run(left + 1, { items: [{}, {}, {}] });
		expect(error?.message).toBe(`Only ${left} credits are left in the Maxun account`);
		expect(error?.description).toBe(
			`The node doesn't start any runs if fewer than ${left + 1} are left. Add credits in the Maxun dashboard, or reduce 'Min Credits'`,
		);
		expect(error).toMatchObject({ failure: { cause: 'quota-exhausted' } });
		expect(await sandbox.lines()).toEqual(['GET /usage']);
	});

	it('starts the runs if there are enough credits, and a hint says how many were used', async () => {
		const left = await creditsLeft();
		const { hints, json } = succeeded(await run(left, { items: [{}, {}] }));
		expect(json).toHaveLength(2);
		expect(hints).toEqual([
			`The account used 2 credits during this execution, including credits for other runs. ${left - 2} credits are left`,
		]);
		expect((await sandbox.lines()).at(0)).toBe('GET /usage');
		expect(await usageRequests()).toBe(2);
	});

	it('applies even to a start without waiting', async () => {
		const { error } = await run((await creditsLeft()) + 1, { operation: 'start' });
		expect(error?.message).toMatch(/^Only \d+ credits are left/);
		expect(await starts()).toBe(0);
	});

	it('does not send a request if it is 0 or missing', async () => {
		for (const minimum of [0, undefined]) expect((await run(minimum)).hints).toEqual([]);
		expect(await usageRequests()).toBe(0);
	});

	it("checks the team's credits", async () => {
		await run((await creditsLeft()) + 100_000, {
			credentials: sandbox.credentials({ apiKey: KEYS.owner, teamId: TEAM_ID }),
		});
		expect((await sandbox.sent())[0]).toMatchObject({
			path: '/usage',
			headers: { 'x-team-id': TEAM_ID },
		});
	});

	it('does not start any runs if Maxun does not say how many credits are left', async () => {
		const body = { success: true, data: { plan: 'FREE' } };
		await sandbox.control.fault({ kind: 'body', path: '/usage$', body });
		const { error } = await run(1);
		expect(error?.message).toBe('Maxun did not return the number of credits');
		expect(await starts()).toBe(0);
	});

	it('comes from the first item with valid options', async () => {
		const options = { teamId: '={{ $json.team }}', minCredits: 1_000_000_000 };
		const parameters = { robotId: locator(robotId), options };
		const items = [{ team: 'no team' }, { team: '' }];
		const node = { onError: 'continueRegularOutput' } as const;
		succeeded(await operations.run('run', 'runAndWait', parameters, { items, node }));
		expect(await starts()).toBe(0);
	});

	it('the node succeeds even if it cannot read the credits afterwards', async () => {
		await sandbox.control.settings({ runSeconds: 1 });
		const running = run(1);
		await expect.poll(starts).toBe(1);
		await sandbox.respond(500, 'GET /usage$');
		expect(await running).toMatchObject({ error: undefined, hints: [] });
	});

	it("a manual execution with the last run's data does not send a request", async () => {
		await sandbox.control.runs({ robotId, run: { data: { markdown: '# A' } } });
		const options = { minCredits: 100_000, useLastRun: true };
		await operations.succeed('run', 'runAndWait', { robotId: locator(robotId), options });
		expect(await usageRequests()).toBe(0);
	});
});

describe('Max Runs per Execution', () => {
	const setUrls = async (count: number, runLimit: number) => {
		const ids = Array.from({ length: count }, (_, index) => index + 1);
		const items = [0, count].map((from) => ({
			urls: ids.map((id) => productUrl(sandbox, from + id)),
		}));
		const urls = '={{ $json.urls }}';
		const parameters = { robotId: locator(robotId), urls, options: { runLimit } };
		return await operations.run('run', 'runOnUrls', parameters, { items });
	};

	it('applies to all items together, before the first request', async () => {
		const { error } = await setUrls(3, 5);
		expect(error?.message).toBe("The node would start 6 runs, and 'Max Runs per Execution' is 5");
		expect(error?.description).toBe(
			"It didn't start any runs. Process fewer items or URLs, or increase 'Max Runs per Execution'",
		);
		expect(await sandbox.sent()).toEqual([]);
	});

	it('allows exactly that many runs', async () => {
		const { json } = succeeded(await setUrls(2, 4));
		expect(json).toHaveLength(4);
	});

	it('applies even to starts without waiting', async () => {
		const options = { runLimit: 1 };
		const parameters = { robotId: locator(robotId), options };
		const items = [{}, {}];
		const { error } = await operations.run('run', 'start', parameters, { items });
		expect(error?.message).toBe("The node would start 2 runs, and 'Max Runs per Execution' is 1");
		expect(await sandbox.sent()).toEqual([]);
	});
});

describe('further attempts of Retry On Fail', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const attempts = async (options: INodeParameters, robots: string[]) => {
		const parameters = { robotId: locator('={{ $json.robotId }}'), options };
		const items = robots.map((id) => ({ robotId: id }));
		return await operations.run('run', 'runAndWait', parameters, { items, node: RETRY });
	};

	it('do not check the minimum again, and the hint counts the credits of all attempts', async () => {
		const other = await newRobot(sandbox);
		await sandbox.respond(403, `POST /robots/${other}/runs$`, { times: 2 });
		const options = { minCredits: await creditsLeft() };
		const { json, hints } = succeeded(await attempts(options, [robotId, other]));
		expect(json).toHaveLength(2);
		expect(hints).toEqual([expect.stringMatching(/^The account used 2 credits/)]);
		expect(await usageRequests()).toBe(2);
	});

	it('start no more runs than Max Runs per Execution, and the error says why a run failed', async () => {
		const { error } = await attempts({ runLimit: 3 }, [robotId, DEMO.failing, DEMO.failing]);
		expect(await starts()).toBe(3);
		expect(error?.message).toMatch(/ended with status failed/);
		expect(error?.description).toContain(
			"The node would start 2 more runs, and 'Max Runs per Execution' is 3. It has started 3 runs",
		);
	});

	it('may start as many runs as are left', async () => {
		await attempts({ runLimit: 4 }, [robotId, DEMO.failing]);
		expect(await starts()).toBe(4);
	});
});

describe('after a pause', () => {
	const paused = usePausing(sandbox);

	it('the credits are not checked again, but a hint says how many were used', async () => {
		const options = { pauseAfter: 1, minCredits: 1 };
		const execution = await paused.pause([{ robotId }], { options });
		await paused.finishAndResume(execution);
		await paused.end(execution);
		expect(await usageRequests()).toBe(2);
		expect(paused.host.hints(execution)).toContainEqual(
			expect.stringMatching(/^The account used 1 credit during this execution/),
		);
	});

	it('a further attempt starts no more runs than Max Runs per Execution', async () => {
		const onError = 'continueRegularOutput' as const;
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1, onError };
		const items = [{ robotId }, { robotId: DEMO.failing }];
		const options = { pauseAfter: 1, runLimit: 2 };
		const execution = await paused.pause(items, { options }, { node });
		await paused.finishAndResume(execution);
		const [done, failed] = (await paused.end(execution)).json;
		expect(await starts()).toBe(2);
		expect(done?.status).toBe('success');
		expect(failed?.message).toContain("'Max Runs per Execution' is 2. It has started 2 runs");
	});
});
