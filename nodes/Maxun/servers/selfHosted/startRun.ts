import type { IDataObject } from 'n8n-workflow';
import { inTurn } from '../../http/concurrency';
import { MaxunFault, recover } from '../../http/fault';
import { path, withoutEmpty, type ApiRequest } from '../../http/request';
import { listOf, Run, StartResponse } from '../entities';
import { StartPostponed, StartTimedOut } from '../startTimedOut';
import type { ServerConnection, StartOptions } from '../types';

// A self-hosted server responds to a start only after the run ends, possibly hours later, and all its failures look
// alike. So this code finds the new run among the robot's runs instead of waiting for the response.

const Runs = listOf(Run);

/** Milliseconds between two checks of the robot's runs. */
const FIRST_LOOK = 1_000;
const LATEST_LOOK = 10_000;

/** How long to search for a run whose start response was lost, in milliseconds. */
const LOST_FOR = 20_000;

/** How long other starts wait for this run to appear, in milliseconds. */
const LONGEST_TURN = 60_000;

/** How long to wait for a free browser slot before the next attempt, in milliseconds. */
const SLOT_DELAY = 3_000;
const LONGEST_SLOT_DELAY = 10_000;

/** Default time limit of a start, in milliseconds. The server has no queue, so the start waits for a free browser. */
const START_WITHIN = 60 * 60_000;

/** The server has started nothing and won't. */
const NO_SLOT = 'no slot';

/** All runs of a robot, with their data, in no particular order. */
export const readRuns = async (api: ServerConnection, robotId: string) =>
	await api.get(path`/robots/${robotId}/runs`, Runs);

/**
 * Starts a run and finds it among the robot's runs. Never starts a second run instead.
 *
 * @returns the run as first seen, which may have ended
 * @throws StartTimedOut if the start gets no turn or no free slot in time, or the run doesn't appear
 * @throws StartPostponed if nothing was sent by `startBy`
 * @throws MaxunFault if the robot doesn't exist, or several new runs appear
 */
export async function startAndFind(
	api: ServerConnection,
	robotId: string,
	{
		until = Date.now() + START_WITHIN,
		startBy = Infinity,
		delay = 0,
		formats,
		smartQueries,
	}: StartOptions,
): Promise<StartResponse> {
	for (let pause = SLOT_DELAY; ; pause = Math.min(pause * 2, LONGEST_SLOT_DELAY)) {
		const body = withoutEmpty({ formats, promptInstructions: smartQueries });
		const start = new Start(api, robotId, until, body);
		// One start at a time: simultaneous starts look alike and may hang the server.
		const early = await takeTurn(api, robotId, startBy, async () => {
			api.throwIfCancelled();
			if (Date.now() + delay > until) throw neverStarted(robotId);
			await api.sleep(delay);
			await start.send();
			return await start.find(Math.min(Date.now() + LONGEST_TURN, until));
		});
		const found = early ?? (await start.find(until));
		if (found !== NO_SLOT && found) return found;
		if (Date.now() + pause > until) throw noSlot(robotId);
		if (Date.now() + pause > startBy) throw postponed(robotId);
		await api.sleep(pause);
	}
}

/** Waits for a turn and does the work. @throws StartPostponed if the turn hasn't come by `startBy` */
async function takeTurn<T>(
	api: ServerConnection,
	robotId: string,
	startBy: number,
	work: () => Promise<T>,
): Promise<T> {
	let status: 'queued' | 'begun' | 'left' = 'queued';
	const turn = inTurn(api.baseUrl, async () => {
		if (status === 'left') throw postponed(robotId);
		status = 'begun';
		return await work();
	});
	if (startBy === Infinity) return await turn;
	const leave = async () => {
		await api.sleep(startBy - Date.now());
		if (status === 'begun') return await turn;
		status = 'left';
		throw postponed(robotId);
	};
	return await Promise.race([turn, leave()]);
}

/** One start request, and the search for its run. */
class Start {
	private known = new Set<string>();
	private responding: Promise<unknown> = Promise.resolve();
	private response?: StartResponse | MaxunFault;
	private interval = FIRST_LOOK;
	/** The only new run at the last check. */
	private seen?: string;

	constructor(
		private readonly api: ServerConnection,
		private readonly robotId: string,
		private readonly until: number,
		/** What this run captures, instead of the robot's settings. */
		private readonly body: IDataObject,
	) {}

	/** Sends the request without waiting for its response. */
	async send(): Promise<void> {
		const { api, robotId, until } = this;
		// A start doesn't report a missing robot, but this request does.
		const before = await readRuns(api, robotId);
		this.known = new Set(before.map(({ id }) => id));
		const left = until - Date.now();
		if (left < 0) throw neverStarted(robotId);
		const request: ApiRequest = {
			method: 'POST',
			path: path`/robots/${robotId}/runs`,
			body: Object.keys(this.body).length > 0 ? this.body : undefined,
			// Longer than the search, so that a timeout isn't mistaken for a response.
			timeout: left + LATEST_LOOK,
			isLong: true,
		};
		// Otherwise, a retry could start the run when nothing looks for it any more.
		const starting = api.within(left).send(request, StartResponse);
		this.responding = recover(starting, { any: (fault) => fault }).then(
			(response) => (this.response = response),
		);
		this.responding.catch(() => undefined); // cancelling may reject this when nothing awaits it
	}

	/** @returns undefined if the run hasn't appeared by `limit`, but there is time left */
	async find(limit: number): Promise<StartResponse | typeof NO_SLOT | undefined> {
		for (;;) {
			const pause = Math.min(this.interval, limit - Date.now());
			this.interval = Math.min(this.interval * 1.5, LATEST_LOOK);
			await Promise.race([this.responding, this.api.sleep(pause)]);
			if (this.response instanceof MaxunFault) return await this.investigate(this.response);
			if (this.response) return this.response;
			const runs = await this.newRunsIfReachable();
			const isLast = Date.now() >= this.until;
			const only = runs.length === 1 ? runs[0] : undefined;
			// The only new run twice in a row: another start at the same moment would have appeared by now.
			if (only && (only.id === this.seen || isLast)) return only;
			if (isLast) throw new StartTimedOut(this.robotId, 'unknown', undecided(this.robotId, runs));
			if (Date.now() >= limit) return undefined;
			this.seen = only?.id;
		}
	}

	/** Runs of the robot that an API call has started since. */
	private async newRuns(api = this.api): Promise<Run[]> {
		const runs = await readRuns(api, this.robotId);
		return runs.filter(
			({ id, source }) => !this.known.has(id) && (source === 'api' || source === undefined),
		);
	}

	/**
	 * The same, or none if the server is unreachable. The next check follows anyway.
	 *
	 * @throws MaxunFault for any other reason, which says that the run may have been started
	 */
	private async newRunsIfReachable(): Promise<Run[]> {
		return await recover(this.newRuns(this.api.within(0)), {
			transient: () => [],
			any: (fault) => {
				throw lost(this.robotId, fault, NOT_READ);
			},
		});
	}

	/** Finds out what happened to a start that returned no run. */
	private async investigate(fault: MaxunFault): Promise<StartResponse | typeof NO_SLOT> {
		if (fault.uncertain) return await this.findLost(fault);
		if (fault.status !== 500) throw fault;
		return await this.findRefused(fault);
	}

	/**
	 * The run behind an error response. The response is the same if the run failed or was never created. The response may
	 * arrive before the list shows the end. An aborted run can even become a success.
	 */
	private async findRefused(fault: MaxunFault): Promise<StartResponse | typeof NO_SLOT> {
		for (let look = 1; ; look++) {
			const runs = await recover(this.newRuns(), {
				any: () => {
					throw lost(this.robotId, fault, NOT_READ);
				},
			});
			const ended = ENDINGS.map((states) => runs.filter(({ status }) => states.includes(status)));
			const candidates = ended.find(({ length }) => length > 0) ?? [];
			if (candidates.length > 1) throw undecided(this.robotId, candidates);
			if (candidates.length === 1) return candidates[0];
			if (runs.length === 0 && look > 1) return NO_SLOT;
			if (look > REFUSAL_LOOKS) {
				throw lost(this.robotId, fault, `Its new runs are active: ${listed(runs)}`);
			}
			await this.api.sleep(FIRST_LOOK);
		}
	}

	private async findLost(fault: MaxunFault): Promise<StartResponse> {
		const end = Math.min(Date.now() + LOST_FOR, this.until);
		for (;;) {
			const [run, ...others] = await this.newRunsIfReachable();
			if (others.length > 0) throw undecided(this.robotId, [run, ...others]);
			if (run) return run;
			if (Date.now() > end) throw lost(this.robotId, fault, 'The robot has no new run');
			await this.api.sleep(FIRST_LOOK);
		}
	}
}

/** Final statuses of a run whose start was refused, likeliest first. */
const ENDINGS = [['failed', 'aborting', 'aborted'], ['success']];

/** How often to check, a second apart, for the end of a run whose start was refused. */
const REFUSAL_LOOKS = 6;

const NOT_READ = 'The runs of the robot could not be read';

const listed = (runs: Run[]) => runs.map(({ id, status }) => `${id} (${status})`).join(', ');

const neverStarted = (robotId: string) =>
	new StartTimedOut(
		robotId,
		'not started',
		new MaxunFault(
			`Robot ${robotId} was not started in time`,
			'Self-hosted servers start one run at a time, and other executions came first. Increase Wait For (Minutes), or start fewer runs at a time',
		),
	);

const noSlot = (robotId: string) =>
	new StartTimedOut(
		robotId,
		'not started',
		new MaxunFault(
			`The server did not start robot ${robotId}`,
			"All its browsers may be busy. Check the server's log. Wait until other runs finish, or increase Wait For (Minutes)",
			{ status: 500 },
		),
	);

const postponed = (robotId: string) => new StartPostponed(robotId, 'not started', noSlot(robotId));

const maybeStarted = (robotId: string) => `Robot ${robotId} may have been started`;

const lost = (robotId: string, fault: MaxunFault, finding: string) =>
	new MaxunFault(
		maybeStarted(robotId),
		`${fault.message}. ${finding}. The node did not retry, to avoid a second run. Check the robot's runs first. ${fault.description}`,
		{ ...fault, unrepeatable: true, remainder: maybeStarted(robotId) },
	);

const undecided = (robotId: string, runs: Run[]) =>
	runs.length === 0
		? new MaxunFault(
				`The server did not confirm the start of robot ${robotId}`,
				`${maybeStarted(robotId)}. The node did not retry, to avoid a second run. Check the robot's runs and the server's log`,
				{ unrepeatable: true, remainder: maybeStarted(robotId) },
			)
		: new MaxunFault(
				`Several new runs of robot ${robotId} were found`,
				`Another client started the robot at the same time. Use Run: Get to read the right run. New runs: ${listed(runs)}`,
				{ unrepeatable: true },
			);
