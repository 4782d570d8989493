import { createServer } from 'node:http';
import { z } from 'zod';
import { closeServer, listen } from '../helpers/listen.mts';

const recordSchema = z.record(z.unknown());

export interface Receiver {
	url: string;
	received: Array<{ at: number; headers: Record<string, unknown>; body: Record<string, unknown> }>;
	/** The statuses of the next responses, then 200. */
	statuses: number[];
	delay: number;
	close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = recordSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
			receiver.received.push({ at: Date.now(), headers: request.headers, body });
			setTimeout(() => {
				response.statusCode = receiver.statuses.shift() ?? 200;
				response.end();
			}, receiver.delay);
		});
	});
	const receiver: Receiver = {
		url: `http://127.0.0.1:${await listen(server)}/hook`,
		received: [],
		statuses: [],
		delay: 0,
		close: async () => await closeServer(server),
	};
	return receiver;
}
