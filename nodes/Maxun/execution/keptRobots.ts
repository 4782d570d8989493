import { mapConcurrently } from '../http/concurrency';
import { faultOf, type MaxunFault, recover } from '../http/fault';
import { keptName, keptRobots } from '../runs/expiry';
import { groupedBy } from '../results/changes';
import { BEING_CHECKED } from '../runs/changes';
import { markOf } from '../runs/reuse';
import type { Keeping, KeptRobot } from '../runs/types';
import { isLater } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import type { ExecutionState, HintArguments } from './state';
import type { Task } from './tasks';

/**
 * The robots that the node keeps for its next executions. Facts are in their names, because n8n's static data is empty in
 * queue mode and after a pause: what the robot is for (a mark), and the run that was last returned. A name only changes
 * when the execution ends. So a test, a failure or a kill doesn't change anything.
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
	 * @returns the tasks that watch pages if the request fails, because a new robot doesn't have earlier runs
	 */
	async recall(tasks: Task[]): Promise<Array<{ task: Task; fault: MaxunFault }>> {
		const failed: Array<{ task: Task; fault: MaxunFault }> = [];
		const keeping = tasks.filter((task) => task.state.todo && keepingOf(task));
		const accounts = groupedBy(keeping, ({ context }) => context?.accountKey ?? '');
		for (const own of accounts.values()) {
			const [{ context }] = own;
			if (!context) continue;
			const { maxun } = context;
			const changes = new Map<string, unknown>();
			const watching = own.filter((task) => keepingOf(task)?.word === 'watches');
			const listing = async () => (watching.length > 0 && (await maxun.runs.listActive?.())) || [];
			const active = recover(listing(), { any: () => [] });
			const found = await recover(Promise.all([byPurpose(maxun), active]), {
				any: (fault): undefined => {
					if (watching.length < own.length) context.hint(UNKNOWN, 1, fault.message);
					failed.push(...watching.map((task) => ({ task, fault })));
				},
			});
			if (!found) continue;
			const [robots, runs] = found;
			for (const task of own) {
				const { word, copyOf = '' }: Partial<Keeping> = keepingOf(task) ?? {};
				const mark = this.markIn(task) ?? '';
				const robot = robots.get(`${word} ${mark}`);
				if (!robot) continue;
				const formerId = robots.get(`retired ${mark}`)?.robotId;
				const activeRun = runs.find(({ robotId }) => robotId === robot.robotId);
				if (!changes.has(copyOf)) changes.set(copyOf, await changeOf(maxun, copyOf));
				const isOutdated = isLater(changes.get(copyOf), robot.createdAt);
				this.robots[mark] = { ...robot, formerId, activeRun, isOutdated };
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
		const good = tasks.filter(({ state }) => state.toKeep !== undefined);
		// If several tasks have the same mark, one robot is kept.
		const byMark = new Map(good.map((task) => [this.markIn(task) ?? '', task]));
		const lists = new Map<string, ReturnType<typeof byPurpose>>();
		await mapConcurrently([...byMark], concurrency, async ([mark, task]) => {
			const { word, page = '' } = keepingOf(task) ?? {};
			if (word === 'watches' && (await this.isOvertaken(task, lists))) {
				for (const { state } of tasks.filter((other) => this.markIn(other) === mark))
					if (state.items) state.items = [];
				return void hints.push([BEING_CHECKED, 1, page]);
			}
			await recover(this.keep(task), {
				any: ({ message }) => {
					hints.push([word === 'watches' ? AGAIN : NOT_KEPT, 1, `${page} (${message})`]);
				},
			});
		});
		return hints;
	}

	/** Whether another execution has returned the page's changes since this execution began. */
	private async isOvertaken(
		task: Task,
		lists: Map<string, ReturnType<typeof byPurpose>>,
	): Promise<boolean> {
		const { state, context: { accountKey = '', maxun } = {} } = task;
		if (!maxun) return false;
		const list = lists.get(accountKey) ?? byPurpose(maxun);
		lists.set(accountKey, list);
		const robots = await recover(list, { any: () => undefined });
		const stored = robots?.get(`watches ${this.markIn(task)}`);
		// If n8n has restarted this execution, the stored run may be its own.
		const own = [this.of(task)?.runId, state.toKeep?.runId];
		return stored !== undefined && !own.includes(stored.runId);
	}

	private async keep(task: Task): Promise<void> {
		const { state, context } = task;
		const keeping = keepingOf(task);
		const mark = this.markIn(task);
		if (!state.toKeep || !keeping || !mark || !context) return;
		const { robotId, runId, isNew, known } = state.toKeep;
		const { word, page } = keeping;
		const { maxun } = context;
		const isWatching = word === 'watches';
		if (!isNew && !isWatching) return;
		const memory = isWatching ? { runId, checks: isNew ? 1 : (known?.checks ?? 0) + 1 } : {};
		await maxun.robots.rename(robotId, keptName(maxun, { word, mark, ...memory }, page));
		// The robot is no longer temporary.
		state.toKeep = undefined;
		if (!known || known.robotId === robotId) return;
		// Another item or execution may still need it.
		await faultOf(
			maxun.robots.rename(known.robotId, keptName(maxun, { word: 'retired', mark }, page)),
		);
	}

	private markIn(task: Task): string | undefined {
		const keeping = keepingOf(task);
		const { teamId = '' } = task.context?.maxun ?? {};
		return keeping && markOf(`${this.owner} ${teamId}`, keeping);
	}
}

const byPurpose = async (maxun: MaxunServer) =>
	new Map((await keptRobots(maxun)).map((robot) => [`${robot.word} ${robot.mark}`, robot]));

/** When a robot was last changed; undefined if it is gone, because its copies still work. */
const changeOf = async ({ robots }: MaxunServer, robotId: string): Promise<unknown> =>
	robotId && (await recover(robots.get(robotId), { any: () => undefined }))?.updatedAt;

const keepingOf = (task: Task): Keeping | undefined => task.job.settings?.keeping;

const UNKNOWN =
	'The node could not find out if earlier executions have kept a robot, so it read the page again';

const AGAIN =
	'Maxun could not store which run the node has returned, so the next execution may return these changes again';

const NOT_KEPT =
	'Maxun could not keep the robot for the next execution, which reads the page again';
