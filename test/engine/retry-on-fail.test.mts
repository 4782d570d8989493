import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { executeAsTool, TOOL_NODE, type ExecuteOptions } from '../helpers/engine/index.mts';
import { newProductRobot, newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';
import { pairedIndex } from './support/operations.mts';
import { usePausing } from './support/pausing.mts';

const { sandbox, run } = useOperations();
const paused = usePausing(sandbox);

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

beforeEach(async () => await sandbox.control.settings({ runSeconds: 0.3 }));

const runAll = async (
	robots: string[],
	{ node, ...options }: Partial<ExecuteOptions> = {},
	parameters: INodeParameters = {},
) =>
	await run(
		'run',
		'runAndWait',
		{ output: 'simplified', robotId: locator('={{ $json.robotId }}'), ...parameters },
		{ items: robots.map((robotId) => ({ robotId })), node: { ...RETRY, ...node }, ...options },
	);

const newRobots = async () => [
	await newRobot(sandbox),
	await newRobot(sandbox),
	await newRobot(sandbox),
];

async function starts(robots: string[]): Promise<number[]> {
	const lines = await sandbox.lines();
	return robots.map((id) => lines.filter((line) => line === `POST /robots/${id}/runs`).length);
}

const refuse = async (request: string, times: number) =>
	await sandbox.respond(403, request, { times });

describe('a retry', () => {
	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'starts only items that failed (On Error: %s)',
		async (onError) => {
			const robots = await newRobots();
			await refuse(`POST /robots/${robots[0]}/runs$`, 2);
			const { rows, json, failed } = succeeded(await runAll(robots, { node: { onError } }));
			expect(failed).toEqual([]);
			expect(json).toMatchObject(robots.map((robotId) => ({ robotId, status: 'success' })));
			expect(rows.map(pairedIndex)).toEqual([0, 1, 2]);
			expect(await starts(robots)).toEqual([3, 1, 1]);
		},
	);

	it('starts only failed runs again', async () => {
		const robots = [await newRobot(sandbox), DEMO.failing];
		const { error } = await runAll(robots);
		expect(error?.message).toMatch(/ended with status failed/);
		expect(await starts(robots)).toEqual([1, 3]);
	});

	it('waits again for a run that timed out', async () => {
		await sandbox.control.settings({ runSeconds: 2 });
		const robots = [await newRobot(sandbox)];
		const options = { timeoutMinutes: 1.2 / 60 };
		const { json } = succeeded(await runAll(robots, {}, { options }));
		expect(json).toMatchObject([{ status: 'success' }]);
		expect(await starts(robots)).toEqual([1]);
	});

	it('tries to read an unreadable run again', async () => {
		const robots = [await newRobot(sandbox)];
		await refuse('GET /runs/(?!active)', 1);
		const { items } = succeeded(await runAll(robots));
		expect(items[0]).toHaveLength(1);
		expect(await starts(robots)).toEqual([1]);
	});

	it('ends if Maxun has rejected every request since the first start', async () => {
		const urls = ['/products/1', '/products/2'].map((path) => sandbox.siteUrl + path).join('\n');
		const robotId = await newProductRobot(sandbox);
		await refuse('GET /runs/active$', 999);
		await sandbox.respond(403, 'POST /duplicate$', { skip: 1, times: 999 });
		const parameters = { robotId: locator(robotId), urls, options: { maxQueued: 1 } };
		const { error } = await run('run', 'runOnUrls', parameters, { node: RETRY });
		expect(error?.message).toMatch(/rejected|allow/);
		expect(await sandbox.count(/POST .*\/duplicate$/)).toBeLessThan(10);
	});

	it('ignores runs from another execution or another run of the node', async () => {
		const robots = await newRobots();
		await refuse(`POST /robots/${robots[0]}/runs$`, 1);
		const { execution } = await runAll(robots, { times: 2 });
		expect(execution.data.resultData.runData.Maxun).toHaveLength(2);
		expect(await starts(robots)).toEqual([3, 2, 2]);
		await runAll(robots);
		expect(await starts(robots)).toEqual([4, 3, 3]);
	});
});

describe('a request that may have succeeded', () => {
	const lose = async (path: string) => await sandbox.respond(504, `POST ${path}`);

	it('does not prevent other items from starting again', async () => {
		const robots = await newRobots();
		await lose(`/robots/${robots[0]}/runs$`);
		await refuse(`POST /robots/${robots[1]}/runs$`, 2);
		const node = { onError: 'continueRegularOutput' } as const;
		const { rows, json } = succeeded(await runAll(robots, { node }));
		expect(json[0]?.error).toMatch(/may have started/);
		expect(json.slice(1).map(({ status }) => status)).toEqual(['success', 'success']);
		expect(rows.map(pairedIndex)).toEqual([0, 1, 2]);
		expect(await starts(robots)).toEqual([1, 3, 1]);
	});

	it('is not retried after a pause', async () => {
		await sandbox.control.settings({ runSeconds: 600 });
		const node = { ...RETRY, onError: 'continueRegularOutput' as const };
		await paused.startHost({}, { node });
		const robots = [await newRobot(sandbox), await newRobot(sandbox)];
		await lose(`/robots/${robots[0]}/runs$`);
		const execution = paused.host.start(robots.map((robotId) => ({ robotId })));
		await paused.host.reaches(execution, ['waiting']);
		await paused.finishAndResume(execution);
		expect((await paused.end(execution)).json).toMatchObject([
			{ error: expect.stringMatching(/may have started/) },
			{ status: 'success' },
		]);
		expect(await starts(robots)).toEqual([1, 1]);
	});

	it.each(['agent', 'agent before version 3'])('is not retried for an %s', async (kind) => {
		const [robotId] = await newRobots();
		await lose(`/robots/${robotId}/runs$`);
		const given = ['run', 'runAndWait', { robotId: locator(robotId) }] as const;
		const setup = { credentials: sandbox.credentials(), node: RETRY };
		const answers =
			kind === 'agent'
				? (await run(...given, { ...setup, type: TOOL_NODE })).rows
				: await executeAsTool({ ...setup, parameters: maxun(...given) });
		const message: unknown = expect.stringMatching(/may have started/);
		expect(answers).toMatchObject([{ json: { message } }]);
		expect(await starts([robotId])).toEqual([1]);
	});

	it('creates an agent only once, even if Maxun cannot build it', async () => {
		const parameters = { prompt: 'Something impossible' };
		const { error } = await run('agent', 'create', parameters, { node: RETRY });
		expect(error?.message).toMatch(/could not build agent/);
		expect(error?.description).toMatch(/Agent \S+ remains in Maxun/);
		expect(await sandbox.count(/^POST \/agents$/)).toBe(1);
	});

	it.each([
		['run', 'start', /may have started/],
		['robot', 'createScrape', /./],
		['web', 'scrape', /may have started/],
	])('does not retry %s: %s', async (resource, operation, message) => {
		const url = `${sandbox.siteUrl}/products`;
		const [robotId] = await newRobots();
		const sent = operation === 'createScrape' ? '/robots/scrape$' : '/runs$';
		await lose(sent);
		const parameters = { robotId: locator(robotId), name: 'Once', url, formats: ['text'] };
		const { error } = await run(resource, operation, parameters, { node: RETRY });
		expect(error?.message).toMatch(message);
		expect(await sandbox.count(new RegExp(`^POST .*${sent}`))).toBe(1);
	});
});
