import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

/** What a server returns: the body of each page by its offset, after about `delay` milliseconds. */
interface Recording {
	pages: Map<number, string>;
	delay: number;
}

/** A public service's responses take different times. Each page always takes the same share of the delay. */
const SHARES = [1, 1.12, 0.88, 1.2, 0.96, 0.8, 1.04];

/** Serves recorded pages in its own process, so that the server doesn't compete with its clients. */
export async function startReplay(recording: Recording) {
	const server = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' });
	server.send(recording);
	const [port] = await once(server, 'message');
	return { baseUrl: `http://127.0.0.1:${port}`, close: () => server.kill() };
}

/** The recorded server. Sends its port to the parent process. */
async function serve({ pages, delay }: Recording): Promise<void> {
	const offsets = [...pages.keys()];
	const server = createServer((request, response) => {
		const offset = Number(new URL(request.url ?? '', 'http://replay').searchParams.get('offset'));
		const share = SHARES[offsets.indexOf(offset) % SHARES.length] ?? 1;
		setTimeout(() => {
			response.setHeader('content-type', 'application/json');
			response.end(pages.get(offset) ?? '{"success":true,"data":[]}');
		}, delay * share);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No TCP port');
	process.send?.(address.port);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.once('message', serve);
