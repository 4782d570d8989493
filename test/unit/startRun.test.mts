import { sleep, type IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { connectServer } from '../../nodes/Maxun/servers';
import { Busy } from '../../nodes/Maxun/servers/busy';
import type { StartOptions } from '../../nodes/Maxun/servers/types';
import { fakeContext, newUrl, type FakeResponse, type SentRequest } from './fakeServer.mts';

beforeEach(() => void vi.useFakeTimers());

const MINUTE = 60_000;
const REFUSED = { status: 500, body: { statusCode: 500, messageCode: 'error', message: 'No' } };
const STARTED = { body: { id: 'ours', status: 'success' } };

interface Script {
	/** The responses to starts, or the code of a network error. The last response repeats. */
	responses?: Array<FakeResponse | string>;
	/** The robot's runs: seconds until the list shows them, the status, and the settings in the server's record. */
	runs?: Record<string, [seconds: number, status: string, settings?: IDataObject]>;
	/** The statuses of another robot's runs. */
	others?: string[];
	hasRecords?: boolean;
	/** Seconds until no list can be read anymore. */
	silentAfter?: number;
}

/** A server that does what the script says. */
class Server {
	/** When starts arrived, in seconds. */
	readonly starts: number[] = [];
	readonly canceling = new AbortController();
	private readonly began = Date.now();
	private readonly context;

	constructor(readonly script: Script) {
		const context = fakeContext(newUrl(), async (request) => await this.respond(request));
		const getExecutionCancelSignal = () => this.canceling.signal;
		this.context = Object.assign(context, { getExecutionCancelSignal });
	}

	/** Starts the robot. @returns the run that was found, `Busy`, or the fault */
	async start(options: StartOptions = {}, robotId = 'r1', maxWait = 5 * MINUTE) {
		const { runs } = await connectServer(this.context, 'selfHosted', { maxWait });
		return await runs.start(robotId, options).catch((fault: unknown) => {
			if (fault instanceof MaxunFault) return fault;
			throw fault;
		});
	}

	private async respond({ method, path }: SentRequest): Promise<FakeResponse> {
		const { responses = [REFUSED], runs = {}, others = [], hasRecords, silentAfter } = this.script;
		const seconds = (Date.now() - this.began) / 1000;
		const response = responses[this.starts.length] ?? responses.at(-1);
		if (method === 'POST') {
			this.starts.push(Math.round(seconds));
			if (response === 'ECONNABORTED') await sleep(MINUTE);
			if (typeof response === 'object') return response;
			throw Object.assign(new Error('No response'), { code: response });
		}
		const elapsed = this.starts.length > 0 ? seconds : -1;
		if (elapsed >= (silentAfter ?? Infinity)) throw new Error('No response');
		const id = path.split('/').at(-1) ?? '';
		if (path.startsWith('/sdk/'))
			return hasRecords === false
				? { status: 404, body: '<html>Cannot GET</html>' }
				: { body: { status: 'running', interpreterSettings: runs[id]?.[2] ?? {} } };
		if (path === '/robots') return { body: [{ id: 'r1' }, { id: 'other' }] };
		if (path.includes('other'))
			return { body: others.map((status, index) => ({ id: `other${index}`, status })) };
		const shown = Object.entries(path.includes('r1') ? runs : {});
		const body = shown.flatMap(([runId, [from, status]]) =>
			elapsed >= from ? [{ id: runId, robotId: 'r1', status, source: 'api' }] : [],
		);
		return { body };
	}
}

/** The outcome of work after this much simulated time. @throws Error if the work takes longer */
async function after<T>(milliseconds: number, outcome: Promise<T>): Promise<T> {
	const settled = outcome.then((value) => ({ value }));
	await vi.advanceTimersByTimeAsync(milliseconds);
	const early = await Promise.race([settled, Promise.resolve(undefined)]);
	if (!early) throw new Error(`It took more than ${milliseconds / 1000} s`);
	return early.value;
}

/** A server that cuts the connection, and lists a run five seconds later. */
const cut = (id: string, settings: IDataObject, hasRecords = true): Script => ({
	responses: ['ECONNRESET'],
	runs: { [id]: [5, 'running', settings] },
	hasRecords,
});
const refusing = (...statuses: string[]): Script => ({
	runs: Object.fromEntries(statuses.map((status, index) => [`run${index}`, [0, status]])),
});
/** A server that never responds to a start. */
const silent = (runs: Script['runs']): Script => ({ responses: ['ECONNABORTED'], runs });

const FOREIGN = { formats: ['markdown'] };
const OTHER: [number, string, IDataObject] = [2, 'running', FOREIGN];
const LATER: [number, string] = [20, 'running'];
/** Two runs, and a start that isn't confirmed. */
const TWO: Script = { ...refusing('running', 'running'), responses: ['ECONNRESET'] };
const HTML = { formats: ['html'] };
const PROMPT = { promptInstructions: 'Price?' };
const OURS = { id: 'ours' };
const BUSY = { message: 'The server did not start robot r1', mayHaveHappened: false };
/** The error of a start that may have happened, with what it says about the latest runs. */
const unsure = (runs: string) => ({
	message: "A run of robot 'r1' may have started",
	description: expect.stringContaining(runs),
	mayHaveHappened: true,
});
const NO_MATCH = unsure('None of the latest runs matches this request');

describe('a start on a self-hosted server', () => {
	it.each<[string, Script, StartOptions, object]>([
		['waits while a run is running', { others: ['success', 'running'] }, {}, BUSY],
		["waits for another client's run", { runs: { foreign: [0, 'running', FOREIGN] } }, {}, BUSY],
		['has created a failed run', refusing('failed'), {}, { id: 'run0' }],
		['has created an active run', refusing('running'), {}, { id: 'run0' }],
		['lists new runs', refusing('failed', 'aborted'), {}, unsure('run0 (failed), run1 (aborted)')],
		['is unsure if only the first list can be read', { silentAfter: 0.5 }, {}, unsure('')],
		['is unsure if no list can be read', { silentAfter: 0 }, {}, unsure('')],
		["is not another client's earlier run", silent({ foreign: OTHER, ours: LATER }), {}, OURS],
		["is not another's run", silent({ foreign: OTHER }), {}, NO_MATCH],
		['has the same inputs: none', cut('ours', { debug: true }), {}, OURS],
		['has the same inputs: formats', cut('ours', { ...HTML, debug: true }), HTML, OURS],
		['has the same inputs: a prompt', cut('ours', PROMPT), { smartQueries: 'Price?' }, OURS],
		['has other inputs: formats', cut('foreign', HTML), {}, NO_MATCH],
		['has other inputs: no formats', cut('foreign', {}), HTML, NO_MATCH],
		['has other inputs: other formats', cut('foreign', FOREIGN), HTML, NO_MATCH],
		['has other inputs: a prompt', cut('foreign', PROMPT), {}, NO_MATCH],
		['mentions a run without a record', cut('lone', {}, false), {}, unsure('lone (running)')],
		[
			"lists all runs of a node's own robot",
			TWO,
			{ isExclusive: true },
			unsure('run0 (running), run1'),
		],
	])('%s, and sends one request', async (_, script, options, expected) => {
		const server = new Server(script);
		const outcome = await after(2 * MINUTE, server.start(options));
		expect(outcome).toMatchObject(expected);
		expect(outcome instanceof Busy).toBe(expected === BUSY);
		expect(server.starts).toEqual([0]);
	});

	it.each<[string, Script]>([
		['if the last run has just ended', {}],
		["after another client's run", { runs: { foreign: [0, 'success', FOREIGN] } }],
	])('tries again %s', async (_, script) => {
		const server = new Server({ ...script, responses: [REFUSED, STARTED] });
		expect(await after(MINUTE, server.start())).toMatchObject(OURS);
		expect(server.starts).toHaveLength(2);
	});

	it('fails after five rejections in two minutes if no run is active', async () => {
		const server = new Server({ others: ['success'] });
		const outcome = await after(3 * MINUTE, server.start());
		expect(outcome).toMatchObject(BUSY);
		expect(outcome).not.toBeInstanceOf(Busy);
		expect(server.starts).toEqual([0, 4, 17, 53, 124]);
	});

	it('is busy while this n8n instance is starting another run', async () => {
		const server = new Server(silent({ ours: [30, 'running'] }));
		const first = server.start();
		expect(await server.start({}, 'r2')).toBeInstanceOf(Busy);
		expect(await after(MINUTE, first)).toMatchObject(OURS);
		expect(server.starts).toHaveLength(1);
	});

	it('does not try again after the item has timed out', async () => {
		const server = new Server({});
		expect(await after(19_000, server.start({}, 'r1', 20_000))).toBeInstanceOf(Busy);
		expect(server.starts).toEqual([0, 4, 17]);
	});

	it("fails with the server's reason if it was certainly not processed", async () => {
		const server = new Server({ responses: ['ECONNREFUSED'] });
		const outcome = await after(MINUTE, server.start());
		expect(outcome).toMatchObject({ message: 'n8n could not connect to Maxun' });
		expect(outcome).toMatchObject({ notProcessed: true, mayHaveHappened: false });
	});

	it('lets others start after it is canceled', async () => {
		const server = new Server(silent({}));
		const canceled = expect(server.start()).rejects.toThrow(/cancel|abort/i);
		await vi.advanceTimersByTimeAsync(1_500);
		server.canceling.abort();
		await canceled;
		expect(await server.start({}, 'r2').catch(String)).toMatch(/cancel|abort/i);
	});
});
