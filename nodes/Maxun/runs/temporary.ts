import type { IDataObject } from 'n8n-workflow';
import { faultOf, MaxunFault, recover } from '../http/fault';
import { DAY, SECOND } from '../http/time';
import { Busy } from '../servers/busy';
import { hasEnded, idOf, type Run } from '../servers/entities';
import { findLost } from '../servers/lost';
import type { MaxunServer, StartOptions } from '../servers/types';
import {
	deleteExpired,
	isUnusedFor,
	keptRobots,
	kindLeftByTool,
	lastingName,
	temporaryName,
} from './expiry';
import { startRun, whenVisible } from './start';
import {
	MARK_PARTS,
	type KeptRobot,
	type StartContext,
	type StartedRun,
	type TemporaryRobot,
} from './types';

export interface TemporarySpec {
	kind?: TemporaryRobot['kind'];
	operation: string;
	keep?: boolean;
	timeoutMinutes: number;
	duplicateOf?: string;
	create(name: string): Promise<IDataObject>;
	fileName?: string;
	options?: StartOptions;
	checkReady?(robotId: string): Promise<unknown>;
}

/** Creates a robot, unless an earlier call has, and starts it. @throws Busy if the robot has to wait */
export async function startTemporary(
	context: StartContext,
	spec: TemporarySpec,
): Promise<StartedRun> {
	const { maxun, robot: existing } = context;
	const { keep, checkReady, duplicateOf, fileName, options } = spec;
	const robot = existing ?? (await createRobot(context, spec));
	const { kind, robotId } = robot;
	context.onCreated?.(robot);
	await checkReady?.(robotId);
	const started = await whenVisible(
		maxun,
		async () => await startRun(maxun, kind, robotId, { ...options, isExclusive: true }),
	);
	return { ...started, duplicateOf, fileName, [keep ? 'lasting' : 'temporary']: kind };
}

/** On a server that queues runs. */
export const MOST_ROBOTS = 50;

/** The plan doesn't allow more robots. The next run can start when one of the execution's own runs ends. */
export class LimitReached extends Busy {}

export async function createRobot(
	context: StartContext,
	spec: TemporarySpec,
): Promise<TemporaryRobot> {
	await deleteExpired(context);
	const { kind = 'robot', create, operation, keep, timeoutMinutes } = spec;
	const name = keep
		? lastingName(operation)
		: temporaryName(operation, kind, context, timeoutMinutes);
	context.onNamed?.(kind, name);
	const creating = async () => await createNamed(context.maxun, name, create(name));
	const robotId = await recover(creating(), {
		forbidden: async (fault) => {
			if (fault.isIncomplete) throw fault;
			if (await makeRoom(context)) return await recover(creating(), { forbidden: limitReached });
			return limitReached(fault);
		},
	});
	return { kind, robotId };
}

/** Deletes a kept robot that seems unused. A robot with an active run is kept. @returns whether the plan has room now */
async function makeRoom({ maxun, marks }: StartContext): Promise<boolean> {
	const robots = await recover(keptRobots(maxun), { any: () => [] });
	const oldest = robots.find((robot) => isSpare(maxun, robot, marks));
	return oldest !== undefined && !(await faultOf(maxun.robots.delete(oldest.robotId)));
}

/**
 * A robot that stores selectors by example is only a cache. Other robots are the node's only record of a page and its
 * columns. So such a robot must be the node's own, and must either read a page in the input with an earlier form, or
 * be unused for a week. So the robots for other pages of a loop are kept.
 */
function isSpare(maxun: MaxunServer, robot: KeptRobot, marks: Set<string>): boolean {
	const { word, mark } = robot;
	if (word === 'retired') return true;
	if (marks.has(mark)) return false;
	if (word === 'rows') return true;
	const { node, page } = MARK_PARTS;
	const isOwn = (length: number) =>
		[...marks].some((used) => used.startsWith(mark.slice(0, length)));
	return isOwn(node + page) || (isOwn(node) && isUnusedFor(7 * DAY, maxun, robot));
}

function limitReached(fault: MaxunFault): never {
	throw new LimitReached(fault);
}

/** If the response is lost or doesn't contain an ID, finds the robot by its unique name. */
async function createNamed(maxun: MaxunServer, name: string, creating: Promise<object>) {
	let lost = new MaxunFault(
		'Maxun did not return the ID of the new robot',
		'The list of robots does not contain it',
		{ mayHaveHappened: true },
	);
	const created = await recover(creating, {
		mayHaveHappened: (fault) => {
			if (fault.isIncomplete) throw fault;
			lost = fault;
			return {};
		},
	});
	const id = idOf({ ...created });
	if (id) return id;
	const found = await findLost(maxun, async ({ robots }) => {
		const named = await robots.list({ q: name }, 1);
		return named.filter((robot) => robot.name === name);
	});
	if (found?.[0]) return found[0].id;
	throw lost.adding(`A robot named '${name}' may remain in Maxun`);
}

export const isLeftByTool = ({ robotName }: Run): boolean =>
	kindLeftByTool(robotName ?? '') !== undefined;

/** Deletes a robot whose run was read. Never throws a fault. */
export async function deleteReadRobot(context: Deleting, run: Run): Promise<void> {
	const kind = kindLeftByTool(run.robotName ?? '');
	if (kind && run.robotId && hasEnded(run))
		await deleteRobot(context, { kind, robotId: run.robotId });
}

type Deleting = Pick<StartContext, 'maxun' | 'onLeftover'>;

/** Cancels the robot's runs, first `runId`. Never throws a fault. */
export async function deleteRobot(
	{ maxun, onLeftover }: Deleting,
	{ kind, robotId }: TemporaryRobot,
	runId?: string,
): Promise<void> {
	if (runId) await faultOf(maxun.runs.cancel(runId, robotId));
	const remove = kind === 'agent' ? maxun.agents.delete : maxun.robots.delete;
	for (let attempt = 1; ; attempt++) {
		const fault = await faultOf(remove(robotId));
		if (!fault || fault.isNotFound) return;
		// One of its runs may still be ending.
		if (fault.status !== 409 || attempt > 5) return onLeftover(fault.message);
		await cancelRuns(maxun, robotId);
		if (attempt > 1) await maxun.sleep(SECOND);
	}
}

async function cancelRuns({ runs }: MaxunServer, robotId: string): Promise<void> {
	const listed = async () =>
		(await runs.listActive?.()) ?? (await runs.list(robotId, {}, Infinity));
	const active = await recover(listed(), { any: () => [] });
	for (const run of active) {
		// The run may have ended by now.
		if (run.robotId === robotId && !hasEnded(run)) await faultOf(runs.cancel(run.id, robotId));
	}
}
