import { createHash } from 'crypto';
import { faultOf, recover } from '../http/fault';
import { addressOf } from '../http/links';
import type { MaxunServer } from '../servers/types';
import { isOld, retiredName } from './expiry';
import { startRun, whenVisible } from './start';
import { startTemporary, type TemporarySpec } from './temporary';
import {
	MARK_PARTS,
	type KeptRobot,
	type Keeping,
	type Learnt,
	type StartContext,
	type StartedRun,
	type TemporaryRobot,
} from './types';

/** What a task has from earlier executions, and from pages. */
export interface ReuseContext extends StartContext {
	readonly known?: KeptRobot;
	readonly learnt?: Pick<Learnt, 'selectors'>;
}

/**
 * Starts the robot that earlier executions have kept, or a temporary robot, which is kept if its run is good.
 * @throws Busy
 */
export async function startKeptOrNew(
	context: ReuseContext,
	spec: TemporarySpec,
	url: string,
): Promise<StartedRun> {
	const { maxun, known, learnt, robot: made } = context;
	const isUsable = known && !known.isBroken && learnt?.selectors === undefined;
	if (!isUsable) return { ...(await startTemporary(context, spec)), known };
	const { robotId, isOutdated } = known;
	// An earlier call has made the copy.
	if (made || isOutdated || isOld(maxun, known)) {
		const copied = await startCopy(context, spec, async (name) => {
			return isOutdated
				? await spec.create(name)
				: await maxun.robots.duplicate(robotId, url, name);
		});
		if (copied) return { ...copied, known };
	}
	const started = await whenVisible(maxun, async () => {
		return await startRun(maxun, 'robot', robotId, { isExclusive: true });
	});
	return { ...started, isReused: true, known };
}

/** Undefined if Maxun can't copy the robot. Then the robot itself has to do. */
async function startCopy(
	context: ReuseContext,
	spec: TemporarySpec,
	create: TemporarySpec['create'],
): Promise<StartedRun | undefined> {
	let copy = context.robot;
	const onCreated = (robot: TemporaryRobot) => {
		copy = robot;
		context.onCreated?.(robot);
	};
	const own = { ...spec, create, checkReady: undefined };
	return await recover(startTemporary({ ...context, onCreated }, own), {
		any: (fault): undefined => {
			if (copy !== undefined) throw fault;
		},
	});
}

/** Lets a kept robot expire. Another item or execution may still need it. Never throws a fault. */
export const retire = async (maxun: MaxunServer, { robotId, mark }: KeptRobot): Promise<void> =>
	void (await faultOf(maxun.robots.rename(robotId, retiredName(maxun, mark))));

/** The node is part of each hash, so that nobody can look up a typed text. */
export function markOf(owner: string, { page, form, word }: Keeping): string {
	const hash = (text: string) => createHash('sha256').update(`${owner} ${text}`).digest('hex');
	const { node, page: ofPage, form: ofForm } = MARK_PARTS;
	return [
		hash('').slice(0, node),
		hash(addressOf(page)).slice(0, ofPage),
		hash(`${word} ${form}`).slice(0, ofForm),
	].join('');
}
