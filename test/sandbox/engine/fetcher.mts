import { Agent, fetch, type RequestInit, type Response } from 'undici';

const TIMEOUT_MS = 30_000;

export interface Page {
	/** The URL after redirects. */
	url: string;
	status: number;
	body: string;
}

export class PageError extends Error {}

export class UnreachableError extends PageError {}

export class Fetcher {
	private readonly agent = new Agent();

	async page(address: string, signal: AbortSignal): Promise<Page> {
		const { url, status, body } = await this.load(address, signal, {});
		if (status >= 400) throw new PageError(`The page ${address} answered ${status}`);
		return { url, status, body };
	}

	/** Sends a request for a page like a browser with cookies. Doesn't follow redirects. */
	async open(
		url: string,
		{ signal, form, cookie }: { signal: AbortSignal; form?: URLSearchParams; cookie: string },
	) {
		const method = form === undefined ? 'GET' : 'POST';
		const request: RequestInit = { method, body: form, redirect: 'manual', headers: { cookie } };
		const { body, headers } = await this.load(url, signal, request);
		const cookies = headers.getSetCookie().map(readCookie);
		return { body, location: headers.get('location'), cookies };
	}

	private async load(
		url: string,
		signal: AbortSignal,
		request: RequestInit,
	): Promise<Pick<Response, 'url' | 'status' | 'headers'> & { body: string }> {
		const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const own = { ...request, dispatcher: this.agent, signal: limited };
			const response = await fetch(url, own);
			const { url: end, status, headers } = response;
			return { url: end, status, headers, body: await response.text() };
		} catch (error) {
			if (signal.aborted) throw error;
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

function reason(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? reason(error.cause) : error.message;
}
