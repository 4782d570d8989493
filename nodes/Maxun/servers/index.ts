import type { Connection, ConnectionOptions } from '../http/connection';
import type { MaxunContext } from '../http/context';
import { connectionFor } from '../http/credentials';
import type { Protocol } from '../http/protocol';
import { unreachable } from '../http/reachability';
import { cloudParts } from './cloud';
import { cloudProtocol, cloudSdkProtocol } from './cloud/protocol';
import { selfHostedParts } from './selfHosted';
import { selfHostedProtocol } from './selfHosted/protocol';
import type { MaxunServer, ServerConnection, ServerKind, ServerParts } from './types';
import { verbsOf } from './verbs';

interface Implementation {
	protocol: Protocol;
	/** How to use the routes of Maxun's SDK, if they need another protocol. */
	sdkProtocol?: Protocol;
	/** @param sdk the connection to the routes of Maxun's SDK */
	partsOn(connection: ServerConnection, sdk: ServerConnection): ServerParts;
}

const implementations: Record<ServerKind, Implementation> = {
	cloud: { protocol: cloudProtocol, sdkProtocol: cloudSdkProtocol, partsOn: cloudParts },
	selfHosted: { protocol: selfHostedProtocol, partsOn: selfHostedParts },
};

export const SERVER_KINDS: ServerKind[] = ['cloud', 'selfHosted'];

/** The kind of server in a `server` parameter; Maxun Cloud if there is none. */
export const serverKindOf = (value: unknown): ServerKind =>
	SERVER_KINDS.find((kind) => kind === value) ?? 'cloud';

/** The methods that each kind of server supports, on a connection that can't send. */
export const blueprints: Record<ServerKind, ServerParts> = {
	cloud: cloudParts(disconnected(), disconnected()),
	selfHosted: selfHostedParts(disconnected()),
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
	const { sdkProtocol, partsOn } = implementations[kind];
	const sdk = sdkProtocol ? connection.through(sdkProtocol) : connection;
	const server: MaxunServer = {
		kind,
		baseUrl,
		teamId,
		timezone,
		...partsOn(partsConnection(connection), partsConnection(sdk)),
		download: async (url) => await connection.download(url),
		serverTime: () => connection.serverTime(),
		sign: (text) => connection.sign(text),
		sleep: async (milliseconds) => await connection.sleep(milliseconds),
		throwIfCanceled: () => connection.throwIfCanceled(),
		unreachable: (url) => unreachable(url, { baseUrl, isSelfHosted: kind === 'selfHosted' }),
		with: (options) => serverOn(kind, connection.with(options)),
		within: (milliseconds) => {
			const limited = connection.within(milliseconds);
			return limited === connection ? server : serverOn(kind, limited);
		},
		afterCancel: () => serverOn(kind, connection.afterCancel()),
	};
	return server;
}

/** The part of a connection that implementations use. */
const partsConnection = (connection: Connection): ServerConnection => ({
	...verbsOf(async (request, schema) => await connection.send(request, schema)),
	baseUrl: connection.baseUrl,
	languageModel: connection.languageModel,
	concurrency: connection.concurrency,
	maxWait: connection.maxWait,
	timezone: connection.timezone,
	serverTime: () => connection.serverTime(),
	sleep: async (milliseconds) => await connection.sleep(milliseconds),
	throwIfCanceled: () => connection.throwIfCanceled(),
	within: (milliseconds) => partsConnection(connection.within(milliseconds)),
	afterCancel: () => partsConnection(connection.afterCancel()),
});

function disconnected(): ServerConnection {
	const fail = (): never => {
		throw new Error('A blueprint has no connection');
	};
	return {
		...verbsOf(fail),
		baseUrl: '',
		concurrency: 1,
		maxWait: 0,
		serverTime: fail,
		sleep: fail,
		throwIfCanceled: fail,
		within: fail,
		afterCancel: fail,
	};
}
