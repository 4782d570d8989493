import { mapConcurrently } from '../http/concurrency';
import { type MaxunFault, recover } from '../http/fault';
import { keptName, keptRobots } from '../runs/expiry';
import { SECOND } from '../http/time';
import { groupedBy } from '../results/changes';
import { markOf, retire } from '../runs/reuse';
import type { Keeping, KeptRobot } from '../runs/types';
import { order } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import type { ExecutionState, HintArguments } from './state';
import { waitSettingsOf, type Task } from './tasks';

/**
 * The robots that the node keeps for its next executions. Their names contain the facts, and a name only changes
 * when the execution ends. So a test, a failure and a kill change nothing.
 */
export class KeptRobots {
	constructor(
		/** By mark. n8n stores them during a pause. */
		readonly robots: ExecutionState['keptRobots'],
		/** Identifies the node among all nodes that use the account. */
		private readonly owner: string,
		tasks: Task[],
	) {
		for (const task of tasks) {
			const mark = this.markIn(task);
			if (mark) task.context?.marks.add(mark);
		}
	}

	/**
	 * Finds the robots of earlier executions, with one request for each account, and one for active runs.
	 * @returns the tasks that watch pages, if Maxun can't be asked, because a new robot would know no earlier run
	 */
	async recall(tasks: Task[]): Promise<Array<{ task: Task; fault: MaxunFault }>> {
		const failed: Array<{ task: Task; fault: MaxunFault }> = [];
		const keeping = tasks.filter((task) => 'todo' in task.state && keepingOf(task));
		const accounts = new Map(keeping.map((task) => [task.context?.accountKey, task]));
		for (const [accountKey, { context }] of accounts) {
			if (!context) continue;
			const own = keeping.filter((task) => task.context?.accountKey === accountKey);
			const { maxun } = context;
			const changes = new Map<string, Promise<number>>();
			const watching = own.filter((task) => keepingOf(task)?.word === 'watches');
			const listing = watching.length > 0 ? maxun.runs.listActive?.() : undefined;
			const active = listing ? recover(listing, { any: () => [] }) : [];
			const found = await recover(Promise.all([keptRobots(maxun), active]), {
				any: (fault): undefined => {
					if (watching.length < own.length) context.hint(UNKNOWN, 1, fault.message);
					failed.push(...watching.map((task) => ({ task, fault })));
				},
			});
			if (!found) continue;
			const [kept, runs] = found;
			const byMark = groupedBy(kept, ({ mark }) => mark);
			for (const task of own) {
				const all = byMark.get(this.markIn(task) ?? '') ?? [];
				const robot = all.filter(({ word }) => word !== 'retired').at(-1);
				if (!robot) continue;
				const formerId = all.filter(({ word }) => word === 'retired').at(-1)?.robotId;
				const activeRun = runs.find(({ robotId }) => robotId === robot.robotId);
				const { copyOf = '' } = keepingOf(task) ?? {};
				const reading = changes.get(copyOf) ?? changeOf(maxun, copyOf);
				changes.set(copyOf, reading);
				// A self-hosted server's times are whole seconds.
				const isOutdated = (await reading) >= robot.madeAt + SECOND;
				this.robots[robot.mark] = { ...robot, formerId, activeRun, isOutdated };
			}
		}
		return failed;
	}

	of(task: Task): KeptRobot | undefined {
		return this.robots[this.markIn(task) ?? ''];
	}

	/** A kept robot is gone. */
	forget(task: Task): boolean {
		const robot = this.of(task);
		return robot !== undefined && delete this.robots[robot.mark];
	}

	/** A new robot replaces a kept robot. @returns false if there is none, or if it was replaced before */
	replace(task: Task): boolean {
		const robot = this.of(task);
		if (!robot || robot.isBroken || robot.isOutdated) return false;
		this.robots[robot.mark] = { ...robot, isBroken: true };
		return true;
	}

	/** Gives the robots of good runs their names, which the next execution finds. */
	async remember(tasks: Task[]): Promise<HintArguments[]> {
		const { concurrency = 1 } = tasks.at(0)?.context ?? {};
		const hints: HintArguments[] = [];
		const good = tasks.filter(({ state }) => 'items' in state && state.toKeep !== undefined);
		// Of several tasks with a mark, one robot is kept.
		const byMark = new Map(good.map((task) => [this.markIn(task), task]));
		await mapConcurrently([...byMark.values()], concurrency, async (task) => {
			await recover(this.keep(task), {
				any: ({ message }) => {
					const { word, page } = keepingOf(task) ?? {};
					hints.push([word === 'watches' ? AGAIN : NOT_KEPT, 1, `${page} (${message})`]);
				},
			});
		});
		return hints;
	}

	private async keep(task: Task): Promise<void> {
		const { state, context } = task;
		const keeping = keepingOf(task);
		const mark = this.markIn(task);
		if (!('items' in state) || !state.toKeep || !keeping || !mark || !context) return;
		const { robotId, runId, isNew, known } = state.toKeep;
		const { word, page } = keeping;
		const { maxun } = context;
		const isWatching = word === 'watches';
		if (!isNew && !isWatching) return;
		const memory = isWatching ? { runId, checks: isNew ? 1 : (known?.checks ?? 0) + 1 } : {};
		await maxun.robots.rename(robotId, keptName(maxun, { word, mark, ...memory }, page));
		// The robot is no longer temporary.
		state.toKeep = undefined;
		if (known && known.robotId !== robotId) await retire(maxun, known);
	}

	private markIn(task: Task): string | undefined {
		const keeping = keepingOf(task);
		const { teamId = '' } = task.context?.maxun ?? {};
		return keeping && markOf(`${this.owner} ${teamId}`, keeping);
	}
}

/** When somebody last changed a robot; 0 if it is gone, because its copies still work. */
const changeOf = async ({ robots }: MaxunServer, robotId: string): Promise<number> => {
	if (robotId === '') return 0;
	const reading = robots.get(robotId).then(({ updatedAt }) => order(updatedAt));
	return await recover(reading, { any: () => 0 });
};

const keepingOf = (task: Task): Keeping | undefined => waitSettingsOf(task.job)?.keeping;

const UNKNOWN =
	'The node could not find out if earlier executions have kept a robot, so it read the page again';

const AGAIN =
	'Maxun could not store which run the node has returned, so the next execution may return these changes again';

const NOT_KEPT =
	'Maxun could not keep the robot for the next execution, which reads the page again';
