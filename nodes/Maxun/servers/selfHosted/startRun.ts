import type { IDataObject } from 'n8n-workflow';
import { inTurn, isTaken } from '../../http/concurrency';
import { MaxunFault, recover } from '../../http/fault';
import { path, withoutEmpty } from '../../http/request';
import { MINUTE, SECOND } from '../../http/time';
import { isEmpty } from '../../http/values';
import { Busy } from '../busy';
import { about, StartResponse, type Run } from '../entities';
import { findLost, mayHaveStarted } from '../lost';
import type { ServerConnection, StartOptions } from '../types';
import { findRecord, isAnyActive, readRuns, type RunRecord } from './readRuns';

// A self-hosted server responds to a start only when the run ends, possibly hours later, and all its failures look
// alike. So this code finds the new run among the robot's runs instead of waiting for the response.

/** Pauses before each retry of a rejected start, two minutes in total. */
const DELAYS = [3 * SECOND, 12 * SECOND, 35 * SECOND, 70 * SECOND];

/** Never starts a second run. @throws Busy if another start may succeed later, MaxunFault if a run may have started */
export async function startAndFind(
	api: ServerConnection,
	robotId: string,
	{ formats, smartQueries, isExclusive = false }: StartOptions,
): Promise<StartResponse> {
	const body = withoutEmpty({ formats, promptInstructions: smartQueries });
	const start = new Start(api, robotId, body, isExclusive, api.serverTime());
	const until = Date.now() + api.maxWait;
	for (let refusals = 0; ; refusals++) {
		// Simultaneous starts look alike and may hang the server.
		if (isTaken(api.baseUrl)) throw new Busy(noTurn(robotId));
		const outcome = await inTurn(api.baseUrl, async () => await start.run());
		if (!(outcome instanceof MaxunFault)) return outcome;
		const refusal = noBrowser(robotId, outcome);
		if (await isAnyActive(api)) throw new Busy(refusal);
		const pause = DELAYS.at(refusals);
		if (pause === undefined) throw refusal;
		if (Date.now() + pause > until) throw new Busy(refusal);
		await api.sleep(pause);
	}
}

class Start {
	private known = new Set<string>();

	constructor(
		private readonly api: ServerConnection,
		private readonly robotId: string,
		private readonly body: IDataObject,
		private readonly isExclusive: boolean,
		/** In epoch milliseconds of the server's clock. */
		private readonly sentAt: number,
	) {}

	async run(): Promise<StartResponse | MaxunFault> {
		const { api, robotId, body } = this;
		// A start doesn't report a missing robot, but this request does.
		const before = await readRuns(api, robotId);
		this.known = new Set(before.map(({ id }) => id));
		// Only a few retries, because a late retry could start a run that nothing looks for anymore.
		const sending = api.with({ maxWait: 10 * SECOND }).send(
			{
				method: 'POST',
				path: path`/robots/${robotId}/runs`,
				body: isEmpty(body) ? undefined : body,
				timeout: MINUTE,
				isLong: true,
			},
			about(StartResponse, { robotId }),
		);
		const responding = recover(sending, { any: (fault) => fault });
		responding.catch(() => undefined); // Canceling may reject this when nothing awaits it.
		const outcome = await this.findWhile(responding);
		return outcome instanceof MaxunFault ? await this.findAfter(outcome) : outcome;
	}

	private async findWhile(
		responding: Promise<StartResponse | MaxunFault>,
	): Promise<StartResponse | MaxunFault> {
		let seen: Run | undefined;
		for (let pause = SECOND; ; pause *= 1.5) {
			const response = await Promise.race([responding, this.api.sleep(pause)]);
			if (response) return response;
			// If the server is unreachable now, the next poll follows anyway.
			const looking = recover(this.newRuns(this.api.with({ maxWait: 0 })), { any: () => [] });
			// The response is used at once, even if reading the list takes a long time.
			const runs = await Promise.race([responding, looking]);
			if (!Array.isArray(runs)) return runs;
			const only = runs.length === 1 ? runs[0].run : undefined;
			// The same run is the only new run twice in a row. Another start at the same moment would have appeared by now.
			if (only && only.id === seen?.id) return only;
			seen = only;
		}
	}

	/** The server returns the same error whether the run failed or was never created. */
	private async findAfter(fault: MaxunFault): Promise<StartResponse | MaxunFault> {
		const isRefused = fault.isMaxuns && fault.status === 500;
		if (!isRefused && !fault.mayHaveHappened) throw fault;
		const pauses = isRefused ? [0, SECOND] : undefined;
		const found = await findLost(this.api, async (api) => await this.newRuns(api), pauses);
		if (found?.length === 0 && isRefused) return fault;
		if (found?.length === 1 && (isRefused || found[0].isOurs)) return found[0].run;
		const runs = found?.map(({ run }) => run);
		throw mayHaveStarted(fault, `robot '${this.robotId}'`, runs, this.sentAt);
	}

	/** The new runs, except for other clients' runs. Without a record, `isOurs` is undefined. */
	private async newRuns(api: ServerConnection): Promise<Array<{ run: Run; isOurs?: boolean }>> {
		const candidates = (await readRuns(api, this.robotId)).filter(
			({ id, source }) => !this.known.has(id) && (source === 'api' || source === undefined),
		);
		const reading = candidates.map(async (run) => {
			const record = this.isExclusive ? undefined : await findRecord(api, this.robotId, run.id);
			return { run, isOurs: this.isExclusive || (record && this.hasStarted(record)) };
		});
		return (await Promise.all(reading)).filter(({ isOurs }) => isOurs !== false);
	}

	/** The server stores a start's inputs with the run. */
	private hasStarted({ interpreterSettings: stored }: RunRecord): boolean {
		return ['formats', 'promptInstructions'].every(
			(name) => JSON.stringify(stored[name]) === JSON.stringify(this.body[name]),
		);
	}
}

const noStart = (robotId: string) => `The server did not start robot ${robotId}`;

const noBrowser = (robotId: string, fault: MaxunFault) =>
	fault.with({
		message: noStart(robotId),
		description:
			"All its browsers may be busy. Check the server's log. Wait until other runs end, or increase 'Timeout (Minutes)'",
		mayHaveHappened: false,
	});

const noTurn = (robotId: string) =>
	new MaxunFault(
		noStart(robotId),
		"Self-hosted servers start one run at a time, and other executions came first. Increase 'Timeout (Minutes)', or start fewer runs at a time",
		{ notProcessed: true, temporary: true },
	);
