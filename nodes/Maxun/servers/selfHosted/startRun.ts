import type { IDataObject } from 'n8n-workflow';
import { inTurnUnlessLate } from '../../http/concurrency';
import { MaxunFault, recover } from '../../http/fault';
import { path, withoutEmpty } from '../../http/request';
import { Busy } from '../busy';
import { AnyObject, hasEnded, listOf, Robot, Run, StartResponse } from '../entities';
import { findLost, mayHaveStarted } from '../lost';
import type { ServerConnection, StartOptions } from '../types';

// A self-hosted server responds to a start only after the run ends, possibly hours later, and all its failures look
// alike. So this code finds the new run among the robot's runs instead of waiting for the response.

const Runs = listOf(Run);

/** Milliseconds between two checks of the robot's runs. */
const FIRST_LOOK = 1_000;
const LATEST_LOOK = 10_000;

/** How long a run may take to appear, in milliseconds. Then its start counts as lost. */
const APPEARS_WITHIN = 60_000;

/** How long a start that certainly was not processed may be repeated, in milliseconds. */
const LONGEST_RETRY = 10_000;

/** How long a start waits for other starts of this n8n instance, in milliseconds. Then the server counts as busy. */
const LONGEST_QUEUE = 20_000;

/** Milliseconds before each repetition of a start that was refused although no run is active. Together two minutes. */
const PAUSES = [3_000, 12_000, 35_000, 70_000];

/** All runs of a robot, with their data, in no particular order. */
export const readRuns = async (api: ServerConnection, robotId: string) =>
	await api.get(path`/robots/${robotId}/runs`, Runs);

/**
 * Starts a run and finds it among the robot's runs. Never starts a second run instead.
 *
 * @returns the run as first seen, which may have ended; `Busy` if the server has refused the start while other runs are
 *   active, or if the connection doesn't wait long enough for another attempt
 * @throws MaxunFault if the robot doesn't exist, if the server refuses five starts in two minutes although no run is
 *   active, or if a run may have started
 */
export async function startAndFind(
	api: ServerConnection,
	robotId: string,
	{ formats, smartQueries, isExclusive = false }: StartOptions,
): Promise<StartResponse | Busy> {
	const body = withoutEmpty({ formats, promptInstructions: smartQueries });
	const start = new Start(api, robotId, body, isExclusive, api.serverTime());
	const until = Date.now() + api.maxWait;
	for (let refusals = 0; ; refusals++) {
		// One start at a time: simultaneous starts look alike and may hang the server.
		const outcome = await inTurnUnlessLate(
			api.baseUrl,
			async () => await start.run(),
			api.sleep(Math.min(LONGEST_QUEUE, api.maxWait)),
		);
		if (outcome === 'late') return new Busy(noTurn(robotId));
		if (!(outcome instanceof MaxunFault)) return outcome;
		const refusal = noBrowser(robotId, outcome);
		if (await isAnyRunActive(api)) return new Busy(refusal);
		const pause = PAUSES.at(refusals);
		if (pause === undefined) throw refusal;
		if (Date.now() + pause > until) return new Busy(refusal);
		await api.sleep(pause);
	}
}

/** Whether a run of any robot is active, which needs a browser. */
async function isAnyRunActive(api: ServerConnection): Promise<boolean> {
	for (const { id } of await api.get('/robots', listOf(Robot))) {
		const runs = await recover(readRuns(api, id), { notFound: () => [] });
		if (!runs.every(hasEnded)) return true;
	}
	return false;
}

/** A start request, and the search for its run. */
class Start {
	private known = new Set<string>();

	constructor(
		private readonly api: ServerConnection,
		private readonly robotId: string,
		/** What this run captures, instead of the robot's settings. */
		private readonly body: IDataObject,
		private readonly isExclusive: boolean,
		/** When it is sent first, in epoch milliseconds of the server's clock. */
		private readonly since: number,
	) {}

	/** Sends the request. @returns the run, or the fault if no browser was free */
	async run(): Promise<StartResponse | MaxunFault> {
		const { api, robotId, body } = this;
		// A start doesn't report a missing robot, but this request does.
		const before = await readRuns(api, robotId);
		this.known = new Set(before.map(({ id }) => id));
		// With few retries: they could start the run when nothing looks for it anymore.
		const sending = api.within(LONGEST_RETRY).send(
			{
				method: 'POST',
				path: path`/robots/${robotId}/runs`,
				body: Object.keys(body).length > 0 ? body : undefined,
				timeout: APPEARS_WITHIN,
				isLong: true,
			},
			StartResponse,
		);
		const responding = recover(sending, { any: (fault) => fault });
		responding.catch(() => undefined); // canceling may reject this when nothing awaits it
		const outcome = await this.findWhile(responding);
		if (!(outcome instanceof MaxunFault)) return outcome;
		if (outcome.isOwn && outcome.status === 500) return await this.findRefused(outcome);
		if (outcome.mayHaveHappened) return await this.findUnanswered(outcome);
		throw outcome;
	}

	/** The response, or the run if it appears earlier. */
	private async findWhile(
		responding: Promise<StartResponse | MaxunFault>,
	): Promise<StartResponse | MaxunFault> {
		const since = Date.now();
		let seen: string | undefined;
		for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 1.5, LATEST_LOOK)) {
			const response = await Promise.race([responding, this.api.sleep(pause)]);
			if (response) return response;
			// If the server is unreachable now, the next check follows anyway.
			const looking = recover(this.ownRuns(this.api.within(0)), { any: (): Run[] => [] });
			// The response counts at once, even if the list takes long.
			const runs = await Promise.race([responding, looking]);
			if (!Array.isArray(runs)) return runs;
			const only = runs.length === 1 ? runs[0] : undefined;
			// The only new run twice in a row: another start at the same moment would have appeared by now.
			if (only && only.id === seen) return only;
			seen = only?.id;
			if (Date.now() - since > APPEARS_WITHIN) return noResponse;
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
	 * The runs that this start may have created. On a robot that others use, too, they show the same inputs.
	 *
	 * @param runs by default all new ones, and those of an early server, which takes no inputs and shows none
	 */
	private async ownRuns(api = this.api, runs?: Run[]): Promise<Run[]> {
		const own: Run[] = [];
		for (const run of runs ?? (await this.newRuns(api))) {
			if (this.isExclusive || (await this.showsInputs(run, api, !runs))) own.push(run);
		}
		return own;
	}

	/**
	 * The run behind an error response, which is the same if the run failed or was never created. The list may not show yet
	 * that the run has ended.
	 *
	 * @returns the fault if there is no new run in two looks
	 */
	private async findRefused(fault: MaxunFault): Promise<StartResponse | MaxunFault> {
		for (const pause of [0, FIRST_LOOK]) {
			await this.api.sleep(pause);
			const runs = await recover(this.ownRuns(), {
				any: () => {
					throw this.lost(fault);
				},
			});
			if (runs.length > 1) throw this.lost(fault, runs);
			if (runs.length > 0) return runs[0];
		}
		return fault;
	}

	/** The run of a start without a response. */
	private async findUnanswered(fault: MaxunFault): Promise<StartResponse> {
		const found = await findLost(this.api, async (api) => await this.newRuns(api));
		const [own, ...others] = await recover(this.ownRuns(this.api, found ?? []), { any: () => [] });
		if (own && others.length === 0) return own;
		throw this.lost(fault, found);
	}

	/** Whether the server's own record of a run contains what this start asked for. */
	private async showsInputs(run: Run, api: ServerConnection, ifHidden: boolean): Promise<boolean> {
		const record = api.get(path`/sdk/robots/${this.robotId}/runs/${run.id}`, RecordOfRun);
		const settings = await recover(
			record.then(({ interpreterSettings }) => interpreterSettings),
			{ missingRoute: () => undefined, notFound: () => undefined },
		);
		if (!settings) return ifHidden;
		return INPUTS.every(
			(name) => JSON.stringify(settings[name]) === JSON.stringify(this.body[name]),
		);
	}

	private lost(fault: MaxunFault, found?: Run[]): MaxunFault {
		return mayHaveStarted(fault, `robot '${this.robotId}'`, found, this.since);
	}
}

const noResponse = new MaxunFault(
	'The server did not confirm the start',
	"Check the server's log",
	{ mayHaveHappened: true, temporary: true },
);

/** The server's own record of a run. */
const RecordOfRun = AnyObject.extend({ interpreterSettings: AnyObject.catch({}) });

/** Fields of a start that the server stores with the run. */
const INPUTS = ['formats', 'promptInstructions'];

const notStarted = (robotId: string) => `The server did not start robot ${robotId}`;

const noBrowser = (robotId: string, fault: MaxunFault) =>
	fault.with({
		message: notStarted(robotId),
		description:
			"All its browsers may be busy. Check the server's log. Wait until other runs finish, or increase 'Timeout (Minutes)'",
		mayHaveHappened: false,
	});

const noTurn = (robotId: string) =>
	new MaxunFault(
		notStarted(robotId),
		"Self-hosted servers start one run at a time, and other executions came first. Increase 'Timeout (Minutes)', or start fewer runs at a time",
		{ notProcessed: true, temporary: true },
	);
