import { mapConcurrently } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import type { StartOptions } from '../servers/types';
import { deleteRobot, remainders, startTemporary } from './temporary';
import type { FreeCopies, Notices, PendingRun, RunContext, StartedRun } from './types';

/** The field of each item with the URL of its page. Rows often have a `url` of their own. */
export const PAGE_URL = 'pageUrl';

/** Which page to run a robot on. */
interface Page {
	robotId: string;
	url: string;
	options: StartOptions;
}

/** The plan of the account allows no further robot. */
export class CopyLimitReached extends MaxunFault {}

/**
 * Starts a run of a temporary copy of a robot on a page: of a free copy, or of a new one.
 *
 * @throws CopyLimitReached if there is no free copy and Maxun refuses a new one
 */
export async function startOnPage(
	context: RunContext,
	{ robotId, url, options }: Page,
): Promise<StartedRun> {
	const { robots } = context.maxun.creating();
	const started = await startTemporary(context, {
		kind: 'robot',
		what: 'urls',
		keep: false,
		create: async (name) => {
			const moved = await moveFreeCopy(context, robotId, url);
			if (moved) return moved;
			return await recover(robots.duplicate(robotId, url, name), {
				forbidden: ({ message, description, ...details }) => {
					throw new CopyLimitReached(message, description, details);
				},
			});
		},
		options,
		fields: { [PAGE_URL]: url },
	});
	return { ...started, duplicateOf: robotId };
}

/** @returns the free copy that is now on the page; undefined if there is none that the server can move */
async function moveFreeCopy({ maxun, copies, remains }: RunContext, robotId: string, url: string) {
	const copy = copies.take(robotId, maxun.teamId);
	if (copy === undefined) return undefined;
	const moving = maxun.afterCancel().robots.setUrl?.(copy, url) ?? Promise.resolve(false);
	if (await recover(moving, { any: () => false })) return { id: copy };
	remainders([await deleteRobot(maxun, 'robot', copy)]).forEach(remains);
	return undefined;
}

/** How often to use a copy on a self-hosted server, which sends the data of all earlier runs with each start. */
const MOST_USES = 20;

/**
 * The temporary copies of robots that have no run at the moment. While a copy has a run, it belongs to that run, so
 * whatever ends the run also deletes the copy.
 */
export class Copies implements FreeCopies {
	private readonly free: PendingRun[] = [];
	/** How often each copy has run. */
	private readonly uses = new Map<string, number>();
	private isCleared = false;

	constructor(private readonly notices: Notices) {}

	keep(run: PendingRun): boolean {
		const { robotId, context } = run;
		const uses = (this.uses.get(robotId) ?? 0) + 1;
		this.uses.set(robotId, uses);
		const isUsedUp = context.maxun.runs.oneAtATime && uses >= MOST_USES;
		if (isUsedUp || this.isCleared) return false;
		this.free.push(run);
		return true;
	}

	take(robotId: string, teamId: string | undefined): string | undefined {
		const index = this.free.findIndex(
			({ duplicateOf, context }) => duplicateOf === robotId && context.maxun.teamId === teamId,
		);
		return index < 0 ? undefined : this.free.splice(index, 1)[0].robotId;
	}

	/** Deletes all of them, and keeps none from now on. */
	async clear(): Promise<void> {
		this.isCleared = true;
		const free = this.free.splice(0);
		if (free.length === 0) return;
		const left = await mapConcurrently(
			free,
			free[0].context.concurrency,
			async ({ context, robotId }) => await deleteRobot(context.maxun, 'robot', robotId),
		);
		remainders(left).forEach(this.notices.remains);
	}
}
