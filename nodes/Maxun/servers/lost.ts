import { recover } from '../http/fault';
import type { ServerConnection } from './types';

/** A connection, or a whole server. */
interface Searchable<C> extends Pick<ServerConnection, 'sleep'> {
	within(milliseconds: number): C;
}

/** Milliseconds before each search. A gateway may respond before Maxun has started or created anything. */
const PAUSES = [0, 3_000, 6_000];

/** How long one search may wait for the rate limit and retries, in milliseconds. */
const PATIENCE = 2_000;

/**
 * Looks for something that was started or created without a response: three times within ten seconds.
 *
 * @param look lists what it may be, with a connection that doesn't wait long
 * @returns the first list that isn't empty, an empty one if there is none, or undefined if nothing could be read
 */
export async function findLost<C extends Searchable<C>, T>(
	connection: C,
	look: (connection: C) => Promise<T[]>,
): Promise<T[] | undefined> {
	let found: T[] | undefined;
	for (const pause of PAUSES) {
		await connection.sleep(pause);
		found = await recover(look(connection.within(PATIENCE)), { any: () => found });
		if (found && found.length > 0) return found;
	}
	return found;
}
