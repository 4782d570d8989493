import { z } from 'zod';
import { MaxunFault, recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import { isWaiting, type Entry } from './entries';
import type { ItemOutput } from './itemOutput';

const Usage = z.object({ credits: z.number() });

/**
 * Reads the credits of the account with one request, if the execution is going to start runs. If too few are left, or if
 * they can't be read, all entries that would start a run fail.
 *
 * @param minimum how many credits must be left; 0 if that doesn't matter
 * @returns shows how many credits the account has used since then, unless Maxun can't say; undefined if nobody asked for
 *   the credits, or if no run may start
 */
export async function demandCredits(
	entries: Entry[],
	minimum: number,
	output: ItemOutput,
): Promise<((hint: (message: string) => void) => Promise<void>) | undefined> {
	const starting = entries.filter(isWaiting).filter(({ state }) => 'todo' in state);
	const [first] = starting;
	if (minimum === 0 || !first) return undefined;
	const { maxun } = first.context;
	const before = await creditsOf(maxun, minimum).catch((error: unknown) => {
		for (const entry of starting) output.fail(entry, error);
		return undefined;
	});
	if (before === undefined) return undefined;
	return async (hint) => {
		const left = await recover(creditsOf(maxun), { any: () => undefined });
		if (left === undefined) return;
		const used = amount(Math.max(0, before - left));
		hint(
			`The account used ${used} during this execution, including credits for other runs. ${areLeft(left)} left`,
		);
	};
}

/**
 * The credits that are left; undefined on a server without credits.
 *
 * @throws MaxunFault if there are fewer than `minimum`, or if Maxun doesn't say
 */
async function creditsOf(
	{ account }: MaxunServer,
	minimum = -Infinity,
): Promise<number | undefined> {
	if (!account?.getUsage) return undefined;
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
		`The node starts no runs if fewer than ${minimum} are left. Add credits in the Maxun dashboard, or reduce 'Min Credits'`,
		{
			forModel: 'Tell the user to add credits, and do not call the tool again',
			failure: { cause: 'quota-exhausted' },
		},
	);

const amount = (credits: number) => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

const areLeft = (credits: number) => `${amount(credits)} ${credits === 1 ? 'is' : 'are'}`;
