import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../helpers/listen.mts';

export async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server);
	server.close();
	await once(server, 'close');
	return port;
}

export async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	return await new Promise((resolve) => {
		server.once('error', () => resolve(false));
		server.once('listening', () => server.close(() => resolve(true)));
	});
}
