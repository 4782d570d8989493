import { Connection } from '../http/connection';
import type { ConnectionOptions, MaxunContext } from '../http/context';
import { accountOf } from '../http/credentials';
import { MaxunFault } from '../http/fault';
import { unreachable } from '../http/reachability';
import { faultOfDownload } from '../http/responseFaults';
import { Sender } from '../http/sender';
import { cloud } from './cloud';
import { readLogin } from './definition';
import { selfHosted } from './selfHosted';
import type { Feature, MaxunServer, ServerConnection, ServerParts, ServerType } from './types';

/** All kinds of server, by the value of `server`. Forms, credentials and operations follow from this list. */
export const SERVERS = { cloud, selfHosted } satisfies Record<string, ServerType>;

export type ServerKind = keyof typeof SERVERS;

export const INITIAL_KIND: ServerKind = 'cloud';

const isKind = (value: unknown): value is ServerKind =>
	typeof value === 'string' && Object.hasOwn(SERVERS, value);

export const SERVER_KINDS: ServerKind[] = Object.keys(SERVERS).filter(isKind);

export const kindsWith = (feature: Feature): ServerKind[] =>
	SERVER_KINDS.filter((kind) => SERVERS[kind].features.has(feature));

/** n8n omits the parameter if it has its default. @throws MaxunFault for an unknown value */
export function serverKindOf(value: unknown = INITIAL_KIND): ServerKind {
	if (isKind(value)) return value;
	throw new MaxunFault(
		`This node version has no server '${String(value)}'`,
		'Select the credential again, or update the Maxun nodes',
	);
}

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

export const kindsThatHave = (needs: (parts: ServerParts) => unknown): ServerKind[] =>
	SERVER_KINDS.filter((kind) => needs(SERVERS[kind].partsOn(new Disconnected())) !== undefined);

/** The server of the context's credential. @throws n8n's own error without a credential, MaxunFault for invalid values */
export async function connectServer(
	context: MaxunContext,
	kind: ServerKind,
	options: ConnectionOptions = {},
): Promise<MaxunServer> {
	const { protocol } = SERVERS[kind];
	const credential = await context.getCredentials(protocol.credential.name);
	// The reason for a failed run may repeat what its robot has typed.
	const login = await readLogin(context).catch(() => undefined);
	const all = { typedTexts: login && [login.password], ...options };
	return serverOn(kind, new Connection(context, protocol, accountOf(credential, protocol), all));
}

function serverOn(kind: ServerKind, connection: Connection): MaxunServer {
	const { baseUrl, teamId, timezone } = connection;
	const { serverTime, sign, sleep, throwIfCanceled } = connection;
	const { partsOn, features } = SERVERS[kind];
	const isNearby = features.has('privateNetwork');
	const unreachableHere = (url: string) => unreachable(url, { baseUrl, isNearby });
	return {
		features,
		baseUrl,
		teamId,
		timezone,
		...partsOn(connection),
		async download(url) {
			const reason = unreachableHere(url);
			if (reason) throw faultOfDownload(url, `this ${reason}`);
			return await connection.download(url);
		},
		serverTime,
		sign,
		sleep,
		throwIfCanceled,
		unreachable: unreachableHere,
		with: (options) => serverOn(kind, connection.with(options)),
	};
}
