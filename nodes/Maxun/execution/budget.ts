import { z } from 'zod';
import { MaxunFault, recover } from '../http/fault';
import { counted, sentences } from '../http/text';
import type { NodeOptions } from '../operations/options';
import type { MaxunServer } from '../servers/types';
import { isWaiting, keysBeingLearnt, type Task } from './tasks';
import type { ItemOutput } from './itemOutput';
import type { Learning } from './learning';
import type { ExecutionState, HintArguments } from './state';

const Usage = z.object({ credits: z.number() });

/** The runs that an execution may start, whatever they are for. */
export class Budget {
	readonly state: NonNullable<ExecutionState['budget']>;

	constructor(
		private readonly limits: Pick<NodeOptions, 'minCredits' | 'runLimit'>,
		private readonly saved: ExecutionState['budget'],
	) {
		this.state = { started: 0, ...saved };
	}

	/** Fails all tasks that would start a run if there are too many runs or too few credits. */
	async demand(tasks: Task[], output: ItemOutput, learning: Learning): Promise<void> {
		const starting = tasks.filter(isWaiting).filter(({ state }) => state.todo);
		const [first] = starting;
		const { count } = plannedRuns(tasks, learning);
		if (!first || count === 0) return;
		const refuse = (error: unknown) => {
			for (const task of starting) output.fail(task, withEarlier(error, task));
		};
		const { minCredits } = this.limits;
		const refusal = this.refusal(tasks, learning);
		if (refusal) return refuse(refusal);
		if (this.saved || minCredits === 0) return;
		await creditsOf(first.context.maxun, minCredits).then(
			(credits) => (this.state.credits = credits),
			refuse,
		);
	}

	/** Set if the tasks need too many runs, and some were not planned, such as the runs of a repair. */
	refusal(tasks: Task[], learning: Learning): MaxunFault | undefined {
		const { started } = this.state;
		const { runLimit: limit } = this.limits;
		if (limit === 0) return undefined;
		const planned = plannedRuns(tasks, learning);
		return started + planned.count > limit ? tooMany(planned, limit, started) : undefined;
	}
}

interface PlannedRuns {
	count: number;
	/** How many of them only read a page. */
	readings: number;
}

/** Tasks with the same lesson need one run to learn it. */
function plannedRuns(tasks: Task[], learning: Learning): PlannedRuns {
	const waiting = tasks.filter(isWaiting).filter(({ state }) => state.todo);
	const beingLearnt = keysBeingLearnt(tasks);
	const keys = new Set(waiting.flatMap((task) => learning.neededFor(task)?.key ?? []));
	const readings = [...keys].filter((key) => !beingLearnt.has(key)).length;
	return { count: waiting.filter(({ job }) => job.startsRun).length + readings, readings };
}

/** The error, after the reason why the task's previous attempt failed. */
function withEarlier(error: unknown, { state }: Task): unknown {
	const { earlier } = state;
	if (!earlier || !(error instanceof MaxunFault)) return error;
	const description = sentences(earlier.description, error.text);
	return error.with({ message: earlier.message, description });
}

/** Empty if the credits can't be read. */
export async function usedCredits(maxun: MaxunServer, before: number): Promise<HintArguments[]> {
	const left = await recover(creditsOf(maxun), { any: () => undefined });
	if (left === undefined) return [];
	const used = counted(Math.max(0, before - left), 'credit');
	const message = `The account used ${used} during this execution, including credits for other runs. ${areLeft(left)} left`;
	return [[message]];
}

const tooMany = ({ count, readings }: PlannedRuns, limit: number, started: number) =>
	new MaxunFault(
		`The node would start ${counted(count, started > 0 ? 'more run' : 'run')}, and 'Max Runs per Execution' is ${limit}`,
		[
			`It ${started > 0 ? `has started ${counted(started, 'run')}` : "didn't start any runs"}`,
			...(readings > 0
				? [`${counted(readings, 'run')} would read pages to find the examples`]
				: []),
			"Process fewer items or URLs, or increase 'Max Runs per Execution'",
		].join('. '),
		{ forModel: `Call the tool again for at most ${limit} of them` },
	);

async function creditsOf(
	{ account }: MaxunServer,
	minimum = -Infinity,
): Promise<number | undefined> {
	if (!account.getUsage) return undefined;
	const usage = Usage.safeParse(await account.getUsage());
	if (!usage.success) {
		throw new MaxunFault(
			'Maxun did not return the number of credits',
			"To start runs anyway, set 'Min Credits' to 0",
		);
	}
	const { credits } = usage.data;
	if (credits < minimum) throw tooFew(credits, minimum);
	return credits;
}

const tooFew = (credits: number, minimum: number) =>
	new MaxunFault(
		`Only ${areLeft(credits)} left in the Maxun account`,
		`The node doesn't start any runs if fewer than ${minimum} are left. Add credits in the Maxun dashboard, or reduce 'Min Credits'`,
		{
			forModel: 'Tell the user to add credits, and do not call the tool again',
			failure: { cause: 'quota-exhausted' },
		},
	);

const areLeft = (credits: number) =>
	`${counted(credits, 'credit')} ${credits === 1 ? 'is' : 'are'}`;
