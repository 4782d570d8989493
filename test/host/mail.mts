import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { listen } from '../helpers/listen.mts';

/** Starts a mail server that accepts all emails and keeps them. */
export async function startMailServer() {
	const received: string[] = [];
	const server = createServer((socket) => {
		converse(socket, received).catch(() => socket.destroy());
	});
	const port = await listen(server);
	const close = async () => {
		server.close();
		await once(server, 'close');
	};
	const host = '127.0.0.1';
	const account = { user: '', password: '', secure: false, disableStartTls: true };
	return { credential: { host, port, ...account }, received, close };
}

/** Responds to a client's commands, and keeps the text between DATA and a single dot. */
async function converse(socket: Socket, received: string[]): Promise<void> {
	const respond = (line: string) => socket.write(`${line}\r\n`);
	respond('220 ready');
	let lines: string[] | undefined;
	for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
		if (lines && line !== '.') {
			lines.push(line.replace(/^\.\./, '.'));
		} else if (lines) {
			received.push(lines.join('\n'));
			lines = undefined;
			respond('250 accepted');
		} else if (/^DATA/i.test(line)) {
			lines = [];
			respond('354 send the email');
		} else if (/^QUIT/i.test(line)) {
			respond('221 goodbye');
			socket.end();
		} else {
			respond('250 ok');
		}
	}
}
