import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { downloadPicture } from '../../nodes/Maxun/http/download';
import { faultOf } from '../../nodes/Maxun/http/fault';
import { PNG } from '../helpers/files.mts';
import { fakeServer } from './fakeServer.mts';

const PICTURE = Buffer.from(PNG, 'base64');
const URL_OF_FILE = 'https://files.example/a.png?signature=geheim';

interface Answer {
	status?: number;
	headers?: Record<string, string>;
	content?: Iterable<Buffer>;
}

/** Downloads from a store with these answers by URL. @returns the picture or the reason, and what was requested */
async function download(answers: Record<string, Answer>, baseUrl = 'https://maxun.example/api/v1') {
	const requested: string[] = [];
	const reading = downloadPicture(URL_OF_FILE, baseUrl, async (url) => {
		requested.push(url);
		const { status = 200, headers = {}, content = [PICTURE] } = answers[url] ?? { status: 404 };
		return { statusCode: status, headers, body: Readable.from(content) };
	});
	const fault = await faultOf(reading);
	return { reason: fault?.description, picture: fault ? undefined : await reading, requested };
}

const redirect = (location: string) => ({ status: 302, headers: { location }, content: [] });

it('a picture is downloaded, even after a redirect', async () => {
	const found = await download({
		[URL_OF_FILE]: redirect('/b.png'),
		'https://files.example/b.png': redirect('https://cdn.example/c.png'),
		'https://cdn.example/c.png': {},
	});
	expect(found.picture).toEqual(PICTURE);
});

it.each([
	['http://127.0.0.1:6379/'],
	['http://localhost/'],
	['http://169.254.169.254/latest/meta-data'],
	['http://10.0.0.5/'],
	['http://2130706433/'],
	['http://[::1]/'],
	['http://[::ffff:127.0.0.1]/'],
	['http://redis:6379/'],
])('a redirect to %s is not followed', async (location) => {
	const { reason, requested } = await download({ [URL_OF_FILE]: redirect(location) });
	expect(reason).toBe('https://files.example/a.png: it redirects to a private address');
	expect(requested).toEqual([URL_OF_FILE]);
});

it.each([
	['file:///etc/passwd'],
	['ftp://files.example/'],
	['http://'],
	['data:image/png;base64,'],
])('a redirect to %s is not followed', async (location) => {
	const { reason } = await download({ [URL_OF_FILE]: redirect(location) });
	expect(reason).toContain('it redirects to something that is not a URL');
});

it('a redirect to the server itself is followed, and a loop ends', async () => {
	const own = 'http://192.168.1.5:8080/a.png';
	const answers = { [URL_OF_FILE]: redirect(own), [own]: {} };
	expect((await download(answers, 'http://192.168.1.5:8080/api')).picture).toEqual(PICTURE);
	expect((await download(answers, 'http://192.168.1.5:8081/api')).reason).toContain('private');
	const loop = await download({ [URL_OF_FILE]: redirect(URL_OF_FILE) });
	expect(loop.reason).toContain('status 302');
	expect(loop.requested).toHaveLength(4);
});

it.each([
	['a page', '<!DOCTYPE html><h1>Log in</h1>'],
	['JSON', '{"error":"expired"}'],
	['a drawing that may contain scripts', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
	['nothing', ''],
])('%s is not saved as a picture', async (_, text) => {
	const { reason } = await download({ [URL_OF_FILE]: { content: [Buffer.from(text)] } });
	expect(reason).toBe('https://files.example/a.png: this is not a picture');
});

it('an endless file is not read to its end', async () => {
	let megabytes = 0;
	function* endless() {
		for (;;) {
			megabytes++;
			yield Buffer.alloc(2 ** 20);
		}
	}
	const { reason } = await download({ [URL_OF_FILE]: { content: endless() } });
	expect(reason).toBe('https://files.example/a.png: the file is larger than 50 MB');
	expect(megabytes).toBeLessThan(80);
});

it.each([
	['cloud', 'http://127.0.0.1/a.png', 'this is only reachable from this machine'],
	['cloud', 'http://10.0.0.5/a.png', 'this is only reachable from within a private network'],
	['cloud', 'http://exa mple/a.png', 'this is not a URL'],
	['cloud', 'ftp://files.example/a.png', 'this does not start with http:// or https://'],
	['selfHosted', 'http://localhost:9000/a.png', 'this is only reachable from this machine'],
] as const)('a run of a server on the internet (%s) cannot name %s', async (kind, url, reason) => {
	const maxun = await fakeServer(kind, async () => ({ body: {} }));
	expect((await faultOf(maxun.download(url)))?.description).toBe(`${url}: ${reason}`);
});
