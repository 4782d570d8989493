import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

export async function listen(server: Server, port = 0): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return address.port;
}

/** Closes a server with its connections, which would stay open for further requests. */
export async function closeServer(server: HttpServer): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}
