import { randomUUID } from 'node:crypto';
import { sleep, type IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import type { ApiRequest } from '../../nodes/Maxun/http/request';
import { startAndFind } from '../../nodes/Maxun/servers/selfHosted/startRun';
import { StartTimedOut } from '../../nodes/Maxun/servers/startTimedOut';
import type { ServerConnection, StartOptions } from '../../nodes/Maxun/servers/types';
import { verbsOf } from '../../nodes/Maxun/servers/verbs';
import { after, never } from './fakeTime.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const REFUSED = new MaxunFault('Your server returned status 500', 'Check its log', {
	status: 500,
	transient: true,
});
const CUT_OFF = new MaxunFault('n8n could not connect to Maxun', 'The connection was closed', {
	transient: true,
	uncertain: true,
});

/** A server that responds to a start as the test says, and whose list of runs is the test's. */
class Server {
	readonly runs: IDataObject[] = [];
	/** When starts came, in seconds since the beginning. */
	readonly starts: number[] = [];
	/** Whether the list of runs can't be read any more. */
	isSilent = false;
	/** Whether an execution that uses the server was cancelled. */
	isCancelled = false;
	private readonly began = Date.now();

	constructor(private readonly onStart: (server: Server) => Promise<unknown>) {}

	readonly connection: ServerConnection = {
		concurrency: 10,
		baseUrl: `https://${randomUUID()}.example/api`,
		...verbsOf(async (request, schema) => schema.parse(await this.respond(request))),
		sleep: async (milliseconds) => await sleep(Math.max(milliseconds, 0)),
		throwIfCancelled: () => {
			if (this.isCancelled) throw new Error('The execution was cancelled');
		},
		within: () => this.connection,
		until: () => this.connection,
	};

	/** Starts the robot. @returns the run that was found, or the fault */
	async start(minutes = 1, robotId = 'r1', options: StartOptions = {}) {
		const until = Date.now() + minutes * MINUTE;
		return await startAndFind(this.connection, robotId, { until, ...options }).catch(
			(fault: unknown) => {
				if (fault instanceof MaxunFault) return fault;
				throw fault;
			},
		);
	}

	readonly add = (id: string, status: string): void => {
		this.runs.push({ id, robotId: 'r1', status, source: 'api' });
	};

	private async respond({ method }: ApiRequest): Promise<unknown> {
		if (method === 'GET') {
			if (this.isSilent) throw CUT_OFF;
			return [...this.runs];
		}
		this.starts.push(Math.round((Date.now() - this.began) / 1000));
		return await this.onStart(this);
	}
}

describe('a start', () => {
	it('is not sent if its turn comes after its deadline', async () => {
		const server = new Server(never);
		const first = server.start(0.5);
		const second = server.start(0.4, 'r2');
		const outcome = await after(2 * MINUTE, second);
		await first;
		expect(server.starts).toEqual([0]);
		expect(outcome).toBeInstanceOf(StartTimedOut);
		expect(outcome).toMatchObject({
			robotId: 'r2',
			runStatus: 'not started',
			message: expect.stringMatching(/^Robot r2 was not started/),
		});
	});

	it('is not sent if its time ends during the pause before it', async () => {
		const server = new Server(never);
		expect(await after(MINUTE, server.start(0.1, 'r1', { delay: 10_000 }))).toMatchObject({
			runStatus: 'not started',
			message: expect.stringMatching(/was not started/),
		});
		expect(server.starts).toEqual([]);
	});

	it('is sent after the pause that comes before it', async () => {
		const server = new Server(async () => ({ id: 'ours', status: 'success' }));
		expect(await after(MINUTE, server.start(1, 'r1', { delay: 10_000 }))).toMatchObject({
			id: 'ours',
		});
		expect(server.starts).toEqual([10]);
	});

	it('is not sent if the execution was cancelled before its turn', async () => {
		const server = new Server(never);
		server.isCancelled = true;
		await expect(server.start()).rejects.toThrow('The execution was cancelled');
		expect(server.starts).toEqual([]);
	});
});

describe('a server that never responds to a start', () => {
	it('lets the next start continue after a minute', async () => {
		const server = new Server(never);
		const first = server.start(10);
		const second = server.start(10, 'r2');
		await after(11 * MINUTE, Promise.all([first, second]));
		expect(server.starts).toHaveLength(2);
		expect(server.starts[1]).toBeGreaterThanOrEqual(60);
		expect(server.starts[1]).toBeLessThan(75);
	});

	it('has started the only new run, even if it appears at the last moment', async () => {
		const server = new Server(never);
		const starting = server.start();
		await vi.advanceTimersByTimeAsync(0.99 * MINUTE);
		server.add('late', 'running');
		expect(await after(MINUTE, starting)).toMatchObject({ id: 'late', status: 'running' });
	});

	it.each([0, 2])('leads to a timeout if it lists %i new runs', async (count) => {
		const server = new Server(async ({ add }) => {
			for (let index = 0; index < count; index++) add(`run${index}`, 'running');
			return await never();
		});
		const outcome = await after(2 * MINUTE, server.start());
		expect(outcome).toBeInstanceOf(StartTimedOut);
		expect(outcome).toMatchObject({ robotId: 'r1', runStatus: 'unknown' });
		expect(server.starts).toHaveLength(1);
	});
});

describe('a start that the server refuses with its only error', () => {
	/** A server on which runs with these statuses have appeared by then. */
	const refusing = (...statuses: string[]) =>
		new Server(async ({ add }) => {
			statuses.forEach((status, index) => add(`run${index}`, status));
			throw REFUSED;
		});

	it.each(['success', 'failed', 'aborted'])(
		'has created the new run that ended as %s',
		async (status) => {
			const server = refusing(status);
			expect(await after(MINUTE, server.start())).toMatchObject({ id: 'run0', status });
			expect(server.starts).toHaveLength(1);
		},
	);

	it('has created the new run that ends a moment later', async () => {
		const server = refusing('running');
		const starting = server.start();
		await vi.advanceTimersByTimeAsync(2500);
		Object.assign(server.runs[0] ?? {}, { status: 'success' });
		expect(await after(MINUTE, starting)).toMatchObject({ id: 'run0', status: 'success' });
	});

	it('is not repeated while a new run is active, because it may belong to another client', async () => {
		const server = refusing('queued');
		const fault = await after(MINUTE, server.start());
		expect(fault).toMatchObject({
			message: 'Robot r1 may have been started',
			description: expect.stringContaining('run0 (queued)'),
		});
		expect(server.starts).toHaveLength(1);
	});

	it('is reported if two new runs have ended, because either may be ours', async () => {
		const server = refusing('failed', 'aborted');
		expect(await after(MINUTE, server.start())).toMatchObject({
			message: 'Several new runs of robot r1 were found',
			description: expect.stringContaining('run0 (failed), run1 (aborted)'),
		});
		expect(server.starts).toHaveLength(1);
	});

	it("is not repeated if the robot's runs can't be read", async () => {
		const server = new Server(async (own) => {
			own.isSilent = true;
			throw REFUSED;
		});
		expect(await after(MINUTE, server.start())).toMatchObject({
			message: 'Robot r1 may have been started',
		});
		expect(server.starts).toHaveLength(1);
	});

	it('is repeated if it has created no run', async () => {
		const server = new Server(async ({ starts, add }) => {
			if (starts.length === 1) throw REFUSED;
			add('ours', 'success');
			return { id: 'ours', status: 'success' };
		});
		expect(await after(MINUTE, server.start())).toMatchObject({ id: 'ours' });
		expect(server.starts).toHaveLength(2);
	});

	it('is a timeout if the server creates no run in time', async () => {
		const server = new Server(async () => {
			throw REFUSED;
		});
		const outcome = await after(2 * MINUTE, server.start());
		expect(outcome).toBeInstanceOf(StartTimedOut);
		expect(outcome).toMatchObject({
			runStatus: 'not started',
			message: 'The server did not start robot r1',
		});
		expect(server.starts.length).toBeGreaterThan(1);
	});
});

describe('a start whose response is lost', () => {
	it('has created the new run that appears', async () => {
		const server = new Server(async ({ add }) => {
			setTimeout(() => add('ours', 'running'), 5000);
			throw CUT_OFF;
		});
		expect(await after(MINUTE, server.start())).toMatchObject({ id: 'ours' });
		expect(server.starts).toHaveLength(1);
	});

	it('is reported and not repeated if no new run appears', async () => {
		const server = new Server(async () => {
			throw CUT_OFF;
		});
		expect(await after(MINUTE, server.start())).toMatchObject({
			message: 'Robot r1 may have been started',
		});
		expect(server.starts).toHaveLength(1);
	});
});
