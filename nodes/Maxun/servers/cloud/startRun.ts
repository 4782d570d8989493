import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../../http/fault';
import { subjectOf } from '../explain';
import { listOf, Run, StartResponse } from '../entities';
import type { ServerConnection } from '../types';

// A start is charged, so it is never repeated if its response is lost. The run is then among the robot's latest runs.

const Runs = listOf(Run);

/** Milliseconds before each search for a run. A gateway may respond before Maxun has started it. */
const SEARCHES = [0, 3_000, 7_000];

/** By how much the clocks of n8n and Maxun may differ, in milliseconds. */
const CLOCKS_DIFFER = 5_000;

/** How long this process remembers its runs, in milliseconds. A search ends long before. */
const REMEMBERED_FOR = 10 * 60_000;

/** The runs of this process, with the time of their start in epoch milliseconds. They belong to other items. */
const known = new Map<string, number>();

/** A start without a response so far. */
interface OpenStart {
	body: string;
	/** Ends when Maxun has responded, or its response is lost. */
	responding?: Promise<StartResponse>;
	isLost: boolean;
}

/** The pending starts of this process, by server and robot. */
const open = new Map<string, Set<OpenStart>>();

/**
 * Starts a run of a robot or an agent. If the response is lost, finds the run.
 *
 * @param runsPath of the robot or agent
 * @throws MaxunFault that says so if a run may have been started
 */
export async function startRun(
	api: ServerConnection,
	runsPath: string,
	body: IDataObject,
): Promise<StartResponse> {
	const sentAt = Date.now();
	for (const [id, time] of known) if (sentAt - time > REMEMBERED_FOR) known.delete(id);
	const key = api.baseUrl + runsPath;
	const starts = open.get(key) ?? new Set<OpenStart>();
	open.set(key, starts);
	const start: OpenStart = { body: JSON.stringify(body), isLost: false };
	starts.add(start);
	const remember = (run: StartResponse) => {
		known.set(run.id, sentAt);
		return run;
	};
	start.responding = recover(api.post(runsPath, StartResponse, body).then(remember), {
		uncertain: (fault) => {
			start.isLost = true;
			throw fault;
		},
	});
	const starting = recover(start.responding, {
		uncertain: async (fault) => await findLost(api, runsPath, { sentAt, starts, fault }),
	});
	return await starting.finally(() => {
		starts.delete(start);
		if (starts.size === 0) open.delete(key);
	});
}

interface LostStart {
	sentAt: number;
	starts: Set<OpenStart>;
	fault: MaxunFault;
}

/** Finds the run of a lost start among the robot's runs. */
async function findLost(
	api: ServerConnection,
	runsPath: string,
	{ sentAt, starts, fault }: LostStart,
): Promise<StartResponse> {
	const notFound = (finding: string) => mayHaveStarted(runsPath, sentAt, fault, finding);
	let finding = 'The latest runs could not be read';
	for (const pause of SEARCHES) {
		await api.sleep(pause);
		const listed = await recover(api.get(runsPath, Runs, { limit: 100, offset: 0 }), {
			any: () => undefined,
		});
		if (!listed) continue;
		// A remaining run can be ours only when the runs of other items are known.
		await Promise.allSettled([...starts].map(async ({ responding }) => await responding));
		const candidates = listed.filter((run) => isCandidate(run, sentAt));
		const lost = [...starts].filter(({ isLost }) => isLost);
		const areAlike = new Set(lost.map(({ body }) => body)).size === 1;
		const oldest = candidates.at(-1);
		if (!oldest) {
			finding = 'None of the latest runs is new';
			continue;
		}
		if (!areAlike || candidates.length > lost.length) {
			throw notFound(
				`Several runs could be the right one: ${candidates.map(({ id }) => id).join(', ')}`,
			);
		}
		// Immediately, so that no other search takes the same run.
		known.set(oldest.id, sentAt);
		return oldest;
	}
	throw notFound(finding);
}

/** Whether this may be the run of a start that was sent at this time. A queued run may have no start time yet. */
function isCandidate({ id, source, startedAt, finishedAt }: Run, sentAt: number): boolean {
	if (known.has(id) || (source !== undefined && source !== 'api')) return false;
	const time = Date.parse(String(startedAt));
	return Number.isNaN(time) ? !finishedAt : time >= sentAt - CLOCKS_DIFFER;
}

function mayHaveStarted(runsPath: string, sentAt: number, fault: MaxunFault, finding: string) {
	const time = new Date(sentAt).toISOString();
	const message = `A run of ${subjectOf({ method: 'GET', path: runsPath })} may have started`;
	return new MaxunFault(
		message,
		`${fault.message}. ${finding}. The node did not retry, to avoid a second run. Check the runs since ${time} before you start it again. ${fault.description}`,
		{ ...fault, remainder: message },
	);
}
