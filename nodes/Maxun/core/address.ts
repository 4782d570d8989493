import type { Dialect } from '../api/service';

/**
 * Why a service cannot send anything to an address of this n8n, in words that go after the address; undefined when
 * it looks reachable.
 *
 * Names are not looked up: what counts is the form of the host. A service that is itself on this machine or in a
 * private network reaches its neighbours, so that nothing but the scheme is looked at then.
 *
 * @param address of this n8n, with any path
 * @param baseUrl of the service, as in the credential
 * @param dialect of the service: a server of one's own may have any name and still be a neighbour
 */
export function unreachable(
	address: string,
	baseUrl: string,
	dialect: Dialect = 'cloud',
): string | undefined {
	if (!URL.canParse(address)) return 'is no web address';
	const { protocol, hostname } = new URL(address);
	if (protocol !== 'http:' && protocol !== 'https:') {
		return 'begins with neither http:// nor https://';
	}
	if (!isLocal(hostname) || isLocalService(baseUrl)) return undefined;
	if (isLoopback(hostname)) return 'can be reached on this machine alone';
	return dialect === 'cloud' ? 'can be reached in a private network alone' : undefined;
}

const isLocalService = (baseUrl: string) =>
	URL.canParse(baseUrl) && isLocal(new URL(baseUrl).hostname);

const LOOPBACK = [/^localhost$/, /\.localhost$/, /^(127|0)(\.\d+){3}$/, /^\[::1?\]$/];

/** Ranges and names that are never routed on the internet; the parser has normalised addresses and case. */
const PRIVATE = [
	/^10(\.\d+){3}$/,
	/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}$/,
	/^169\.254(\.\d+){2}$/,
	/^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/,
	/^192\.168(\.\d+){2}$/,
	/^\[f[cd]/,
	/^\[fe[89ab]/,
	/\.(corp|home|home\.arpa|internal|intranet|lan|local|test|invalid)$/,
	/^[^.:]+$/, // a name without a dot, such as that of a container
];

const isLoopback = (host: string) => matches(LOOPBACK, host);

const isLocal = (host: string) => isLoopback(host) || matches(PRIVATE, host);

const matches = (patterns: RegExp[], host: string) => {
	const bare = asIpv4(host.replace(/\.$/, ''));
	return patterns.some((pattern) => pattern.test(bare));
};

/** An IPv4 address that is written as IPv6, `[::ffff:7f00:1]`, in its usual form. */
function asIpv4(host: string): string {
	const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
	if (high === undefined || low === undefined) return host;
	const bytes = [high, low].flatMap((group) => {
		const value = parseInt(group, 16);
		return [value >> 8, value & 0xff];
	});
	return bytes.join('.');
}
