import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Clock } from './clock.mts';
import { AxiosError, CanceledError, http } from './engine.mts';

/** A request as a server receives it. */
export interface Request {
	method: string;
	url: URL;
	headers: Record<string, string>;
	body: unknown;
}

export interface Response {
	status: number;
	/** Sent as JSON, unless it is text. */
	body: unknown;
	headers?: Record<string, string>;
}

/** Handles requests. May respond later. */
export type Server = (request: Request) => Response | Promise<Response>;

/** What can go wrong with a request. */
export const FAULTS = [
	// Nothing arrives, and the client gets an error.
	'refused',
	'unknown host',
	'tls',
	/** Maxun's own response: too many requests. */
	429,
	'429 without Retry-After',
	// The request doesn't arrive, and the client doesn't notice.
	'broken',
	/** A gateway's or proxy's page with this status. */
	401,
	403,
	404,
	407,
	408,
	500,
	502,
	503,
	520,
	521,
	522,
	523,
	524,
	'empty 404',
	'proxy page',
	'redirect to login',
	// The request arrives, but the client doesn't get the response.
	/** The connection breaks before the response. */
	'cut',
	/** The response takes longer than any timeout. */
	'late',
	/** The response is a proxy's page, with status 200. */
	'garbage',
	/** A part of the response is missing. */
	'truncated',
	/** JSON of another form, with the right status. */
	'odd',
	/** The page of a gateway that doesn't wait for the response. */
	'gateway timeout',
	/** The same, but the gateway responds in JSON. */
	'gateway timeout in JSON',
	/** Maxun's own response: something failed after the request was processed. */
	'own 500 after',
	'408 after',
	'500 after',
	'502 after',
	'520 after',
	'522 after',
	'524 after',
] as const;

export type Fault = (typeof FAULTS)[number];

/** How long a gateway waits for the response, in seconds; 0 if the connection behind it breaks at once. */
const GATEWAYS: Partial<Record<Fault, { status: number; seconds: number }>> = {
	'gateway timeout': { status: 504, seconds: 30 },
	'408 after': { status: 408, seconds: 30 },
	'500 after': { status: 500, seconds: 0 },
	'502 after': { status: 502, seconds: 0 },
	'520 after': { status: 520, seconds: 0 },
	'522 after': { status: 522, seconds: 15 },
	'524 after': { status: 524, seconds: 100 },
};

/** The client's error if nothing has arrived. */
const NOT_CONNECTED: Partial<Record<Fault, string>> = {
	refused: 'ECONNREFUSED',
	'unknown host': 'ENOTFOUND',
	tls: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
};

/** Whether a server handles a request with this fault. */
export const arrives = (fault: Fault | undefined): boolean =>
	fault === undefined ||
	fault.toString().includes('after') ||
	['cut', 'late', 'garbage', 'truncated', 'odd'].includes(String(fault)) ||
	String(fault).startsWith('gateway timeout');

/** `arrived`: the server has handled the request, but the client has no response yet. */
export type Moment = 'sent' | 'arrived' | 'ended';

export interface Exchange {
	number: number;
	request: Request;
	fault?: Fault;
	/** Epoch milliseconds. */
	sent: number;
	/** When the client got a response or an error; undefined while it is waiting. */
	ended?: number;
	/** The server's response, even if the client didn't get it. */
	response?: Response;
	/** Whether the client got a response. */
	isAnswered?: boolean;
}

/** A client's timeout. Its responses are never this late. */
const NEVER = 3 * 60 * 60_000;

/** Connects nodes to simulated servers instead of n8n's HTTP client. Requests take time, and each can fail. */
export class Network {
	readonly exchanges: Exchange[] = [];
	/** What goes wrong with each request; by default, nothing. */
	faultOf: (request: Request, number: number) => Fault | undefined = () => undefined;
	/** Called at each moment of a request. */
	observe: (exchange: Exchange, moment: Moment) => void = () => {};
	/** How requests that don't come from n8n's client reach their server. */
	through: (request: Request, server: Server) => Promise<Response> = async (request, server) =>
		await server(request);
	private readonly servers = new Map<string, Server>();
	private readonly requests = http.requests;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {
		http.requests = () => ({ request: async (options) => await this.request(options) });
	}

	/** Lets a server handle the requests to an origin, such as `https://maxun.test`. */
	serve(origin: string, server: Server): void {
		this.servers.set(origin, server);
	}

	close(): void {
		http.requests = this.requests;
	}

	/** Sends a request that doesn't come from n8n's client. */
	async fetch(request: Request): Promise<Response> {
		await this.travel();
		const server = this.servers.get(request.url.origin);
		if (!server) return page(502, request);
		const response = await this.through(request, server);
		await this.travel();
		return response;
	}

	/** Sends a request as n8n's client does (httpRequest). */
	private async request(options: IHttpRequestOptions): Promise<unknown> {
		const response = await this.send(options);
		const { status, headers = {} } = response;
		const body = parsed(text(response));
		if (status >= 300 && !options.ignoreHttpStatusErrors) {
			const message = `Request failed with status code ${status}`;
			const code = status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
			throw new AxiosError(message, code, undefined, undefined, { status, data: body });
		}
		return options.returnFullResponse ? { statusCode: status, headers, body } : body;
	}

	private async send(options: IHttpRequestOptions): Promise<Response> {
		// If a process is killed in this turn, its promises still continue.
		if (this.clock.current?.alive === false) return await new Promise<never>(() => {});
		const request = requestOf(options);
		const number = this.exchanges.length;
		const fault = this.faultOf(request, number);
		const exchange: Exchange = { number, request, fault, sent: this.clock.now };
		this.exchanges.push(exchange);
		this.observe(exchange, 'sent');
		try {
			const response = await this.interruptible(options, async () => {
				const given = await this.exchange(exchange, options);
				if (typeof given !== 'string') return given;
				throw new AxiosError(`connect ${given}`, given);
			});
			exchange.isAnswered = true;
			return response;
		} finally {
			exchange.ended = this.clock.now;
			this.observe(exchange, 'ended');
		}
	}

	/** @returns the response that reaches the client, or a network error's code */
	private async exchange(
		exchange: Exchange,
		options: IHttpRequestOptions,
	): Promise<Response | string> {
		const { fault, request } = exchange;
		await this.travel();
		const code = fault !== undefined && NOT_CONNECTED[fault];
		if (code) return code;
		if (fault === 'broken') return 'ECONNRESET';
		if (fault !== undefined && !arrives(fault)) return refusal(fault, request, options);
		const arrived = this.arrive(exchange);
		if (fault === 'cut') return await this.travel().then(() => 'ECONNRESET');
		if (fault === 'late') return await this.clock.pause(NEVER).then(() => 'ECONNRESET');
		const gateway = fault !== undefined && GATEWAYS[fault];
		if (gateway) return await this.giveUp(exchange, arrived, gateway);
		if (fault === 'gateway timeout in JSON') {
			await this.clock.pause(30_000);
			return failure(504);
		}
		const response = await arrived;
		await this.travel();
		if (fault === 'own 500 after') return failure(500);
		if (fault === 'garbage') return page(200, request);
		if (fault === 'odd') {
			const success = response.status < 300;
			return { ...response, body: { success, data: [null, 42, 'odd'] } };
		}
		if (fault === 'truncated') return { ...response, body: text(response).slice(0, -3) };
		return response;
	}

	private async giveUp(
		{ request }: Exchange,
		arrived: Promise<Response>,
		{ status, seconds }: { status: number; seconds: number },
	): Promise<Response> {
		if (seconds > 0) await this.clock.pause(seconds * 1000);
		else await arrived;
		return page(status, request);
	}

	/** Lets the server handle the request, which continues even if the client is killed. */
	private async arrive(exchange: Exchange): Promise<Response> {
		const { request } = exchange;
		const server = this.servers.get(request.url.origin);
		if (!server) return page(502, request);
		return await new Promise<Response>((resolve) => {
			const owner = this.clock.current;
			this.clock.after(
				0,
				() => {
					void Promise.resolve(server(request)).then((response) => {
						// A read's response may be large, and the rules don't need it.
						exchange.response =
							request.method === 'GET' ? { ...response, body: undefined } : response;
						this.observe(exchange, 'arrived');
						this.clock.after(0, () => resolve(response), owner);
					});
				},
				null,
			);
		});
	}

	/** Ends when the client gives up: when it times out or cancels. */
	private async interruptible<T>(
		{ abortSignal: signal, timeout }: IHttpRequestOptions,
		work: () => Promise<T>,
	): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			const cancel = () => reject(new CanceledError());
			if (signal?.aborted) return cancel();
			signal?.addEventListener?.('abort', cancel, { once: true });
			const late = () => reject(new AxiosError('timeout', 'ECONNABORTED'));
			const stop = timeout ? this.clock.after(timeout, late) : () => {};
			void work()
				.then(resolve, reject)
				.finally(() => {
					stop();
					signal?.removeEventListener?.('abort', cancel);
				});
		});
	}

	private async travel(): Promise<void> {
		await this.clock.pause(1 + Math.floor(this.random() ** 4 * 400));
	}
}

function requestOf({ url, method = 'GET', qs = {}, body, headers }: IHttpRequestOptions): Request {
	const target = new URL(url);
	for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, String(value));
	const json = method === 'GET' ? '{}' : JSON.stringify(body ?? {});
	const given = { accept: 'application/json', ...headers, 'content-type': 'application/json' };
	const sent = Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]);
	return {
		method,
		url: target,
		headers: Object.fromEntries(sent),
		body: json === '{}' ? undefined : JSON.parse(json),
	};
}

/** A body as n8n's client passes it to nodes: parsed if it is JSON. */
function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

const text = ({ body }: Response) => (typeof body === 'string' ? body : JSON.stringify(body));

/** A proxy's page that shows what the proxy has received. */
const page = (status: number, { method, url, headers }: Request): Response => ({
	status,
	body: `<html><body><h1>Status ${status}</h1><pre>${method} ${url.href}\n${JSON.stringify(headers)}</pre></body></html>`,
	headers: { 'content-type': 'text/html' },
});

const failure = (status: number): Response => ({
	status,
	body: { success: false, error: `Error ${status}` },
});

/** The response of something other than Maxun, or Maxun's own if there were too many requests. */
function refusal(
	fault: Fault,
	request: Request,
	{ disableFollowRedirect }: IHttpRequestOptions,
): Response {
	if (fault === 429) return { ...failure(429), headers: { 'retry-after': '20' } };
	if (fault === '429 without Retry-After') return failure(429);
	if (fault === 'empty 404') return { status: 404, body: '' };
	if (fault === 'redirect to login' && disableFollowRedirect) {
		return { ...page(302, request), headers: { location: 'https://login.test/' } };
	}
	return page(typeof fault === 'number' ? fault : 200, request);
}
