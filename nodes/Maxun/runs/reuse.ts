import { recover } from '../http/fault';
import { hashOf } from '../http/hash';
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
		const create = async (name: string) =>
			await (isOutdated ? spec.create(name) : maxun.robots.duplicate(robotId, url, name));
		const own = { ...spec, create, checkReady: undefined };
		// If there is no copy, the robot itself is used.
		const robot =
			made ??
			(await recover(createRobot(context, own), {
				any: ({ text }) => (isOutdated ? context.hint(NOT_COPIED, 1, text) : undefined),
			}));
		if (robot) return { ...(await startTemporary({ ...context, robot }, own)), known };
	}
	const starting = async () => await startRun(maxun, 'robot', robotId, { isExclusive: true });
	const started = await whenVisible(maxun, starting);
	return { ...started, isReused: true, known };
}

const NOT_COPIED =
	'The robot has changed, but Maxun did not copy it again, so the node used the earlier copy';

/** The node is part of each hash, so that a typed text can't be looked up. */
export function markOf(owner: string, { page, form, word }: Keeping): string {
	const hash = (text: string, length: number) => hashOf(`${owner} ${text}`, length);
	const { node, page: ofPage, form: ofForm } = MARK_PARTS;
	return hash('', node) + hash(addressOf(page), ofPage) + hash(`${word} ${form}`, ofForm);
}
