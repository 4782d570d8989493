import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch, type RequestInit, type Response } from 'undici';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 5 * 1024 * 1024;
const USER_AGENT = 'Mozilla/5.0 (compatible; MaxunSandbox/1.0)';

/** A page as fetched. */
export interface Page {
	/** The URL after redirects. */
	url: string;
	status: number;
	contentType: string;
	body: string;
	lastModified: string | null;
}

/** A response to a browser with cookies. */
export interface Opened {
	body: string;
	/** Where it redirects to. */
	location: string | null;
	cookies: Array<[name: string, value: string]>;
}

/** A page failed to load. The message says why. */
export class PageError extends Error {}

/** The server of a page is unreachable. */
export class UnreachableError extends PageError {}

/** Fetches pages over HTTP with time and size limits. */
export class Fetcher {
	// Browsers resolve every subdomain of localhost to this machine. Node asks the system.
	private readonly agent = new Agent({ connect: { lookup: lookupLikeBrowsers } });

	/**
	 * Fetches a page.
	 * @throws PageError on an unreachable server, a timeout, a page above the size limit, or 4xx/5xx
	 */
	async page(url: string, signal: AbortSignal): Promise<Page> {
		const request = { headers: { 'user-agent': USER_AGENT } };
		const page = await this.load(url, signal, request, async (response) => ({
			url: response.url,
			status: response.status,
			contentType: response.headers.get('content-type') ?? '',
			body: await readLimited(response),
			lastModified: response.headers.get('last-modified'),
		}));
		if (page.status >= 400) throw new PageError(`The page ${url} answered ${page.status}`);
		return page;
	}

	/** Sends a page request as a browser with cookies does. Follows no redirect. */
	async open(
		url: string,
		{ signal, form, cookie }: { signal: AbortSignal; form?: URLSearchParams; cookie: string },
	): Promise<Opened> {
		return await this.load(
			url,
			signal,
			{
				method: form === undefined ? 'GET' : 'POST',
				body: form,
				redirect: 'manual',
				headers: { 'user-agent': USER_AGENT, ...(cookie && { cookie }) },
			},
			async (response) => ({
				body: await readLimited(response),
				location: response.headers.get('location'),
				cookies: response.headers.getSetCookie().map(readCookie),
			}),
		);
	}

	private async load<T>(
		url: string,
		signal: AbortSignal,
		request: RequestInit,
		read: (response: Response) => Promise<T>,
	): Promise<T> {
		const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const own = { ...request, dispatcher: this.agent, signal: limited };
			return await read(await fetch(url, own));
		} catch (error) {
			if (signal.aborted || error instanceof PageError) throw error;
			if (limited.aborted) {
				throw new PageError(`The page ${url} did not answer within ${TIMEOUT_MS / 1000} s`);
			}
			throw new UnreachableError(`The page ${url} could not be opened: ${reason(error)}`);
		}
	}

	async close(): Promise<void> {
		await this.agent.destroy();
	}
}

function readCookie(header: string): [string, string] {
	const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(header) ?? [];
	return [name, value];
}

async function readLimited(response: Response): Promise<string> {
	const decoder = new TextDecoder(charsetOf(response.headers.get('content-type') ?? ''));
	let text = '';
	let size = 0;
	for await (const chunk of response.body ?? []) {
		if (!(chunk instanceof Uint8Array)) continue;
		size += chunk.length;
		if (size > MAX_BYTES) throw new PageError(`The page ${response.url} is larger than 5 MB`);
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

function charsetOf(contentType: string): string {
	const name = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(name).encoding;
	} catch {
		return 'utf-8';
	}
}

/** The innermost cause, which names the problem (e.g. "connect ECONNREFUSED 127.0.0.1:9"). */
function reason(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? reason(error.cause) : error.message;
}

const lookupLikeBrowsers: LookupFunction = (hostname, options, callback) => {
	const here = hostname === 'localhost' || hostname.endsWith('.localhost');
	lookup(here ? '127.0.0.1' : hostname, options, callback);
};
