import { once } from 'node:events';
import { createServer } from 'node:net';

/** A free TCP port of this machine. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('The system gave no port');
	return address.port;
}

/** Whether the port is free. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	return await new Promise((resolve) => {
		server.once('error', () => resolve(false));
		server.once('listening', () => server.close(() => resolve(true)));
	});
}
