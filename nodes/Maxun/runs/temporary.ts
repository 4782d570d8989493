import { randomString } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { faultOf, MaxunFault, recover } from '../http/fault';
import { hasEnded, idOf, type Robot } from '../servers/entities';
import type { MaxunServer, StartOptions } from '../servers/types';
import { startRun } from './start';
import type { PendingRun, RunContext, StartedRun } from './types';

const PREFIX = 'n8n';

/** The latest robots whose names are those of temporary robots. */
export async function findTemporaryRobots({ robots }: MaxunServer): Promise<Robot[]> {
	const found = (await robots.find?.(PREFIX, 100)) ?? [];
	return found.filter(({ name }) => /^n8n [a-z]+ \w{10}$/.test(name));
}

/** A robot that is created for one run. */
interface TemporaryRobot {
	kind: 'robot' | 'agent';
	/** The operation, which is part of the robot's name. */
	what: string;
	/** Keeps the robot after the run. */
	keep: boolean;
	/** Creates the robot, even if the execution is cancelled meanwhile. */
	create(name: string): Promise<IDataObject>;
	/** How to start its run. */
	options: StartOptions;
	/** Fields added before those of each item. */
	fields?: IDataObject;
	/** Waits until the robot can run. */
	ready?(robotId: string): Promise<unknown>;
}

/**
 * Creates a robot and starts it. If the start fails, deletes the robot.
 *
 * Sends both requests even if the execution is cancelled meanwhile. Aborting them could leave an untracked robot or run
 * in Maxun.
 */
export async function startTemporary(
	{ maxun }: RunContext,
	temporary: TemporaryRobot,
): Promise<StartedRun> {
	const { kind, keep, ready, fields, options } = temporary;
	const lasting = maxun.afterCancel();
	const robotId = await createdId(lasting, temporary);
	const start = async () => {
		await ready?.(robotId);
		maxun.throwIfCancelled();
		return await startRun(maxun.runs.oneAtATime ? maxun : lasting, kind, robotId, options);
	};
	const run = await start().catch(async (error: unknown) => {
		const left = await deleteRobot(maxun, kind, robotId);
		throw left && error instanceof MaxunFault ? error.adding(left) : error;
	});
	return { ...run, fields, temporary: keep ? undefined : kind };
}

/** Milliseconds before each search for a robot whose creation got no response. A gateway may time out before Maxun. */
const SEARCHES = [0, 3_000, 7_000];

/** Creates the robot. If the response contains no ID or is lost, finds the robot by its unique name. */
async function createdId(maxun: MaxunServer, { create, what }: TemporaryRobot): Promise<string> {
	// Unique, and shows Maxun users where the robot comes from.
	const name = `${PREFIX} ${what} ${randomString(10)}`;
	let lost = new MaxunFault(
		'Maxun did not return the ID of the new robot',
		'The robot is not in the list of robots either',
	);
	const created = await recover(create(name), {
		uncertain: (fault) => {
			lost = fault;
			return undefined;
		},
	});
	const id = created && idOf(created);
	if (id) return id;
	for (const pause of SEARCHES) {
		await maxun.sleep(pause);
		const found = await recover(maxun.robots.find?.(name) ?? Promise.resolve([]), {
			any: () => [],
		});
		const robot = found.find((candidate) => candidate.name === name);
		if (robot) return robot.id;
	}
	throw lost.adding(`A robot named '${name}' may remain in Maxun`);
}

/** How often to try to delete a robot while one of its runs is still ending. */
const ATTEMPTS = 6;
const DELAY = 1000;

/** Deletes the temporary robot of a run, if any. @returns what is left in Maxun and why */
export const deleteTemporary = async ({
	context,
	temporary,
	robotId,
}: Pick<PendingRun, 'temporary' | 'robotId' | 'context'>): Promise<string | undefined> =>
	temporary && (await deleteRobot(context.maxun, temporary, robotId));

/**
 * Deletes a temporary robot, and cancels its runs. Also works after a cancellation, and never throws a fault.
 *
 * @returns what is left in Maxun and why; undefined if nothing is
 */
export async function deleteRobot(
	maxun: MaxunServer,
	kind: TemporaryRobot['kind'],
	robotId: string,
): Promise<string | undefined> {
	const lasting = maxun.afterCancel();
	const remove = kind === 'agent' ? lasting.agents?.delete : lasting.robots.delete;
	for (let attempt = 1; ; attempt++) {
		const fault = await anyFaultOf(Promise.resolve(remove?.(robotId)));
		if (!fault || fault.status === 404) return undefined;
		if (fault.status !== 409 || attempt === ATTEMPTS) {
			return `The temporary ${kind} ${robotId} remains in Maxun: ${fault.message}`;
		}
		await anyFaultOf(cancelRuns(lasting, robotId));
		await lasting.sleep(DELAY);
	}
}

/** Cancels the active runs of a robot, which prevent its deletion. */
async function cancelRuns({ runs }: MaxunServer, robotId: string): Promise<void> {
	const active = (await runs.listActive?.()) ?? (await runs.list(robotId, {}, Infinity));
	for (const run of active.filter(
		(candidate) => candidate.robotId === robotId && !hasEnded(candidate),
	)) {
		await anyFaultOf(Promise.resolve(runs.cancel?.(run.id, robotId))); // it may have ended by now
	}
}

/** Any error as a fault, because cleanup must not hide the original error. */
const anyFaultOf = async (work: Promise<unknown>): Promise<MaxunFault | undefined> =>
	await faultOf(work).catch((error: unknown) => new MaxunFault(String(error), ''));
