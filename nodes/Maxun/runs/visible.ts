import { recover } from '../http/fault';
import { SECOND } from '../http/time';
import type { MaxunServer } from '../servers/types';

/**
 * Whether Maxun may just not find a new entry yet. This takes up to ten seconds.
 *
 * @param createdAt creation time in epoch milliseconds
 */
export const mayAppear = (createdAt: number) => Date.now() - createdAt < 10 * SECOND;

/**
 * Uses something that Maxun has just created. Retries if Maxun doesn't find it yet.
 *
 * @throws MaxunFault with status 404 if Maxun doesn't find it within ten seconds
 */
export async function whenVisible<T>(
	{ sleep }: Pick<MaxunServer, 'sleep'>,
	use: () => Promise<T>,
): Promise<T> {
	const createdAt = Date.now();
	for (;;) {
		const outcome = await recover(
			use().then((value) => ({ value })),
			{
				notFound: (fault) => {
					if (fault.mayHaveHappened || !mayAppear(createdAt)) throw fault;
					return undefined;
				},
			},
		);
		if (outcome) return outcome.value;
		await sleep(SECOND);
	}
}
