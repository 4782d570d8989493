import type { IExecuteFunctions } from 'n8n-workflow';
import { CONCURRENCY, mapConcurrently } from '../../http/concurrency';
import { connectServer, serverKindOf } from '../../servers';
import type { MaxunServer } from '../../servers/types';
import { deleteRobot, remainders } from '../temporary';
import type { WatchedRobot } from './resumeWebhooks';
import type { SavedState } from './savedState';

/**
 * What remains in Maxun from before a resumed execution's pause. Items claim their runs as soon as their parameters are
 * read. The rest is removed in the end, or named if that is impossible.
 */
export class Leftovers {
	/** The robots with a webhook. */
	readonly watched: WatchedRobot[];
	private runs: SavedState['runs'];
	/** What can't be removed. */
	private readonly lost: string[];

	private constructor({ runs, robots }: SavedState, maxun: MaxunServer | undefined, reason = '') {
		this.runs = runs;
		const serverOf = (teamId: string) => maxun?.with({ teamId: teamId || undefined });
		this.serverOf = serverOf;
		this.watched = robots.flatMap(({ teamId, robotId }) => {
			const server = serverOf(teamId);
			return server ? [{ maxun: server, robotId }] : [];
		});
		this.lost = maxun ? [] : robots.map(({ robotId }) => webhookRemains(robotId, reason));
		this.reason = reason;
	}

	private readonly serverOf: (teamId: string) => MaxunServer | undefined;
	private readonly reason: string;

	/** Never throws: if the node's credential can't be used, everything is named. */
	static async of(context: IExecuteFunctions, state: SavedState): Promise<Leftovers> {
		const kind = serverKindOf(context.getNodeParameter('server', 0, 'cloud'));
		return await connectServer(context, kind).then(
			(maxun) => new Leftovers(state, maxun),
			(error: unknown) =>
				new Leftovers(state, undefined, error instanceof Error ? error.message : String(error)),
		);
	}

	/** The item waits for its run again. */
	claim(itemIndex: number): void {
		this.runs = this.runs.filter((run) => run.itemIndex !== itemIndex);
	}

	/** Deletes the temporary robots of runs that no item claimed. @returns what remains in Maxun */
	async remove(): Promise<string[]> {
		const runs = this.runs.splice(0);
		const left = await mapConcurrently(runs, CONCURRENCY, async ({ teamId, started }) => {
			const { runId, robotId, temporary } = started;
			if (!temporary) return `Run ${runId} of robot ${robotId} may continue in Maxun`;
			const maxun = this.serverOf(teamId);
			if (!maxun) return `The temporary ${temporary} ${robotId} remains in Maxun: ${this.reason}`;
			return remainders([await deleteRobot(maxun, temporary, robotId, { runId })]).join();
		});
		return [...this.lost.splice(0), ...left.filter(Boolean)];
	}
}

/** Names a webhook that could not be removed. */
export const webhookRemains = (robotId: string, reason: string) =>
	`A webhook of this execution remains in Maxun on robot ${robotId}: ${reason}`;
