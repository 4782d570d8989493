import { randomUUID } from 'node:crypto';
import { sleep, type IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import type { ApiRequest, ResponseSchema } from '../../nodes/Maxun/http/request';
import { Sender } from '../../nodes/Maxun/http/sender';
import { Busy } from '../../nodes/Maxun/servers/busy';
import { startAndFind } from '../../nodes/Maxun/servers/selfHosted/startRun';
import type { ServerConnection, StartOptions } from '../../nodes/Maxun/servers/types';
import { after, never } from './fakeTime.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const REFUSED = new MaxunFault('Maxun returned status 500', 'Check its log', {
	status: 500,
	isMaxuns: true,
	temporary: true,
	mayHaveHappened: true,
});
const CUT_OFF = new MaxunFault('n8n could not connect to Maxun', 'The connection was closed', {
	temporary: true,
	mayHaveHappened: true,
});
const NOT_SENT = new MaxunFault('n8n could not connect to Maxun', 'No server is running', {
	temporary: true,
	notProcessed: true,
});

/** A server with the test's response to a start and the test's list of runs. */
class Server {
	readonly runs: IDataObject[] = [];
	/** Another robot's runs. */
	readonly others: IDataObject[] = [];
	/** What the server's own record says about a run; undefined if the server has no such route. */
	settings: IDataObject | undefined = {};
	/** Other robots without runs. */
	readonly idle = Array.from({ length: 40 }, (_, index) => ({ id: `idle${index}` }));
	/** The paths of the requests for lists. */
	readonly lists: string[] = [];
	/** When starts arrived, in seconds since the beginning. */
	readonly starts: number[] = [];
	/** Whether the list of runs can't be read anymore. */
	isSilent = false;
	/** Cancels the execution that uses the server. */
	readonly canceling = new AbortController();
	readonly baseUrl = `https://${randomUUID()}.example/api`;
	private readonly began = Date.now();

	constructor(private readonly onStart: (server: Server) => Promise<unknown>) {}

	/** Starts the robot. @returns the run that was found, `Busy`, or the fault */
	async start(options: StartOptions = {}, robotId = 'r1', maxWait = 5 * MINUTE) {
		return await startAndFind(new ConnectionTo(this, maxWait), robotId, options).catch(
			(fault: unknown) => {
				if (fault instanceof MaxunFault) return fault;
				throw fault;
			},
		);
	}

	/** @param settings what the server's own record shows about this run */
	readonly add = (id: string, status: string, settings?: IDataObject): void => {
		this.runs.push({ id, robotId: 'r1', status, source: 'api', settings });
	};

	private recordOf(runId: string | undefined): IDataObject {
		if (!this.settings) throw new MaxunFault('No route', '', { status: 404, missingRoute: true });
		const run = this.runs.find(({ id }) => id === runId);
		return { interpreterSettings: run?.settings ?? this.settings };
	}

	async respond({ method, path, timeout = MINUTE }: ApiRequest): Promise<unknown> {
		if (method === 'GET') {
			if (this.isSilent) throw CUT_OFF;
			if (path.startsWith('/sdk/')) return this.recordOf(path.split('/').at(-1));
			this.lists.push(path);
			if (path === '/robots') return [{ id: 'r1' }, { id: 'other' }, ...this.idle];
			if (path.includes('idle')) return [];
			return [...(path.includes('other') ? this.others : this.runs)];
		}
		this.starts.push(Math.round((Date.now() - this.began) / 1000));
		const timeUp = sleep(timeout).then(() => {
			throw CUT_OFF;
		});
		return await Promise.race([this.onStart(this), timeUp]);
	}
}

class ConnectionTo extends Sender implements ServerConnection {
	readonly concurrency = 10;
	readonly baseUrl: string;

	constructor(
		private readonly server: Server,
		readonly maxWait: number,
	) {
		super();
		this.baseUrl = server.baseUrl;
	}

	async send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T> {
		return schema.parse(await this.server.respond(request));
	}

	async sleep(milliseconds: number): Promise<void> {
		const { signal } = this.server.canceling;
		const time = sleep(Math.max(milliseconds, 0));
		const canceled = new Promise<never>((_, reject) => {
			const cancel = () => reject(new Error('The execution was canceled'));
			if (signal.aborted) cancel();
			else signal.addEventListener('abort', cancel, { once: true });
			void time.then(() => signal.removeEventListener('abort', cancel));
		});
		await Promise.race([time, canceled]);
	}

	readonly serverTime = () => Date.now();
	readonly with = ({ maxWait = this.maxWait }) => new ConnectionTo(this.server, maxWait);
	readonly through = () => this;
}

/** A server that rejects starts while these runs of another robot are active. */
const full = (...others: string[]) => {
	const server = new Server(async () => {
		throw REFUSED;
	});
	server.others.push(...others.map((status, index) => ({ id: `other${index}`, status })));
	return server;
};

describe('a start on a server without a free browser', () => {
	it.each(['running', 'queued', 'scheduled'])(
		'is busy while another run is %s, and sends one request',
		async (status) => {
			const server = full('success', status);
			const outcome = await after(5_000, server.start());
			expect(outcome).toBeInstanceOf(Busy);
			expect(outcome).toMatchObject({
				message: 'The server did not start robot r1',
				status: 500,
				mayHaveHappened: false,
			});
			expect(server.starts).toEqual([0]);
		},
	);

	it('reads the other robots once, and then only the busy one while its run is active', async () => {
		const server = full('running');
		await after(5_000, server.start());
		server.lists.length = 0;
		await after(5_000, server.start());
		// The two lists before and the two lists after the start are its own robot's.
		expect(server.lists.filter((path) => !path.includes('/r1/'))).toEqual(['/robots/other/runs']);
		server.others.length = 0;
		expect(await after(3 * MINUTE, server.start())).not.toBeInstanceOf(Busy);
	});

	it('fails after five rejections in two minutes if no run is active', async () => {
		const server = full('success');
		expect(await after(3 * MINUTE, server.start())).toMatchObject({
			message: 'The server did not start robot r1',
			mayHaveHappened: false,
		});
		expect(server.starts).toHaveLength(5);
		expect(server.starts.at(-1)).toBeGreaterThanOrEqual(115);
		expect(server.starts.at(-1)).toBeLessThan(135);
	});

	it('succeeds a moment later if the last run has just ended', async () => {
		const server = new Server(async ({ starts }) => {
			if (starts.length === 1) throw REFUSED;
			return { id: 'ours', status: 'success' };
		});
		expect(await after(10_000, server.start())).toMatchObject({ id: 'ours' });
		expect(server.starts).toHaveLength(2);
	});

	it('is busy while this n8n instance is starting another run', async () => {
		const server = new Server(never);
		const first = server.start();
		expect(await server.start({}, 'r2')).toBeInstanceOf(Busy);
		setTimeout(() => server.add('ours', 'running'), 30_000);
		expect(await after(MINUTE, first)).toMatchObject({ id: 'ours' });
		expect(server.starts).toHaveLength(1);
	});

	it('stays busy instead of trying again after the item has timed out', async () => {
		const server = full('success');
		expect(await after(19_000, server.start({}, 'r1', 20_000))).toBeInstanceOf(Busy);
		expect(server.starts).toEqual([0, 4, 17]);
	});
});

describe('a start that certainly was not processed', () => {
	it("fails with the server's reason, and may be retried", async () => {
		const server = new Server(async () => {
			throw NOT_SENT;
		});
		expect(await after(MINUTE, server.start())).toBe(NOT_SENT);
	});
});

describe('a canceled start', () => {
	it('lets others start', async () => {
		const server = new Server(never);
		const canceled = expect(server.start()).rejects.toThrow('The execution was canceled');
		await vi.advanceTimersByTimeAsync(1_500);
		server.canceling.abort();
		await canceled;
		expect(await server.start({}, 'r2').catch(String)).toMatch('canceled');
	});
});

describe('a server that never responds to a start', () => {
	const OTHER = { formats: ['markdown'] };

	it("has not started another client's run of the same robot", async () => {
		const server = new Server(never);
		setTimeout(() => server.add('foreign', 'running', OTHER), 2_000);
		setTimeout(() => server.add('ours', 'running'), 20_000);
		expect(await after(MINUTE, server.start())).toMatchObject({ id: 'ours' });
	});

	it("is reported if only another client's run appears", async () => {
		const server = new Server(never);
		setTimeout(() => server.add('foreign', 'running', OTHER), 2_000);
		expect(await after(2 * MINUTE, server.start())).toMatchObject({
			message: "A run of robot 'r1' may have started",
			description: expect.stringContaining('None of the latest runs matches this request'),
			mayHaveHappened: true,
		});
		expect(server.starts).toHaveLength(1);
	});
});

describe('a start that the server rejects with its only error message', () => {
	it("is busy while another client's run of the same robot is active", async () => {
		const server = new Server(async ({ add }) => {
			add('foreign', 'running', { formats: ['markdown'] });
			throw REFUSED;
		});
		expect(await after(MINUTE, server.start())).toBeInstanceOf(Busy);
		expect(server.starts).toHaveLength(1);
	});

	it("tries again after another client's run of the same robot has ended", async () => {
		const server = new Server(async ({ add, starts }) => {
			if (starts.length > 1) return { id: 'ours', status: 'success' };
			add('foreign', 'success', { formats: ['markdown'] });
			throw REFUSED;
		});
		expect(await after(MINUTE, server.start())).toMatchObject({ id: 'ours' });
	});

	/** A server that rejects starts, although runs with these statuses have appeared by then. */
	const refusing = (...statuses: string[]) =>
		new Server(async ({ add }) => {
			statuses.forEach((status, index) => add(`run${index}`, status));
			throw REFUSED;
		});

	it.each(['success', 'failed', 'aborted', 'running'])(
		'has created the new run with the status %s',
		async (status) => {
			const server = refusing(status);
			expect(await after(MINUTE, server.start())).toMatchObject({ id: 'run0', status });
			expect(server.starts).toHaveLength(1);
		},
	);

	it('is reported and not retried if there are several new runs', async () => {
		const server = refusing('failed', 'aborted');
		expect(await after(MINUTE, server.start())).toMatchObject({
			message: "A run of robot 'r1' may have started",
			description: expect.stringContaining('run0 (failed), run1 (aborted)'),
			mayHaveHappened: true,
		});
		expect(server.starts).toHaveLength(1);
	});

	it('is not retried if the second list fails, because the first may have been too early', async () => {
		const server = new Server(async (own) => {
			setTimeout(() => (own.isSilent = true), 500);
			throw REFUSED;
		});
		expect(await after(MINUTE, server.start())).toMatchObject({
			message: "A run of robot 'r1' may have started",
			mayHaveHappened: true,
		});
		expect(server.starts).toHaveLength(1);
	});

	it("is not retried if the robot's runs can't be read", async () => {
		const server = new Server(async (own) => {
			own.isSilent = true;
			throw REFUSED;
		});
		expect(await after(MINUTE, server.start())).toMatchObject({
			message: "A run of robot 'r1' may have started",
			mayHaveHappened: true,
		});
		expect(server.starts).toHaveLength(1);
	});
});

describe('a start whose response is lost', () => {
	/** A server that cuts the connection, and lists these new runs five seconds later. */
	const cutting = (...ids: string[]) =>
		new Server(async ({ add }) => {
			setTimeout(() => ids.forEach((id) => add(id, 'running')), 5000);
			throw CUT_OFF;
		});

	it.each<[StartOptions, IDataObject]>([
		[{}, { debug: true }],
		[{ formats: ['html'] }, { formats: ['html'], debug: true }],
		[{ smartQueries: 'Price?' }, { promptInstructions: 'Price?' }],
	])('has created the new run with the same inputs: %j', async (options, settings) => {
		const server = cutting('ours');
		server.settings = settings;
		expect(await after(11_000, server.start(options))).toMatchObject({ id: 'ours' });
	});

	it.each<[StartOptions, IDataObject]>([
		[{}, { formats: ['html'] }],
		[{ formats: ['html'] }, {}],
		[{ formats: ['html'] }, { formats: ['markdown'] }],
		[{}, { promptInstructions: 'Price?' }],
	])("is not mistaken for another client's run: %j", async (options, settings) => {
		const server = cutting('foreign');
		server.settings = settings;
		expect(await after(11_000, server.start(options))).toMatchObject({
			message: "A run of robot 'r1' may have started",
			description: expect.stringContaining('None of the latest runs matches this request'),
			mayHaveHappened: true,
		});
		expect(server.starts).toHaveLength(1);
	});

	it('mentions a run on an earlier server, but does not use it, because its inputs are unknown', async () => {
		const server = cutting('unknown');
		server.settings = undefined;
		expect(await after(11_000, server.start())).toMatchObject({
			message: "A run of robot 'r1' may have started",
			description: expect.stringContaining('unknown (running)'),
			mayHaveHappened: true,
		});
	});

	it('lists all new runs if there are several', async () => {
		const server = cutting('one', 'two');
		expect(await after(11_000, server.start({ isExclusive: true }))).toMatchObject({
			description: expect.stringContaining('one (running), two (running)'),
			mayHaveHappened: true,
		});
	});
});
