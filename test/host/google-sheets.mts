import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { z } from 'zod';
import { listen } from '../helpers/listen.mts';
import { Sheet } from './sheet.mts';

const HOSTS = ['sheets.googleapis.com', 'oauth2.googleapis.com'];

/** Starts Google Sheets with one spreadsheet for one n8n instance. Its proxy doesn't lead to other servers. */
export async function startGoogleSheets() {
	const sheet = new Sheet();
	const altNames = HOSTS.map((value) => ({ type: 2 as const, value }));
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'Google' }], {
		keySize: 2048,
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames },
		],
	});
	const google = createServer({ key, cert }, (request, response) => {
		const answer = (status: number, body: unknown) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		text(request)
			.then((body) => answer(200, answerTo(sheet, request.method, request.url ?? '', body)))
			.catch(({ message }: Error) => answer(400, { error: { code: 400, message } }));
	});
	const googlePort = await listen(google);
	const proxy = createProxy().on('connect', ({ url = '' }, socket) => {
		if (!HOSTS.includes(url.split(':')[0] ?? '')) {
			socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
			return;
		}
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		const target = connect(googlePort, '127.0.0.1');
		socket.pipe(target).pipe(socket);
		socket.on('error', () => target.destroy());
		target.on('error', () => socket.destroy());
	});
	const proxyPort = await listen(proxy);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-google-'));
	const certificate = join(folder, 'google.pem');
	await writeFile(certificate, cert);
	return {
		sheet,
		/** Settings with which n8n reaches this imitation instead of Google Sheets. */
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: certificate,
		},
		credential: { region: 'global', email: 'n8n@example.iam.gserviceaccount.com', privateKey: key },
		close: async () => {
			// The proxy's tunnels may stay open.
			for (const server of [proxy, google]) {
				server.closeAllConnections();
				server.close();
			}
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const Values = z.object({ range: z.string(), values: z.array(z.array(z.unknown())) });
const BatchOfValues = z.object({ data: z.array(Values) });
const Rows = z.object({
	dimension: z.literal('ROWS'),
	startIndex: z.number(),
	endIndex: z.number(),
});
const BatchOfRequests = z.object({
	requests: z.array(
		z.union([
			z.object({ appendDimension: z.object({ length: z.number() }) }),
			z.object({ deleteDimension: z.object({ range: Rows }) }),
		]),
	),
});

/**
 * The part of Google's API (v4) that n8n's node uses to read, add, update and delete rows.
 * @throws Error for a request that Google rejects
 */
function answerTo(sheet: Sheet, method = 'GET', url: string, body: string): unknown {
	const path = decodeURIComponent(url.split('?')[0] ?? '');
	if (path === '/token') return { access_token: 'token', expires_in: 3600, token_type: 'Bearer' };
	const [, rest] = /^\/v4\/spreadsheets\/[^/:]+(.*)$/.exec(path) ?? [];
	const range = /^\/values\/(.+?)(:append)?$/.exec(rest ?? '')?.[1];
	if (method === 'GET' && rest === '') return { sheets: [{ properties: sheet.properties }] };
	if (method === 'GET' && range !== undefined) return { range, values: sheet.read(range) };
	if (method === 'PUT' && range !== undefined) {
		sheet.write(range, Values.parse(JSON.parse(body)).values);
		return { updatedRange: range };
	}
	if (method === 'POST' && rest === '/values:batchUpdate') {
		for (const { range, values } of BatchOfValues.parse(JSON.parse(body)).data)
			sheet.write(range, values);
		return {};
	}
	if (method === 'POST' && rest === ':batchUpdate') {
		for (const request of BatchOfRequests.parse(JSON.parse(body)).requests) {
			if ('appendDimension' in request) sheet.grow(request.appendDimension.length);
			else {
				const { startIndex, endIndex } = request.deleteDimension.range;
				sheet.deleteRows(startIndex, endIndex);
			}
		}
		return { replies: [] };
	}
	throw new Error(`Unknown request ${method} ${path}`);
}
