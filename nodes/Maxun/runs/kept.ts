import { faultOf, recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import { AGE, keptName, KEPT_LIFE, retiredName } from './expiry';
import { startRun, whenVisible } from './start';
import { createNamed } from './temporary';
import type { KeptRobot, StartContext, StartedRun } from './types';

/** Starts a kept robot. @param mark replaces an old robot by a copy with this mark @throws Busy */
export async function startKept(
	{ maxun, keptInUse, robot: made, onCreated }: StartContext,
	{ robotId, until }: KeptRobot,
	{ url, mark }: { url: string; mark?: string },
): Promise<StartedRun> {
	const isOld = until - maxun.serverTime() < KEPT_LIFE - AGE;
	const copyOf = async (name: string) => {
		const copy = await createNamed(maxun, name, maxun.robots.duplicate(robotId, url, name));
		onCreated?.({ kind: 'robot', robotId: copy, stays: true });
		await retire(maxun, robotId);
		return copy;
	};
	const copying = mark && isOld && !made ? copyOf(keptName(maxun, mark)) : undefined;
	const known = made?.robotId ?? robotId;
	const id = copying ? await recover(copying, { any: () => known }) : known;
	keptInUse.add(id);
	const started = await whenVisible(maxun, async () => await startRun(maxun, 'robot', id, {}));
	return { ...started, isKept: true };
}

/** Lets a kept robot expire. Another item or execution may still need it. */
export const retire = async (maxun: MaxunServer, robotId: string): Promise<void> =>
	void (await faultOf(maxun.robots.update(robotId, { name: retiredName(maxun) })));
