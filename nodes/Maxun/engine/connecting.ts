import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { connectServer } from '../servers';
import type { MaxunServer, ServerKind } from '../servers/types';

/** Milliseconds between two attempts to read the credential, and the maximum number of attempts. Together five minutes. */
const DELAY = 3_000;
const ATTEMPTS = 100;

/**
 * Connects to the server once for all items.
 *
 * @param isPatient whether to try again if n8n can't read the credential now, for example because its database is down
 */
export function connecting(
	context: IExecuteFunctions,
	kind: ServerKind,
	isPatient: boolean,
): Promise<MaxunServer> {
	const connect = async (attempt: number): Promise<MaxunServer> =>
		await connectServer(context, kind).catch(async (error: unknown) => {
			if (!isPatient || attempt >= ATTEMPTS || !isMomentary(error)) throw error;
			await sleep(DELAY);
			context.getExecutionCancelSignal()?.throwIfAborted();
			return await connect(attempt + 1);
		});
	const connection = connect(1);
	connection.catch(() => 'each item that needs it reports it');
	return connection;
}

/** Whether the same look-up may succeed later. n8n's own refusals, such as a credential that doesn't exist, have a level. */
const isMomentary = (error: unknown) =>
	error instanceof Error && !(error instanceof MaxunFault) && !('level' in error);
