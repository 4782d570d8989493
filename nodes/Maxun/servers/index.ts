import type { Connection, ConnectionOptions } from '../http/connection';
import type { MaxunContext } from '../http/context';
import { connectionFor } from '../http/credentials';
import type { Protocol } from '../http/protocol';
import { unreachable } from '../http/reachability';
import { Sender } from '../http/sender';
import { cloudParts } from './cloud';
import { cloudProtocol } from './cloud/protocol';
import { selfHostedParts } from './selfHosted';
import { selfHostedProtocol } from './selfHosted/protocol';
import type { MaxunServer, ServerConnection, ServerKind, ServerParts } from './types';

interface Implementation {
	protocol: Protocol;
	partsOn(connection: ServerConnection): ServerParts;
}

const implementations: Record<ServerKind, Implementation> = {
	cloud: { protocol: cloudProtocol, partsOn: cloudParts },
	selfHosted: { protocol: selfHostedProtocol, partsOn: selfHostedParts },
};

export const SERVER_KINDS: ServerKind[] = ['cloud', 'selfHosted'];

/** The kind of server in a `server` parameter; Maxun Cloud if there is none. */
export const serverKindOf = (value: unknown): ServerKind =>
	SERVER_KINDS.find((kind) => kind === value) ?? 'cloud';

/** A connection that can't send. */
class Disconnected extends Sender implements ServerConnection {
	readonly baseUrl = '';
	readonly concurrency = 1;
	readonly maxWait = 0;
	readonly send = fail;
	readonly serverTime = fail;
	readonly sleep = fail;
	readonly with = fail;
	readonly through = () => this;
}

const fail = (): never => {
	throw new Error('A blueprint has no connection');
};

/** The methods that each kind of server supports, on a connection that can't send. */
export const blueprints: Record<ServerKind, ServerParts> = {
	cloud: cloudParts(new Disconnected()),
	selfHosted: selfHostedParts(new Disconnected()),
};

/**
 * The server in the context's credential.
 *
 * @throws n8n's own error if the node has no credential, MaxunFault if the credential contains invalid values
 */
export async function connectServer(
	context: MaxunContext,
	kind: ServerKind,
	options: ConnectionOptions = {},
): Promise<MaxunServer> {
	return serverOn(kind, await connectionFor(context, implementations[kind].protocol, options));
}

function serverOn(kind: ServerKind, connection: Connection): MaxunServer {
	const { baseUrl, teamId, timezone } = connection;
	const { download, serverTime, sign, sleep, throwIfCanceled } = connection;
	return {
		kind,
		baseUrl,
		teamId,
		timezone,
		...implementations[kind].partsOn(connection),
		download,
		serverTime,
		sign,
		sleep,
		throwIfCanceled,
		unreachable: (url) => unreachable(url, { baseUrl, isSelfHosted: kind === 'selfHosted' }),
		with: (options) => serverOn(kind, connection.with(options)),
	};
}
