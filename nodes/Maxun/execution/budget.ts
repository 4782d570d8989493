import { z } from 'zod';
import { MaxunFault, recover } from '../http/fault';
import { counted } from '../http/text';
import type { NodeOptions } from '../operations/options';
import type { MaxunServer } from '../servers/types';
import { isWaiting, type Task } from './tasks';
import type { ItemOutput } from './itemOutput';
import type { Budget, HintArguments } from './state';

const Usage = z.object({ credits: z.number() });

/** Fails all tasks that would start a run if there are too many runs or too few credits. */
export async function demandBudget(
	tasks: Task[],
	{ minCredits, runLimit }: Pick<NodeOptions, 'minCredits' | 'runLimit'>,
	output: ItemOutput,
	budget?: Budget,
): Promise<Budget | undefined> {
	const starting = tasks.filter(isWaiting).filter(({ state }) => 'todo' in state);
	const [first] = starting;
	if (!first) return budget;
	const refuse = (error: unknown) => {
		for (const task of starting) output.fail(task, withEarlier(error, task));
		return budget;
	};
	const { started = 0 } = budget ?? {};
	if (runLimit > 0 && started + starting.length > runLimit) {
		return refuse(tooMany(starting.length, runLimit, started));
	}
	if (budget || minCredits === 0) return budget ?? { started };
	return await creditsOf(first.context.maxun, minCredits).then(
		(credits) => ({ credits, started }),
		refuse,
	);
}

/** After the reason why its previous attempt failed. */
function withEarlier(error: unknown, { state }: Task): unknown {
	const { earlier } = { earlier: undefined, ...state };
	if (!earlier || !(error instanceof MaxunFault)) return error;
	const description = [earlier.description, `${error.message}. ${error.description}`];
	return error.with({ message: earlier.message, description: description.join('. ') });
}

/** Empty if the credits can't be read. */
export async function usedCredits(maxun: MaxunServer, before: number): Promise<HintArguments[]> {
	const left = await recover(creditsOf(maxun), { any: () => undefined });
	if (left === undefined) return [];
	const used = counted(Math.max(0, before - left), 'credit');
	const message = `The account used ${used} during this execution, including credits for other runs. ${areLeft(left)} left`;
	return [[message]];
}

const tooMany = (count: number, limit: number, started: number) =>
	new MaxunFault(
		`The node would start ${counted(count, started > 0 ? 'more run' : 'run')}, and 'Max Runs per Execution' is ${limit}`,
		`It ${started > 0 ? `has started ${counted(started, 'run')}` : "didn't start any runs"}. Process fewer items or URLs, or increase 'Max Runs per Execution'`,
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
