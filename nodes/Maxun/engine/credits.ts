import { z } from 'zod';
import { MaxunFault, recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import { isWaiting, type Entry } from './entries';
import type { ItemOutput } from './itemOutput';

const Usage = z.object({ credits: z.number() });

/** The credits of the account before the first run of an execution starts. */
export class Credits {
	private constructor(
		private readonly maxun: MaxunServer,
		private readonly before: number,
	) {}

	/**
	 * Reads the credits with one request, if the execution is going to start runs. If too few are left, or if they can't be
	 * read, all entries that would start a run fail.
	 *
	 * @param minimum how many credits must be left; 0 if that doesn't matter
	 * @returns undefined if nobody asked for the credits, or if no run may start
	 */
	static async demand(
		entries: Entry[],
		minimum: number,
		output: ItemOutput,
	): Promise<Credits | undefined> {
		const starting = entries.filter(isWaiting).filter(({ state }) => 'todo' in state);
		const [first] = starting;
		if (minimum === 0 || !first) return undefined;
		const { maxun } = first.task.context;
		return await Credits.read(maxun, minimum).catch((error: unknown) => {
			for (const entry of starting) output.fail(entry, error);
			return undefined;
		});
	}

	private static async read(maxun: MaxunServer, minimum: number): Promise<Credits | undefined> {
		const credits = await creditsOf(maxun);
		if (credits === undefined) return undefined;
		if (credits < minimum) throw tooFew(credits, minimum);
		return new Credits(maxun, credits);
	}

	/** Shows how many credits the account has used since then, unless Maxun can't say. */
	async showUsed(hint: (message: string) => void): Promise<void> {
		const left = await recover(creditsOf(this.maxun), { any: () => undefined });
		if (left === undefined) return;
		const used = amount(Math.max(0, this.before - left));
		hint(
			`The account used ${used} during this execution, including those of other runs. ${areLeft(left)} left`,
		);
	}
}

/** The credits that are left; undefined on a server without credits. */
async function creditsOf({ account }: MaxunServer): Promise<number | undefined> {
	if (!account?.getUsage) return undefined;
	const usage = Usage.safeParse(await account.getUsage());
	if (usage.success) return usage.data.credits;
	throw new MaxunFault(
		'Maxun did not return the number of credits',
		"To start runs anyway, set 'Min Credits' to 0",
	);
}

const tooFew = (credits: number, minimum: number) =>
	new MaxunFault(
		`Only ${areLeft(credits)} left in the Maxun account`,
		`The node does not start runs with fewer than ${minimum}. Add credits in the Maxun dashboard, or reduce 'Min Credits'`,
		{
			forModel: 'Tell the user to add credits, and do not call the tool again',
			failure: { cause: 'quota-exhausted' },
		},
	);

const amount = (credits: number) => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

const areLeft = (credits: number) => `${amount(credits)} ${credits === 1 ? 'is' : 'are'}`;
