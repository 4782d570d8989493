import { recover, type MaxunFault } from '../http/fault';
import type { ListedRun } from './entities';
import type { ServerConnection } from './types';

interface Searchable<C> extends Pick<ServerConnection, 'sleep'> {
	with(options: { maxWait: number }): C;
}

/** Maxun may start or create something only after a gateway has responded. */
const PAUSES = [0, 3_000, 6_000];

/** The first list of candidates that isn't empty; undefined if it can't be read. `pauses` are in milliseconds. */
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
