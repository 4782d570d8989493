import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ItemOutput } from '../../nodes/Maxun/engine/itemOutput';
import { Options } from '../../nodes/Maxun/engine/options';
import { runTasks } from '../../nodes/Maxun/engine/runTasks';
import type { Task } from '../../nodes/Maxun/engine/tasks';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { runAndWait } from '../../nodes/Maxun/operations/run/runAndWait';
import { Copies } from '../../nodes/Maxun/runs/duplicates';
import { PendingRuns } from '../../nodes/Maxun/runs/pendingRuns';
import { resultOf } from '../../nodes/Maxun/runs/runResult';
import { startRun } from '../../nodes/Maxun/runs/start';
import type { Notices, WaitSettings } from '../../nodes/Maxun/runs/types';
import { fakeServer, type FakeResponse, type SentRequest } from './fakeServer.mts';
import { after, never } from './fakeTime.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const REFUSAL: FakeResponse = {
	status: 500,
	body: { statusCode: 500, messageCode: 'error', message: 'Failed to run robot' },
};

const unexpected = async () => await Promise.reject(new Error('The test does not expect this'));

/** The output of one item. Keeps a fault instead of failing the node. */
class OneItem extends ItemOutput {
	fault?: MaxunFault;

	constructor() {
		const context: IExecuteFunctions = Object.assign(Object.create(null), {
			getInputData: () => [{ json: {} }],
		});
		super(context, [], false);
	}

	override async attempt<T>(_itemIndex: number, work: () => Promise<T>): Promise<T | undefined> {
		return await work().catch((fault: unknown) => {
			if (!(fault instanceof MaxunFault)) throw fault;
			this.fault = fault;
			return undefined;
		});
	}
}

/** A self-hosted server that responds to a start as the test says, and whose list of runs is the test's. */
class Server {
	readonly runs: IDataObject[] = [];
	/** When starts came, in seconds since the beginning. */
	readonly starts: number[] = [];
	/** The runs that were read by their ID. */
	readonly read: string[] = [];
	readonly hints: string[] = [];
	private readonly began = Date.now();
	private readonly maxun = fakeServer('selfHosted', async (request) => await this.respond(request));

	constructor(private readonly onStart: (server: Server) => Promise<FakeResponse>) {}

	/** Runs the robot and waits for the run. @returns the items, or the fault */
	async run(changes: Partial<WaitSettings> = {}, robotId = 'r1', delay = 0) {
		const settings: WaitSettings = {
			waitFor: 1,
			onTimeout: 'error',
			onFailure: 'return',
			output: 'simplified',
			downloadScreenshots: false,
			...changes,
		};
		const notices: Notices = {
			hint: (message) => void this.hints.push(message),
			remains: (message) => void this.hints.push(message),
		};
		const output = new OneItem();
		const runs = new PendingRuns(
			async (run, outcome) =>
				await output.write(run.itemIndex, async () => await resultOf(run, outcome)),
			notices,
		);
		const task: Task = {
			itemIndex: 0,
			options: Options.parse({}).options,
			context: {
				maxun: await this.maxun,
				concurrency: 5,
				timezone: 'UTC',
				item: {},
				document: unexpected,
				toBinary: unexpected,
				copies: new Copies(notices),
				owner: { nameOf: (what) => what, deleteAbandoned: unexpected },
				noData: unexpected,
				leaves: unexpected,
				...notices,
			},
			job: {
				settings,
				start: async ({ maxun }) => {
					const until = Date.now() + settings.waitFor * MINUTE;
					return await startRun(maxun, 'robot', robotId, { until, delay });
				},
			},
		};
		await runTasks([task], runAndWait, runs, output);
		expect(runs.size).toBe(0);
		return output.fault ?? output.items.flat().map(({ json }) => json);
	}

	readonly add = (runId: string, status: string): void => {
		this.runs.push({ runId, robotId: 'r1', status, source: 'api', data: {} });
	};

	private async respond({ method, path }: SentRequest): Promise<FakeResponse> {
		if (method === 'GET') {
			const runId = path.split('/runs/')[1];
			// An earlier version, which lacks these routes.
			if (path.startsWith('/sdk/')) return { status: 404, body: 'Cannot GET' };
			if (!runId) return { body: { statusCode: 200, runs: { items: [...this.runs] } } };
			this.read.push(runId);
			const run = this.runs.find((candidate) => candidate.runId === runId);
			return run ? { body: { run } } : { status: 404, body: { messageCode: 'not_found' } };
		}
		this.starts.push(Math.round((Date.now() - this.began) / 1000));
		return await this.onStart(this);
	}
}

describe('an item whose turn comes after its deadline', () => {
	/** The outcome of an item that waits for the turn of another one. */
	async function second(onTimeout: 'error' | 'return') {
		const server = new Server(never);
		const first = server.run({ waitFor: 0.5 });
		const outcome = await after(2 * MINUTE, server.run({ waitFor: 0.4, onTimeout }, 'r2'));
		await first;
		expect(server.starts).toEqual([0]);
		return outcome;
	}

	it('fails if On Timeout is an error', async () => {
		expect(await second('error')).toMatchObject({
			message: expect.stringMatching(/^Robot r2 was not started/),
		});
	});

	it('returns that the robot was not started if On Timeout returns the run', async () => {
		expect(await second('return')).toEqual([
			expect.objectContaining({ robotId: 'r2', status: 'not started', timedOut: true }),
		]);
	});

	it('also fails if its time ends during the pause before the start', async () => {
		const server = new Server(never);
		expect(await after(MINUTE, server.run({ waitFor: 0.1 }, 'r1', 10_000))).toMatchObject({
			message: expect.stringMatching(/was not started/),
		});
		expect(server.starts).toEqual([]);
	});
});

describe('a server that never responds to a start', () => {
	it('lets the items of other executions continue after a minute', async () => {
		const server = new Server(never);
		const first = server.run({ waitFor: 10 });
		const second = server.run({ waitFor: 10 }, 'r2');
		await after(11 * MINUTE, Promise.all([first, second]));
		expect(server.starts).toHaveLength(2);
		expect(server.starts[1]).toBeGreaterThanOrEqual(60);
		expect(server.starts[1]).toBeLessThan(75);
	});

	it('leads to a timeout of a run that appears at the last moment', async () => {
		const server = new Server(never);
		const running = server.run({ onTimeout: 'return' });
		await vi.advanceTimersByTimeAsync(0.99 * MINUTE);
		server.add('late', 'running');
		expect(await after(MINUTE, running)).toEqual([
			expect.objectContaining({ id: 'late', status: 'running', timedOut: true }),
		]);
	});

	describe.each([0, 2])('and lists %i new runs', (count) => {
		const server = () =>
			new Server(async ({ add }) => {
				for (let index = 0; index < count; index++) add(`run${index}`, 'running');
				return await never();
			});

		it('causes a fault if On Timeout is an error', async () => {
			expect(await after(2 * MINUTE, server().run())).toBeInstanceOf(MaxunFault);
		});

		it('leads to an item that says so if On Timeout returns the run', async () => {
			expect(await after(2 * MINUTE, server().run({ onTimeout: 'return' }))).toEqual([
				{ robotId: 'r1', status: 'unknown', timedOut: true, note: expect.any(String) },
			]);
		});
	});
});

describe('a start that the server refuses with its only error', () => {
	/** A server on which runs with these statuses have appeared by then. */
	const refusing = (...statuses: string[]) =>
		new Server(async ({ add }) => {
			statuses.forEach((status, index) => add(`run${index}`, status));
			return REFUSAL;
		});

	it.each(['success', 'failed', 'aborted'])(
		'returns the item of the new run that ended as %s, without reading it again',
		async (status) => {
			const server = refusing(status);
			expect(await after(MINUTE, server.run())).toEqual([
				expect.objectContaining({ id: 'run0', status }),
			]);
			expect(server.starts).toHaveLength(1);
			expect(server.read).toEqual([]);
		},
	);

	it('returns the item of the new run that ends a moment later', async () => {
		const server = refusing('running');
		const running = server.run();
		await vi.advanceTimersByTimeAsync(2500);
		Object.assign(server.runs[0] ?? {}, { status: 'success' });
		expect(await after(MINUTE, running)).toEqual([
			expect.objectContaining({ id: 'run0', status: 'success' }),
		]);
	});

	it('fails the item while a new run is active, and is not repeated', async () => {
		const server = refusing('queued');
		expect(await after(MINUTE, server.run())).toMatchObject({
			message: 'Robot r1 may have been started',
			description: expect.stringContaining('run0 (queued)'),
		});
		expect(server.starts).toHaveLength(1);
	});

	it('fails the item if two new runs have ended', async () => {
		expect(await after(MINUTE, refusing('failed', 'aborted').run())).toMatchObject({
			message: expect.stringMatching(/^Several new runs of robot r1/),
		});
	});

	it('is repeated if it has created no run', async () => {
		const server = new Server(async ({ starts, add, runs }) => {
			if (starts.length === 1) return REFUSAL;
			add('ours', 'success');
			return { body: { run: runs[0] } };
		});
		expect(await after(MINUTE, server.run())).toEqual([expect.objectContaining({ id: 'ours' })]);
		expect(server.starts).toHaveLength(2);
	});
});

describe('a run that has ended when the server responds to the start', () => {
	/** A server that responds after so many seconds, when the run has ended. */
	const respondingAfter = (seconds: number) =>
		new Server(async () => {
			await sleep(seconds * 1000);
			return { body: { run: { runId: 'ours', status: 'success', data: {} } } };
		});

	it('returns its item at once, without another request', async () => {
		const server = respondingAfter(3);
		expect(await after(3100, server.run())).toEqual([expect.objectContaining({ id: 'ours' })]);
		expect(server.read).toEqual([]);
	});
});
