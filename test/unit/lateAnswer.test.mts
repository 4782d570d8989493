import { sleep, type IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/api/fault';
import type { Call } from '../../nodes/Maxun/api/request';
import type { WaitSettings } from '../../nodes/Maxun/core/operation';
import { runOnOwnServer } from '../../nodes/Maxun/runs/selfHosted';
import { fakeApi } from './fakeApi.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const REFUSED = new MaxunFault('Your server could not do this (status 500)', 'Its log tells more', {
	status: 500,
	transient: true,
});
const CUT = new MaxunFault('Maxun could not be reached', 'The connection was cut', {
	transient: true,
	uncertain: true,
});

/** A server that answers a start as the test says, and whose list of runs is the test's. */
class Server {
	readonly runs: IDataObject[] = [];
	/** When starts came, in seconds since the beginning. */
	readonly starts: number[] = [];
	private readonly began = Date.now();

	constructor(private readonly onStart: (server: Server) => Promise<unknown>) {}

	readonly api = fakeApi(async ({ method, path }) => {
		if (method !== 'POST') {
			const id = path.split('/runs/')[1];
			return id ? this.runs.find((run) => run.id === id) : [...this.runs];
		}
		this.starts.push(Math.round((Date.now() - this.began) / 1000));
		return await this.onStart(this);
	});

	/** Runs the robot, and lets time pass until that has come to an end. */
	async run(settings: Partial<WaitSettings> = {}, robotId = 'r1', settle = 0) {
		const all: WaitSettings = {
			waitFor: 1,
			onTimeout: 'error',
			onFailure: 'return',
			output: 'simplified',
			downloadScreenshots: false,
			...settings,
		};
		return await runOnOwnServer(this.api, robotId, all, settle).then(
			(items) => items.map(({ json }) => json),
			(fault: unknown) => {
				if (fault instanceof MaxunFault) return fault;
				throw fault;
			},
		);
	}

	readonly add = (id: string, status: string): void => {
		this.runs.push({ id, robotId: 'r1', status, source: 'api' });
	};
}

const never = async () => await new Promise<never>(() => {});

/** The outcome, after so much time has passed. */
async function after<T>(milliseconds: number, outcome: Promise<T>): Promise<T> {
	const settled = outcome.then((value) => ({ value }));
	await vi.advanceTimersByTimeAsync(milliseconds);
	const early = await Promise.race([settled, Promise.resolve(undefined)]);
	if (!early) throw new Error(`Nothing came of it in ${milliseconds / 1000} s`);
	return early.value;
}

describe('a start whose turn comes when its time is up', () => {
	test.each(['error', 'return'] as const)('is not made: %s', async (onTimeout) => {
		const server = new Server(never);
		const first = server.run({ waitFor: 0.5 });
		const second = server.run({ waitFor: 0.4, onTimeout }, 'r2');
		const outcome = await after(2 * MINUTE, second);
		await first;
		expect(server.starts).toEqual([0]);
		if (onTimeout === 'return') {
			expect(outcome).toEqual([
				expect.objectContaining({ robotId: 'r2', status: 'not started', timedOut: true }),
			]);
		} else {
			expect(outcome).toMatchObject({
				message: expect.stringMatching(/^Robot r2 was not started/),
			});
		}
	});

	test('nor when it comes while the server is let to rest', async () => {
		const server = new Server(never);
		expect(await after(MINUTE, server.run({ waitFor: 0.1 }, 'r1', 10_000))).toMatchObject({
			message: expect.stringMatching(/was not started/),
		});
		expect(server.starts).toEqual([]);
	});
});

describe('a server that never answers', () => {
	test('lets other starts go on after a minute', async () => {
		const server = new Server(never);
		const first = server.run({ waitFor: 10 });
		const second = server.run({ waitFor: 10 }, 'r2');
		await after(11 * MINUTE, Promise.all([first, second]));
		expect(server.starts).toHaveLength(2);
		expect(server.starts[1]).toBeGreaterThanOrEqual(60);
		expect(server.starts[1]).toBeLessThan(75);
	});

	test('but shows one new run at the very end: it is ours', async () => {
		const server = new Server(never);
		const running = server.run({ onTimeout: 'return' });
		await vi.advanceTimersByTimeAsync(0.99 * MINUTE);
		server.add('late', 'running');
		expect(await after(MINUTE, running)).toEqual([
			expect.objectContaining({ id: 'late', status: 'running', timedOut: true }),
		]);
	});

	describe.each([0, 2])('and shows %i new runs', (count) => {
		const server = () =>
			new Server(async ({ add }) => {
				for (let index = 0; index < count; index++) add(`run${index}`, 'running');
				return await never();
			});

		test('is a time-out that is told', async () => {
			expect(await after(2 * MINUTE, server().run())).toBeInstanceOf(MaxunFault);
		});

		test('is a time-out that is returned', async () => {
			expect(await after(2 * MINUTE, server().run({ onTimeout: 'return' }))).toEqual([
				{ robotId: 'r1', status: 'unknown', timedOut: true, note: expect.any(String) },
			]);
		});
	});
});

describe('a start that is answered with the one failure that stands for all', () => {
	/** A server on which runs in these states have appeared by then. */
	const refusing = (...states: string[]) =>
		new Server(async ({ add }) => {
			states.forEach((status, index) => add(`run${index}`, status));
			throw REFUSED;
		});

	test.each(['success', 'failed', 'aborted'])('and whose run is there as %s', async (status) => {
		const server = refusing(status);
		expect(await after(MINUTE, server.run())).toEqual([
			expect.objectContaining({ id: 'run0', status }),
		]);
		expect(server.starts).toHaveLength(1);
	});

	test('and whose run ends a moment later', async () => {
		const server = refusing('running');
		const running = server.run();
		await vi.advanceTimersByTimeAsync(2500);
		Object.assign(server.runs[0] ?? {}, { status: 'success' });
		expect(await after(MINUTE, running)).toEqual([
			expect.objectContaining({ id: 'run0', status: 'success' }),
		]);
	});

	test('while a new run goes on: nobody can tell, and nothing is started again', async () => {
		const server = refusing('queued');
		const fault = await after(MINUTE, server.run());
		expect(fault).toMatchObject({
			message: 'It is not known whether robot r1 was started',
			description: expect.stringContaining('run0 (queued)'),
		});
		expect(server.starts).toHaveLength(1);
	});

	test('and two runs have ended: nobody can tell', async () => {
		const server = refusing('failed', 'aborted');
		expect(await after(MINUTE, server.run())).toMatchObject({
			message: expect.stringMatching(/cannot be told which run/),
		});
	});

	test('while its runs cannot be listed: it is not started again', async () => {
		const server = refusing();
		const { api } = server;
		let looks = 0;
		const { call } = api;
		const failing: Call = async (request, answer) => {
			if (request.method === 'GET' && looks++ > 0) throw CUT;
			return await call(request, answer);
		};
		Object.assign(api, { call: failing });
		expect(await after(MINUTE, server.run())).toMatchObject({
			message: 'It is not known whether robot r1 was started',
		});
		expect(server.starts).toHaveLength(1);
	});

	test('and made no run: it is started again', async () => {
		const server = new Server(async ({ starts, add }) => {
			if (starts.length === 1) throw REFUSED;
			add('ours', 'success');
			return { id: 'ours', status: 'success' };
		});
		expect(await after(MINUTE, server.run())).toEqual([expect.objectContaining({ id: 'ours' })]);
		expect(server.starts).toHaveLength(2);
	});
});

describe('that n8n keeps the execution running meanwhile', () => {
	const answering = (seconds: number) =>
		new Server(async () => {
			await sleep(seconds * 1000);
			return { id: 'ours', status: 'success' };
		});

	test('is told after as long as executions are paused elsewhere', async () => {
		const server = answering(21);
		await after(MINUTE, server.run());
		expect(server.api.hints).toEqual([
			expect.stringMatching(/kept this execution running .* self-hosted servers cannot wake it/),
		]);
	});

	test('is not told before', async () => {
		const server = answering(19);
		await after(MINUTE, server.run());
		expect(server.api.hints).toEqual([]);
	});
});
