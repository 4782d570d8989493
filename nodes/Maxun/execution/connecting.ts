import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { isOfN8n } from '../http/exchange';
import { MaxunFault } from '../http/fault';
import { MINUTE, SECOND } from '../http/time';
import { connectServer, type ServerKind } from '../servers';
import type { MaxunServer } from '../servers/types';

/**
 * Connects to the server once for all items.
 *
 * @param isPatient whether to try again for five minutes if n8n can't read the credential now, for example because its
 *   database is down
 */
export function connecting(
	context: IExecuteFunctions,
	kind: ServerKind,
	isPatient: boolean,
): Promise<MaxunServer> {
	const until = Date.now() + (isPatient ? 5 * MINUTE : 0);
	const connect = async (): Promise<MaxunServer> =>
		await connectServer(context, kind).catch(async (error: unknown) => {
			if (Date.now() >= until || !isMomentary(error)) throw error;
			await sleep(3 * SECOND);
			context.getExecutionCancelSignal()?.throwIfAborted();
			return await connect();
		});
	const connection = connect();
	connection.catch(() => undefined); // Each item that needs the connection reports the error.
	return connection;
}

/** Whether the same lookup may succeed later. */
const isMomentary = (error: unknown) =>
	error instanceof Error && !(error instanceof MaxunFault) && !isOfN8n(error);
