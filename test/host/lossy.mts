import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '../helpers/listen.mts';

/** Starts an n8n instance's public URL, at which events are lost or arrive twice. */
export async function startLossyUrl() {
	let events = 0;
	const server = createServer((request, response) => {
		const forward = async () => {
			const { method, url = '', headers } = request;
			const body = method === 'POST' ? await buffer(request) : undefined;
			const type = { 'content-type': headers['content-type'] ?? 'application/json' };
			const send = async () => await fetch(lossy.target + url, { method, headers: type, body });
			if (lossy.isLossy && events++ % 2 === 0) {
				lossy.lost++;
				return response.end('{}');
			}
			if (lossy.isLossy && events % 6 === 0) {
				lossy.doubled++;
				void send().catch(() => undefined);
			}
			const answer = await send();
			return response.writeHead(answer.status).end(await answer.text());
		};
		forward().catch(() => response.writeHead(502).end());
	});
	const port = await listen(server);
	const lossy = {
		url: `http://127.0.0.1:${port}`,
		target: '',
		/**
		 * Whether every second event is lost although its sender gets status 200, and every third other event arrives
		 * twice.
		 */
		isLossy: false,
		lost: 0,
		doubled: 0,
		close: async () => await closeServer(server),
	};
	return lossy;
}
