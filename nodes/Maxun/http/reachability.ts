interface Caller {
	baseUrl: string;
	/** Whether it may be in the same private network, even if it has a public name. */
	isNearby: boolean;
}

/** Why a server can't reach a URL of n8n, phrased to follow the URL. Only reads the host. */
export function unreachable(url: string, { baseUrl, isNearby }: Caller): string | undefined {
	if (!URL.canParse(url)) return 'is not a URL';
	const { protocol, hostname } = new URL(url);
	if (protocol !== 'http:' && protocol !== 'https:') {
		return 'does not start with http:// or https://';
	}
	if (!isNear(hostname) || isLocalServer(baseUrl)) return undefined;
	if (isLoopback(hostname)) return 'is only reachable from this machine';
	return isNearby ? undefined : 'is only reachable from within a private network';
}

/** Whether a redirect leads to a private address that none of these URLs mentions. */
export const leadsInside = (target: string, known: string[]): boolean =>
	isNear(new URL(target).hostname) &&
	!known.some((url) => new URL(url).host === new URL(target).host);

const isLocalServer = (baseUrl: string) =>
	URL.canParse(baseUrl) && isNear(new URL(baseUrl).hostname);

const LOOPBACK = [/^localhost$/, /\.localhost$/, /^(127|0)(\.\d+){3}$/, /^\[::(1|ffff:.*)?\]$/];

/** Ranges and names that the internet never routes. `URL` has already normalized case and IP addresses. */
const PRIVATE = [
	/^10(\.\d+){3}$/,
	/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}$/,
	/^169\.254(\.\d+){2}$/,
	/^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/,
	/^192\.168(\.\d+){2}$/,
	/^\[f[cd]/,
	/^\[fe[89ab]/,
	/\.(corp|home|home\.arpa|internal|intranet|lan|local|test|invalid)$/,
	/^[^.:]+$/, // A name without a dot, such as a container's.
];

const isLoopback = (host: string) => isAmong(LOOPBACK, host);

const isNear = (host: string) => isLoopback(host) || isAmong(PRIVATE, host);

const isAmong = (patterns: RegExp[], host: string) =>
	patterns.some((pattern) => pattern.test(host.replace(/\.$/, '')));
