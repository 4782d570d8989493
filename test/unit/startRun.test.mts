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

const rejecting = async (): Promise<never> => await Promise.reject(REFUSED);

/** A server that rejects starts while these runs of another robot are active. */
const full = (...others: string[]) => {
	const server = new Server(rejecting);
	server.others.push(...others.map((status, index) => ({ id: `other${index}`, status })));
	return server;
};

/** A server that rejects starts, although runs with these statuses have appeared by then. */
const refusing = (statuses: string[], settings?: IDataObject) =>
	new Server(async ({ add }) => {
		statuses.forEach((status, index) => add(`run${index}`, status, settings));
		return await rejecting();
	});

/** A server that cuts the connection, and lists these new runs five seconds later. */
const cutting = (ids: string[], settings: IDataObject | undefined) => {
	const server = new Server(async ({ add }) => {
		setTimeout(() => ids.forEach((id) => add(id, 'running')), 5000);
		throw CUT_OFF;
	});
	server.settings = settings;
	return server;
};

/** A server that never responds to a start, and lists these runs after so many seconds. */
const silent = (runs: Record<string, [number, IDataObject?]>) => {
	const server = new Server(never);
	for (const [id, [seconds, settings]] of Object.entries(runs)) {
		setTimeout(() => server.add(id, 'running', settings), seconds * 1000);
	}
	return server;
};

/** A server that rejects the first start, as `onFirst` says, and no other. */
const refusingOnce = (onFirst: (server: Server) => void = () => undefined) =>
	new Server(async (server) => {
		if (server.starts.length > 1) return { id: 'ours', status: 'success' };
		onFirst(server);
		return await rejecting();
	});

/** A server whose list of runs can't be read so many milliseconds after it rejected a start. */
const muted = (after: number) =>
	new Server(async (server) => {
		if (after > 0) setTimeout(() => (server.isSilent = true), after);
		else server.isSilent = true;
		return await rejecting();
	});

const FOREIGN = { formats: ['markdown'] };
const HTML = { formats: ['html'] };
const PROMPT = { smartQueries: 'Price?' };
const OURS = { id: 'ours' };
const BUSY = {
	name: 'MaxunFault',
	message: 'The server did not start robot r1',
	mayHaveHappened: false,
};
/** The error of a start that may have happened, with what it says about the latest runs. */
const unsure = (runs: string) => ({
	message: "A run of robot 'r1' may have started",
	description: expect.stringContaining(runs),
	mayHaveHappened: true,
});
const NO_MATCH = unsure('None of the latest runs matches this request');

describe('a start on a self-hosted server', () => {
	it.each<[string, () => Server, StartOptions, object]>([
		['waits while another run is running', () => full('success', 'running'), {}, BUSY],
		['waits while another run is queued', () => full('success', 'queued'), {}, BUSY],
		['waits while another run is scheduled', () => full('success', 'scheduled'), {}, BUSY],
		[
			"waits while another client's run of the robot is active",
			() => refusing(['running'], FOREIGN),
			{},
			BUSY,
		],
		['has created a completed run', () => refusing(['success']), {}, { id: 'run0' }],
		['has created a failed run', () => refusing(['failed']), {}, { id: 'run0' }],
		['has created a canceled run', () => refusing(['aborted']), {}, { id: 'run0' }],
		['has created an active run', () => refusing(['running']), {}, { id: 'run0' }],
		[
			'reports several new runs',
			() => refusing(['failed', 'aborted']),
			{},
			unsure('run0 (failed), run1 (aborted)'),
		],
		['is not retried if only the first list can be read', () => muted(500), {}, unsure('')],
		['is not retried if no list can be read', () => muted(0), {}, unsure('')],
		[
			"has not started another client's earlier run",
			() => silent({ foreign: [2, FOREIGN], ours: [20] }),
			{},
			OURS,
		],
		["is not another client's only run", () => silent({ foreign: [2, FOREIGN] }), {}, NO_MATCH],
		['has the same inputs: none', () => cutting(['ours'], { debug: true }), {}, OURS],
		['has the same inputs: formats', () => cutting(['ours'], { ...HTML, debug: true }), HTML, OURS],
		[
			'has the same inputs: a prompt',
			() => cutting(['ours'], { promptInstructions: 'Price?' }),
			PROMPT,
			OURS,
		],
		['has other inputs: formats', () => cutting(['foreign'], HTML), {}, NO_MATCH],
		['has other inputs: no formats', () => cutting(['foreign'], {}), HTML, NO_MATCH],
		['has other inputs: other formats', () => cutting(['foreign'], FOREIGN), HTML, NO_MATCH],
		[
			'has other inputs: a prompt',
			() => cutting(['foreign'], { promptInstructions: 'Price?' }),
			{},
			NO_MATCH,
		],
		[
			'mentions a run on an earlier server, whose inputs are unknown',
			() => cutting(['unknown'], undefined),
			{},
			unsure('unknown (running)'),
		],
		[
			'lists all new runs',
			() => cutting(['one', 'two'], {}),
			{ isExclusive: true },
			unsure('one (running), two (running)'),
		],
	])('%s, and sends one request', async (_, serverOf, options, expected) => {
		const server = serverOf();
		const outcome = await after(2 * MINUTE, server.start(options));
		expect(outcome).toMatchObject(expected);
		if (expected === BUSY) expect(outcome).toBeInstanceOf(Busy);
		expect(server.starts).toEqual([0]);
	});

	it.each([
		['if the last run has just ended', refusingOnce],
		[
			"after another client's run of the robot has ended",
			() => refusingOnce(({ add }) => add('foreign', 'success', FOREIGN)),
		],
	])('tries again %s', async (_, serverOf) => {
		const server = serverOf();
		expect(await after(MINUTE, server.start())).toMatchObject(OURS);
		expect(server.starts).toHaveLength(2);
	});

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
		const outcome = await after(3 * MINUTE, server.start());
		expect(outcome).toMatchObject(BUSY);
		expect(outcome).not.toBeInstanceOf(Busy);
		expect(server.starts).toHaveLength(5);
		expect(server.starts.at(-1)).toBeGreaterThanOrEqual(115);
		expect(server.starts.at(-1)).toBeLessThan(135);
	});

	it('is busy while this n8n instance is starting another run', async () => {
		const server = silent({ ours: [30] });
		const first = server.start();
		expect(await server.start({}, 'r2')).toBeInstanceOf(Busy);
		expect(await after(MINUTE, first)).toMatchObject(OURS);
		expect(server.starts).toHaveLength(1);
	});

	it('stays busy instead of trying again after the item has timed out', async () => {
		const server = full('success');
		expect(await after(19_000, server.start({}, 'r1', 20_000))).toBeInstanceOf(Busy);
		expect(server.starts).toEqual([0, 4, 17]);
	});

	it("fails with the server's reason if it was certainly not processed", async () => {
		const server = new Server(async () => await Promise.reject(NOT_SENT));
		expect(await after(MINUTE, server.start())).toBe(NOT_SENT);
	});

	it('lets others start after it is canceled', async () => {
		const server = new Server(never);
		const canceled = expect(server.start()).rejects.toThrow('The execution was canceled');
		await vi.advanceTimersByTimeAsync(1_500);
		server.canceling.abort();
		await canceled;
		expect(await server.start({}, 'r2').catch(String)).toMatch('canceled');
	});
});
