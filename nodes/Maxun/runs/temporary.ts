import { randomString } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { faultOf, MaxunFault, recover } from '../http/fault';
import { hasEnded, idOf, type Robot } from '../servers/entities';
import type { MaxunServer, StartOptions } from '../servers/types';
import { startRun } from './start';
import type { PendingRun, Remainder, RunContext, StartedRun } from './types';
import { mayAppear, whenVisible } from './visible';

/** The first word of the names of temporary robots, which shows Maxun users where they come from. */
export const PREFIX = 'n8n';

/** The latest robots whose names are those of temporary robots. */
export async function findTemporaryRobots({ robots }: MaxunServer): Promise<Robot[]> {
	const found = (await robots.find?.(PREFIX, 100)) ?? [];
	return found.filter(({ name }) => /^n8n [a-z]+ [\w-]+$/.test(name));
}

/** A robot that is created for one run. */
interface TemporaryRobot {
	kind: 'robot' | 'agent';
	/** The operation, which is part of the robot's name. */
	what: string;
	/** Keeps the robot after the run. */
	keep: boolean;
	/** Creates the robot, unless the execution was cancelled before. A cancellation must not abort it. */
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
 * A cancellation aborts neither request, because an untracked robot or run could remain in Maxun.
 */
export async function startTemporary(
	context: RunContext,
	temporary: TemporaryRobot,
): Promise<StartedRun> {
	const { maxun, owner, remains } = context;
	const { kind, what, keep, ready, fields, options } = temporary;
	await owner.deleteAbandoned(context);
	const lasting = maxun.afterCancel();
	const created = Date.now();
	// A later execution must not delete a robot that the user keeps.
	const name = keep ? `${PREFIX} ${what} ${randomString(10)}` : owner.nameOf(what);
	const robotId = await createdId(lasting, name, temporary);
	const start = async () => {
		await ready?.(robotId);
		const server = maxun.runs.oneAtATime ? maxun : maxun.creating();
		return await whenVisible(maxun, async () => await startRun(server, kind, robotId, options));
	};
	const run = await start().catch(async (error: unknown) => {
		const left = remainders([await deleteRobot(maxun, kind, robotId, { created })]).join();
		if (left && error instanceof MaxunFault) throw error.leaving(left);
		if (left) remains(left);
		throw error;
	});
	return { ...run, fields, temporary: keep ? undefined : kind };
}

/** Milliseconds before each search for a robot whose creation got no response. A gateway may time out before Maxun. */
const SEARCHES = [0, 3_000, 7_000];

/** Creates the robot. If the response contains no ID or is lost, finds the robot by its unique name. */
async function createdId(
	maxun: MaxunServer,
	name: string,
	{ create }: TemporaryRobot,
): Promise<string> {
	let lost = new MaxunFault(
		'Maxun did not return the ID of the new robot',
		'The robot is not in the list of robots either',
	);
	const created = await recover(create(name), {
		uncertain: (fault) => {
			// A robot without a run costs nothing, and the next one has another name.
			lost = fault.repeating(false);
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
	throw lost.leaving(`A robot named '${name}' may remain in Maxun`);
}

/** How often to try to delete a robot while one of its runs is still ending. */
const ATTEMPTS = 6;
const DELAY = 1000;

/** Deletes the temporary robot of a run, if any. @returns the robot if it remains in Maxun */
export const deleteTemporary = async ({
	context,
	temporary,
	robotId,
	runId,
	since,
}: PendingRun): Promise<Remainder | undefined> =>
	temporary && (await deleteRobot(context.maxun, temporary, robotId, { created: since, runId }));

/**
 * Deletes a temporary robot, and cancels its runs. Also works after a cancellation, and never throws a fault.
 *
 * @param known when the robot was created, in epoch milliseconds, if that may be a moment ago, and its run
 * @returns the robot if it remains in Maxun
 */
export async function deleteRobot(
	maxun: MaxunServer,
	kind: TemporaryRobot['kind'],
	robotId: string,
	{ created = 0, runId }: { created?: number; runId?: string } = {},
): Promise<Remainder | undefined> {
	const lasting = maxun.afterCancel();
	const remove = kind === 'agent' ? lasting.agents?.delete : lasting.robots.delete;
	let isRunCancelled = false;
	for (let attempt = 1; ; attempt++) {
		const fault = await anyFaultOf(Promise.resolve(remove?.(robotId)));
		const isMissing = fault?.status === 404;
		if (!fault || (isMissing && !mayAppear(created))) return undefined;
		if (!isMissing && (fault.status !== 409 || attempt >= ATTEMPTS)) {
			return { kind, robotId, reason: fault.message, isRunCancelled };
		}
		if (!isMissing) {
			const only = attempt === 1 ? runId : undefined;
			const cancelled = await cancelRuns(lasting, robotId, only).catch(() => []);
			isRunCancelled ||= cancelled.some((id) => id === runId);
		}
		if (isMissing || attempt > 1) await lasting.sleep(DELAY);
	}
}

/** Names robots that remain in Maxun: one sentence for each kind and reason. */
export function remainders(left: Array<Remainder | undefined>): string[] {
	const groups = new Map<string, Remainder[]>();
	for (const robot of left) {
		if (!robot) continue;
		const key = `${robot.kind} ${robot.reason}`;
		groups.set(key, [...(groups.get(key) ?? []), robot]);
	}
	return [...groups.values()].map((group) => {
		const [{ kind, reason }] = group;
		const ids = group.map(({ robotId }) => robotId).join(', ');
		return group.length === 1
			? `The temporary ${kind} ${ids} remains in Maxun: ${reason}`
			: `${group.length} temporary ${kind}s remain in Maxun (${ids}): ${reason}`;
	});
}

/** Cancels the active runs of a robot, which prevent its deletion, or only one of them. @returns their IDs */
async function cancelRuns(
	{ runs }: MaxunServer,
	robotId: string,
	only?: string,
): Promise<string[]> {
	const cancelled: string[] = [];
	const listed = async () =>
		(await runs.listActive?.()) ?? (await runs.list(robotId, {}, Infinity));
	const active =
		only === undefined ? (await listed()).filter((run) => !hasEnded(run)) : [{ id: only, robotId }];
	for (const run of active.filter((candidate) => candidate.robotId === robotId)) {
		// It may have ended by now.
		const fault = await anyFaultOf(Promise.resolve(runs.cancel?.(run.id, robotId)));
		if (!fault && runs.cancel) cancelled.push(run.id);
	}
	return cancelled;
}

/** Any error as a fault, because cleanup must not hide the original error. */
const anyFaultOf = async (work: Promise<unknown>): Promise<MaxunFault | undefined> =>
	await faultOf(work).catch((error: unknown) => new MaxunFault(String(error), ''));
