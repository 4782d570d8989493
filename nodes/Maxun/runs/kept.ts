import { recover } from '../http/fault';
import { AGE, keptName, KEPT_LIFE } from './expiry';
import { startRun, whenVisible } from './start';
import { createNamed, deleteRobot } from './temporary';
import type { KeptRobot, StartContext, StartedRun } from './types';

/** Starts a kept robot. An old one gets a copy, which stays instead. @throws Busy */
export async function startKept(
	context: StartContext,
	{ robotId, until }: KeptRobot,
	{ url, mark }: { url: string; mark: string },
): Promise<StartedRun> {
	const { maxun } = context;
	const isOld = until - maxun.serverTime() < KEPT_LIFE - AGE;
	const name = keptName(maxun, mark);
	const copying = async () => {
		const copy = await createNamed(maxun, name, maxun.robots.duplicate(robotId, url, name));
		await deleteRobot(context, { kind: 'robot', robotId });
		return copy;
	};
	const id = isOld ? await recover(copying(), { forbidden: () => robotId }) : robotId;
	const started = await whenVisible(maxun, async () => await startRun(maxun, 'robot', id, {}));
	return { ...started, isKept: true };
}
