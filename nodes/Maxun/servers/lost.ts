import { recover, type MaxunFault } from '../http/fault';
import type { ListedRun } from './entities';
import type { ServerConnection } from './types';

interface Searchable<C> extends Pick<ServerConnection, 'sleep'> {
	with(options: { maxWait: number }): C;
}

/** Maxun may start or create something only after a gateway has responded. */
const PAUSES = [0, 3_000, 6_000];

/**
 * Looks for something that was started or created without a response.
 *
 * @param look lists the candidates, with a connection that doesn't wait long
 * @param pauses milliseconds before each search
 * @returns the first list that isn't empty, an empty list if nothing was found, or undefined if the last list could not
 * be read
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

/** The fault for a start that may have created a run. */
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
