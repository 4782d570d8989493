import { NodeOperationError } from 'n8n-workflow';
import type { IRunExecutionData } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { execute, type ExecuteOptions } from '../helpers/engine/index.mts';
import { newExecutionData } from '../helpers/engine/execution-data.mts';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { warnings } from './support/warnings.mts';

const TEN_MINUTES = 10 * 60_000;

const sandbox = useSandbox();
let minutesPassed = 0;
beforeEach(async () => {
	await sandbox.control.settings({ slots: 5, runSeconds: 0.05 });
	// Each test searches, although an earlier one has.
	minutesPassed += TEN_MINUTES;
	const now = Date.now.bind(Date);
	vi.spyOn(Date, 'now').mockImplementation(() => now() + minutesPassed);
});
afterEach(async () => {
	vi.restoreAllMocks();
	await sandbox.control.clearFaults();
	await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
	for (const { id } of await robotsLeft()) await sandbox.owner.delete(`/robots/${id}`);
});

const robotsLeft = async () => (await sandbox.owner.get('/robots?q=n8n&limit=100')).list;
const namesLeft = async () => (await robotsLeft()).map(({ name }) => name);
const searches = async () => await sandbox.count(/^GET \/robots\?q=n8n&/);

const running = (): IRunExecutionData => newExecutionData([]);

/** The data of an execution that n8n found killed when it started again. */
function crashed(): IRunExecutionData {
	const data = running();
	const node = {
		name: 'Maxun',
		type: 'maxun',
		typeVersion: 1,
		position: [0, 0] as [number, number],
	};
	data.resultData.error = new NodeOperationError(
		{ id: 'node', parameters: {}, ...node },
		'Workflow did not finish, possible out-of-memory issue',
	);
	return data;
}

/** Runs a robot on a page, in an execution of that ID. */
async function run(executionId: string, options: Partial<ExecuteOptions> = {}) {
	return await execute({
		parameters: maxun('run', 'runOnUrls', {
			robotId: locator(await newProductRobot(sandbox)),
			urls: productUrl(sandbox, 1),
		}),
		credentials: sandbox.credentials(),
		executionId,
		...options,
	});
}

/** A copy that remained when n8n was killed during that execution. @returns its name */
async function leave(executionId: string, options: Partial<ExecuteOptions> = {}): Promise<string> {
	await sandbox.control.clear();
	const { error } = await run(executionId, options);
	expect(error).toBeUndefined();
	const [{ body } = { body: {} }] = (await sandbox.sent()).filter(({ path }) =>
		path.endsWith('/duplicate'),
	);
	const { name } = Object(body);
	await sandbox.owner.post('/robots/scrape', {
		url: productUrl(sandbox, 2),
		name,
		formats: ['text'],
	});
	await sandbox.control.clear();
	minutesPassed += TEN_MINUTES;
	return name;
}

/** A database in which the current execution is `2`. */
const database = (others: Record<string, IRunExecutionData>) => (id: string) =>
	id === '2' ? running() : others[id];

describe('temporary robots of an execution that was killed', () => {
	it('a later execution deletes them if the execution has crashed', async () => {
		await leave('1');
		const { error } = await run('2', { stored: database({ 1: crashed() }) });
		expect(error).toBeUndefined();
		expect(await namesLeft()).toEqual([]);
	});

	it('a later execution deletes them if n8n has deleted the execution', async () => {
		await leave('1');
		await run('2', { stored: database({}) });
		expect(await namesLeft()).toEqual([]);
	});

	it('an execution that n8n does not return leaves the search to the next one', async () => {
		await leave('1');
		await run('2', { stored: () => undefined });
		expect(await namesLeft()).toHaveLength(1);
		await run('2', { stored: database({ 1: crashed() }) });
		expect(await namesLeft()).toEqual([]);
	});

	it('a later execution cancels their runs', async () => {
		await leave('1');
		const [robot] = await robotsLeft();
		await sandbox.control.settings({ runSeconds: 600 });
		await sandbox.owner.post(`/robots/${String(robot?.id)}/runs`, {});
		await sandbox.control.settings({ runSeconds: 0.05 });
		await run('2', { stored: database({ 1: crashed() }) });
		expect(await namesLeft()).toEqual([]);
		expect(await sandbox.owner.activeRuns()).toEqual([]);
	});
});

describe('robots that are not left over', () => {
	it('those of an execution that runs or is paused remain', async () => {
		const name = await leave('1');
		await run('2', { stored: database({ 1: running() }) });
		expect(await namesLeft()).toEqual([name]);
	});

	it('those of another n8n remain', async () => {
		const name = await leave('1', { origin: 'http://other.invalid' });
		await run('2', { stored: database({ 1: crashed() }) });
		expect(await namesLeft()).toEqual([name]);
	});

	it('those that the user keeps or has named remain', async () => {
		const name = await leave('1');
		const mine = name.replace('n8n', 'My');
		await sandbox.owner.patch(`/robots/${String((await robotsLeft())[0]?.id)}`, { name: mine });
		const kept = await execute({
			parameters: maxun('web', 'scrape', {
				url: productUrl(sandbox, 1),
				formats: ['text'],
				options: { keepRobot: true },
			}),
			credentials: sandbox.credentials(),
			executionId: '1',
		});
		expect(kept.error).toBeUndefined();
		const [keptName] = await namesLeft();
		await run('2', { stored: database({ 1: crashed() }) });
		expect(await namesLeft()).toEqual([keptName]);
		expect((await sandbox.owner.get('/robots?q=My')).list.map((robot) => robot.name)).toEqual([
			mine,
		]);
	});

	it.each<[string, (id: string) => IRunExecutionData | undefined]>([
		[
			'cannot read executions',
			() => {
				throw new Error('not available');
			},
		],
		['does not find the current execution', () => undefined],
		['says that the current execution has crashed', () => crashed()],
	])('nothing is deleted if n8n %s', async (_, stored) => {
		const name = await leave('1');
		const { error } = await run('2', { stored });
		expect(error).toBeUndefined();
		expect(await namesLeft()).toEqual([name]);
		expect(await searches()).toBe(0);
	});
});

describe('the search', () => {
	it('happens once in ten minutes', async () => {
		const name = await leave('1');
		await run('2', { stored: database({ 1: running() }) });
		const stored = database({ 1: crashed() });
		await run('2', { stored });
		expect(await searches()).toBe(1);
		expect(await namesLeft()).toEqual([name]);
		minutesPassed += TEN_MINUTES;
		await run('2', { stored });
		expect(await searches()).toBe(2);
		expect(await namesLeft()).toEqual([]);
	});

	it('does not stop the execution if Maxun fails', async () => {
		const name = await leave('1');
		await sandbox.control.fault({
			kind: 'status',
			method: 'GET',
			path: '^/robots$',
			status: 403,
			times: 1,
		});
		const logged = warnings();
		const { error } = await run('2', { stored: database({ 1: crashed() }) });
		expect(error).toBeUndefined();
		expect(await namesLeft()).toEqual([name]);
		expect(logged).toEqual([expect.stringContaining('could not be listed')]);
	});

	it('nothing is created if the execution is cancelled while n8n reads executions', async () => {
		const controller = new AbortController();
		const stored = () => {
			controller.abort();
			return undefined;
		};
		await run('2', { signal: controller.signal, stored });
		await until('the end of the node', 20_000, () => controller.signal.aborted || undefined);
		await sleep(1_000);
		expect(await sandbox.count(/duplicate$/)).toBe(0);
	});
});
