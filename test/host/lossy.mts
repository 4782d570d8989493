import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '../helpers/listen.mts';

/** An n8n instance's public URL, at which events are lost or arrive twice. */
export interface LossyUrl {
	url: string;
	target: string;
	/**
	 * Whether every second event is lost although its sender gets status 200, and every third other one arrives twice.
	 */
	isLossy: boolean;
	lost: number;
	doubled: number;
	close(): Promise<void>;
}

export async function startLossyUrl(): Promise<LossyUrl> {
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
	const lossy: LossyUrl = {
		url: `http://127.0.0.1:${await listen(server)}`,
		target: '',
		isLossy: false,
		lost: 0,
		doubled: 0,
		close: async () => await closeServer(server),
	};
	return lossy;
}
