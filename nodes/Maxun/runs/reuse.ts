import { createHash } from 'crypto';
import { recover } from '../http/fault';
import { addressOf } from '../http/links';
import { isOld } from './expiry';
import { startRun, whenVisible } from './start';
import { createRobot, startTemporary, type TemporarySpec } from './temporary';
import {
	MARK_PARTS,
	type KeptRobot,
	type Keeping,
	type Learnt,
	type StartContext,
	type StartedRun,
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
	if (made || isOutdated || isOld(maxun, known)) {
		const duplicate = async (name: string) => await maxun.robots.duplicate(robotId, url, name);
		const create = isOutdated ? spec.create : duplicate;
		const own = { ...spec, create, checkReady: undefined };
		// If there is no copy, the robot itself is used.
		const copying = async () =>
			await recover(createRobot(context, own), {
				any: ({ message }): undefined => {
					if (isOutdated) context.hint(NOT_COPIED, 1, message);
				},
			});
		const robot = made ?? (await copying());
		if (robot) return { ...(await startTemporary({ ...context, robot }, own)), known };
	}
	const started = await whenVisible(maxun, async () => {
		return await startRun(maxun, 'robot', robotId, { isExclusive: true });
	});
	return { ...started, isReused: true, known };
}

const NOT_COPIED =
	'The robot was changed in Maxun, but Maxun did not copy it again, so the node used its former copy';

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
