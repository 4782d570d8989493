import { recover, type MaxunFault } from '../http/fault';
import type { ListedRun } from './entities';
import type { ServerConnection } from './types';

/** A connection, or a whole server. */
interface Searchable<C> extends Pick<ServerConnection, 'sleep'> {
	with(options: { maxWait: number }): C;
}

/** A gateway may respond before Maxun has started or created anything. */
const PAUSES = [0, 3_000, 6_000];

/**
 * Looks for something that was started or created without a response.
 *
 * @param look lists the candidates, with a connection that doesn't wait long
 * @param pauses milliseconds before each search
 * @returns the first list that isn't empty, an empty one if there is none, or undefined if the last one could not be
 * read
 */
export async function findLost<C extends Searchable<C>, T>(
	connection: C,
	look: (connection: C) => Promise<T[]>,
	pauses = PAUSES,
): Promise<T[] | undefined> {
	let found: T[] | undefined;
	for (const pause of pauses) {
		await connection.sleep(pause);
		found = await recover(look(connection.with({ maxWait: 2_000 })), { any: () => undefined });
		if (found && found.length > 0) return found;
	}
	return found;
}

/**
 * The fault of a start that may have created a run.
 *
 * @param subject the robot or agent, e.g. `robot 'ID'`
 * @param found runs of which it may be one; undefined if they could not be read
 * @param sentAt when the start was sent, in epoch milliseconds by the server's clock
 */
export function mayHaveStarted(
	fault: MaxunFault,
	subject: string,
	found: ListedRun[] | undefined,
	sentAt: number,
): MaxunFault {
	const time = new Date(sentAt).toISOString();
	return fault.with({
		message: `A run of ${subject} may have started`,
		description: `${fault.message}. ${findingOf(found)}. The node did not retry, to avoid a second run. Check the runs since ${time} before you start another run. ${fault.description}`,
		mayHaveHappened: true,
	});
}

function findingOf(found: ListedRun[] | undefined): string {
	if (!found) return 'The latest runs could not be read';
	if (found.length === 0) return 'None of the latest runs matches this request';
	const listed = found.map(({ id, status }) => `${id} (${status})`).join(', ');
	return `These runs are new, but somebody else may have started them: ${listed}`;
}
