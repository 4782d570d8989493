import { StartedRun, type Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { Runs } from '../api/runs';
import { getRunsOf, startRun } from '../api/selfHosted/requests';
import type { Api } from '../core/operation';

// A self-hosted server answers the start of a run when the run has ended, which may be hours later, and says the same
// of every failure. So the answer is not waited for: the new run is found among those of the robot.

/** Milliseconds between two looks at the robot's runs. */
const FIRST_LOOK = 1_000;
const LATEST_LOOK = 10_000;

/** How long a start whose answer was lost may take to show among the robot's runs, in milliseconds. */
const LOST_FOR = 20_000;

/** How long other starts of this n8n wait for this one to show, in milliseconds. */
const LONGEST_TURN = 60_000;

/** How long to wait for a free browser slot before the next attempt, in milliseconds. */
const SLOT_DELAY = 3_000;
const LONGEST_SLOT_DELAY = 30_000;

/** The server has started nothing and is not about to. */
const NO_SLOT = 'no slot';

export interface StartSettings {
	/** Until when to wait for a free slot and for the run to show, in epoch milliseconds. */
	until: number;
	/** Milliseconds to let the server come to rest before the start. */
	settle: number;
}

/** The time was up before there was a run to wait for. */
export class OutOfTime extends MaxunFault {
	/** @param runStatus what is known of the run that was asked for */
	constructor(
		readonly runStatus: 'not started' | 'unknown',
		fault: MaxunFault,
	) {
		super(fault.message, fault.description, fault);
	}
}

/**
 * Starts a run and finds it among the runs of its robot; never starts a second one in its place.
 *
 * @returns the run as it was first seen, which may be at its end
 * @throws OutOfTime when its turn or a free slot does not come in time, or the run does not show
 * @throws MaxunFault when the robot is unknown, or nobody can tell which run is ours
 */
export async function startAndFind(
	api: Api,
	robotId: string,
	{ until, settle }: StartSettings,
): Promise<StartedRun> {
	for (let delay = SLOT_DELAY; ; delay = Math.min(delay * 2, LONGEST_SLOT_DELAY)) {
		const start = new Start(api, robotId, until);
		// One start at a time, as two at once could not be told apart, and may hang the server.
		const soon = await api.inTurn(async () => {
			api.throwIfCancelled();
			if (Date.now() + settle > until) throw neverStarted(robotId);
			await api.sleep(settle);
			await start.send();
			return await start.find(Math.min(Date.now() + LONGEST_TURN, until));
		});
		const found = soon ?? (await start.find(until));
		if (found !== NO_SLOT && found) return found;
		if (Date.now() + delay > until) throw noSlot(robotId);
		await api.sleep(delay);
	}
}

/** One request to start, and the search for its run. */
class Start {
	private known = new Set<string>();
	private answering: Promise<unknown> = Promise.resolve();
	private answer?: StartedRun | MaxunFault;
	private interval = FIRST_LOOK;
	/** The run that was the only one at the last look. */
	private seen?: string;

	constructor(
		private readonly api: Api,
		private readonly robotId: string,
		private readonly until: number,
	) {}

	/** Sends the request; its answer is not waited for. */
	async send(): Promise<void> {
		const { api, robotId, until } = this;
		// Of a robot that is not there, the server says so here, and not when it is to be run.
		const before = await api.call(getRunsOf(robotId), Runs);
		this.known = new Set(before.map(({ id }) => id));
		const left = until - Date.now();
		if (left < 0) throw neverStarted(robotId);
		// Longer than the run is looked for, so that the end of the connection is not taken for an answer.
		this.answering = api
			.call(startRun(robotId, left + LATEST_LOOK), StartedRun)
			.catch(asFault)
			.then((received) => (this.answer = received));
		this.answering.catch(() => undefined); // cancelled when nobody listens any more
	}

	/** @returns undefined when the limit comes before the end of the time, and the run has not shown */
	async find(limit: number): Promise<StartedRun | typeof NO_SLOT | undefined> {
		for (;;) {
			const pause = Math.min(this.interval, limit - Date.now());
			this.interval = Math.min(this.interval * 1.5, LATEST_LOOK);
			await Promise.race([this.answering, this.api.sleep(pause)]);
			if (this.answer instanceof MaxunFault) return await this.lookInto(this.answer);
			if (this.answer) return this.answer;
			const runs = await this.appeared();
			const isLast = Date.now() >= this.until;
			const only = runs.length === 1 ? runs[0] : undefined;
			// Seen alone twice: another start at the same moment would show as well by then.
			if (only && (only.id === this.seen || isLast)) return only;
			if (isLast) throw new OutOfTime('unknown', undecided(this.robotId, runs));
			if (Date.now() >= limit) return undefined;
			this.seen = only?.id;
		}
	}

	/** Runs of the robot that a call of the API has started since. */
	private async newRuns(within?: number): Promise<Run[]> {
		const runs = await this.api.call(getRunsOf(this.robotId), Runs, within);
		return runs.filter(
			({ id, source }) => !this.known.has(id) && (source === 'api' || source === undefined),
		);
	}

	/** The same, and none where the server cannot be asked just now: it is asked again anyway. */
	private async appeared(): Promise<Run[]> {
		return await this.newRuns(0).catch((error: unknown) => {
			const fault = asFault(error);
			if (fault.transient) return [];
			throw fault;
		});
	}

	/** What became of a start that was not answered with a run. */
	private async lookInto(fault: MaxunFault): Promise<StartedRun | typeof NO_SLOT> {
		if (fault.uncertain) return await this.findLost(fault);
		if (fault.status !== 500) throw fault;
		return await this.findRefused(fault);
	}

	/**
	 * The run behind an answer that says the same of a run that has not ended well and of one that was never made. It may
	 * be a step ahead of the list, where an aborted run can even turn to success.
	 */
	private async findRefused(fault: MaxunFault): Promise<StartedRun | typeof NO_SLOT> {
		for (let look = 1; ; look++) {
			const runs = await this.newRuns().catch((error: unknown) => {
				if (!asFault(error).transient) throw error;
				throw lost(this.robotId, fault, 'and the server does not show its runs');
			});
			const ended = ENDINGS.map((states) => runs.filter(({ status }) => states.includes(status)));
			const candidates = ended.find(({ length }) => length > 0) ?? [];
			if (candidates.length > 1) throw undecided(this.robotId, candidates);
			if (candidates.length === 1) return candidates[0];
			if (runs.length === 0 && look > 1) return NO_SLOT;
			if (look > REFUSAL_LOOKS) {
				throw lost(this.robotId, fault, `yet new runs of it go on: ${listed(runs)}`);
			}
			await this.api.sleep(FIRST_LOOK);
		}
	}

	private async findLost(fault: MaxunFault): Promise<StartedRun> {
		const end = Math.min(Date.now() + LOST_FOR, this.until);
		for (;;) {
			const [run, ...others] = await this.appeared();
			if (others.length > 0) throw undecided(this.robotId, [run, ...others]);
			if (run) return run;
			if (Date.now() > end) throw lost(this.robotId, fault, 'and no new run of the robot shows');
			await this.api.sleep(FIRST_LOOK);
		}
	}
}

/** How a run may have ended whose start was refused, the likelier way first. */
const ENDINGS = [['failed', 'aborting', 'aborted'], ['success']];

/** How often to look, a second apart, whether a run ends whose start was refused. */
const REFUSAL_LOOKS = 6;

function asFault(error: unknown): MaxunFault {
	if (error instanceof MaxunFault) return error;
	throw error;
}

const listed = (runs: Run[]) => runs.map(({ id, status }) => `${id} (${status})`).join(', ');

const neverStarted = (robotId: string) =>
	new OutOfTime(
		'not started',
		new MaxunFault(
			`Robot ${robotId} was not started, as its time was up before its turn came`,
			'Runs on a server of your own are started one after another, and other executions came first. Raise Wait For (Minutes), or start fewer runs at a time',
		),
	);

const noSlot = (robotId: string) =>
	new OutOfTime(
		'not started',
		new MaxunFault(
			`The server has not started robot ${robotId}`,
			'It refused every time and made no run: all its browsers are busy, or its log tells another reason. Wait until other runs have ended, or raise Wait For (Minutes)',
			{ status: 500 },
		),
	);

const lost = (robotId: string, fault: MaxunFault, finding: string) =>
	new MaxunFault(
		`It is not known whether robot ${robotId} was started`,
		`${fault.message}, ${finding}. It was not started again, so that it does not run twice: look at the runs of the robot first. ${fault.description}`,
		fault,
	);

const undecided = (robotId: string, runs: Run[]) =>
	runs.length === 0
		? new MaxunFault(
				`The server has neither answered nor shown a new run of robot ${robotId}`,
				'It was not started again, so that it does not run twice. Look at the runs of the robot and at the log of the server',
			)
		: new MaxunFault(
				`It cannot be told which run of robot ${robotId} this node has started`,
				`Somebody else has started it at the same time. Read the right one with Run: Get; these are new: ${listed(runs)}`,
			);
