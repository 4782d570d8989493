import { createHash } from 'node:crypto';
import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

/** n8n's public URLs, which webhook processors serve instead of the main process. */
const PRODUCTION_PATHS = ['/webhook', '/webhook-waiting', '/form', '/form-waiting'];

/** An n8n instance's proxy in queue mode. */
export interface Proxy {
	/** How to select a webhook processor: always the same for a path, or each in turn. */
	routing: 'by path' | 'in turn';
	close(): Promise<void>;
}

/**
 * Starts a proxy on 127.0.0.1 that sends public calls to webhook processors, and others to the main process.
 * @param main the main process's base URL
 * @param processors the webhook processors' base URLs
 */
export async function startProxy(port: number, main: string, processors: string[]): Promise<Proxy> {
	const server = fastify();
	const proxy: Proxy = { routing: 'by path', close: async () => await server.close() };
	let calls = 0;
	const choose = (url: string) => {
		const [path = ''] = url.split('?');
		const [hash = 0] = createHash('sha256').update(path).digest();
		const turn = proxy.routing === 'in turn' ? calls++ : hash;
		return processors[turn % processors.length] ?? main;
	};
	for (const prefix of PRODUCTION_PATHS) {
		const replyOptions = { getUpstream: ({ url }: { url: string }) => choose(url) };
		await server.register(httpProxy, { upstream: '', prefix, rewritePrefix: prefix, replyOptions });
	}
	await server.register(httpProxy, { upstream: main });
	await server.listen({ port, host: '127.0.0.1' });
	return proxy;
}
