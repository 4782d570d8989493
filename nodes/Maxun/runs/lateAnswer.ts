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

/**
 * Starts a run and finds it among the runs of its robot; never starts a second one in its place.
 *
 * @returns the run as it was first seen, which may be at its end
 * @throws MaxunFault when the robot is unknown, no slot becomes free in time, or nobody can tell which run is ours
 */
export async function startAndFind(
	api: Api,
	robotId: string,
	{ until, settle }: StartSettings,
): Promise<StartedRun> {
	for (let delay = SLOT_DELAY; ; delay = Math.min(delay * 2, LONGEST_SLOT_DELAY)) {
		// One start at a time, as two at once could not be told apart, and may hang the server.
		const found = await api.inTurn(async () => {
			await api.sleep(settle);
			return await new Start(api, robotId, until).run();
		});
		if (found !== NO_SLOT) return found;
		if (Date.now() + delay > until) throw noSlot(robotId);
		await api.sleep(delay);
	}
}

/** One request to start, and the search for its run. */
class Start {
	private known = new Set<string>();

	constructor(
		private readonly api: Api,
		private readonly robotId: string,
		private readonly until: number,
	) {}

	async run(): Promise<StartedRun | typeof NO_SLOT> {
		const { api, robotId, until } = this;
		// Of a robot that is not there, the server says so here, and not when it is to be run.
		const before = await api.call(getRunsOf(robotId), Runs);
		this.known = new Set(before.map(({ id }) => id));
		let answer: StartedRun | MaxunFault | undefined;
		const answering = api
			.call(startRun(robotId, Math.max(until - Date.now(), FIRST_LOOK)), StartedRun)
			.catch(asFault)
			.then((received) => (answer = received));
		answering.catch(() => undefined); // cancelled when nobody listens any more
		let seen: string | undefined;
		for (let interval = FIRST_LOOK; ; interval = Math.min(interval * 1.5, LATEST_LOOK)) {
			await Promise.race([answering, api.sleep(interval)]);
			if (answer instanceof MaxunFault) return await this.lookInto(answer);
			if (answer) return answer;
			if (Date.now() > until) throw undecided(robotId, await this.appeared());
			// Seen alone twice: another start at the same moment would show as well by then.
			const [run, ...others] = await this.appeared();
			if (run && others.length === 0 && run.id === seen) return run;
			seen = others.length === 0 ? run?.id : undefined;
		}
	}

	/** Runs of the robot that a call of the API has started since; none where the server cannot be asked just now. */
	private async appeared(): Promise<Run[]> {
		const runs = await this.api.call(getRunsOf(this.robotId), Runs).catch((error: unknown) => {
			const fault = asFault(error);
			if (fault.transient) return [];
			throw fault;
		});
		return runs.filter(
			({ id, source }) => !this.known.has(id) && (source === 'api' || source === undefined),
		);
	}

	/** What became of a start that was not answered with a run. */
	private async lookInto(fault: MaxunFault): Promise<StartedRun | typeof NO_SLOT> {
		if (fault.uncertain) return await this.findLost(fault);
		if (fault.status !== 500) throw fault;
		const [run, ...others] = await this.failed();
		if (!run) return NO_SLOT;
		if (others.length > 0) throw undecided(this.robotId, [run, ...others]);
		return run;
	}

	/**
	 * The runs that may be ours, given that ours has not ended well. After such an answer it is not under way either:
	 * what is, somebody else has started.
	 */
	private async failed(): Promise<Run[]> {
		const ours = async () =>
			(await this.appeared()).filter(({ status }) => NOT_WELL.includes(status));
		const found = await ours();
		if (found.length > 0) return found;
		await this.api.sleep(FIRST_LOOK); // the answer may be faster than the list
		return await ours();
	}

	private async findLost(fault: MaxunFault): Promise<StartedRun> {
		const end = Math.min(Date.now() + LOST_FOR, this.until);
		for (;;) {
			const [run, ...others] = await this.appeared();
			if (others.length > 0) throw undecided(this.robotId, [run, ...others]);
			if (run) return run;
			if (Date.now() > end) throw lost(this.robotId, fault);
			await this.api.sleep(FIRST_LOOK);
		}
	}
}

const NOT_WELL = ['failed', 'aborting', 'aborted'];

function asFault(error: unknown): MaxunFault {
	if (error instanceof MaxunFault) return error;
	throw error;
}

const noSlot = (robotId: string) =>
	new MaxunFault(
		`The server has not started robot ${robotId}`,
		'It refused every time and made no run: all its browsers are busy, or its log tells another reason. Wait until other runs have ended, or raise Wait For (Minutes)',
		{ status: 500 },
	);

const lost = (robotId: string, fault: MaxunFault) =>
	new MaxunFault(
		`It is not known whether robot ${robotId} was started`,
		`${fault.message}, and no new run of the robot shows. It was not started again, so that it does not run twice: look at the runs of the robot first. ${fault.description}`,
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
				`Somebody else has started it at the same time. Read the right one with Run: Get; these are new: ${runs.map(({ id, status }) => `${id} (${status})`).join(', ')}`,
			);
