import { createHash } from 'node:crypto';
import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

/** What n8n serves to the outside, and webhook processors in place of the main process. */
const PRODUCTION_PATHS = ['/webhook', '/webhook-waiting', '/form', '/form-waiting'];

/** What stands in front of an n8n in queue mode. */
export interface Proxy {
	/** Which webhook processor a call is given to: always the same one for a path, or each in turn. */
	routing: 'by path' | 'in turn';
	close(): Promise<void>;
}

/**
 * Starts a proxy on a port of 127.0.0.1 that gives calls from outside to webhook processors, and all others to the
 * main process.
 * @param main origin of the main process
 * @param processors origins of the webhook processors
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
