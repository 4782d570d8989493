import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { PNG } from '../helpers/files.mts';
import { listen } from '../helpers/listen.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, succeed } = useOperations();

/** Another host, which records its requests. */
let storage: Server;
let address = '';
const asked: IncomingHttpHeaders[] = [];
/** The next responses before the image. */
const refusals: Array<{ status: number; retryAfter: string }> = [];

beforeAll(async () => {
	storage = createServer(({ headers, url }, response) => {
		asked.push(headers);
		const refusal = refusals.shift();
		if (url === '/missing.png') response.writeHead(404).end('<h1>Not found</h1>');
		else if (refusal)
			response.writeHead(refusal.status, { 'retry-after': refusal.retryAfter }).end('<h1>No</h1>');
		else response.setHeader('content-type', 'image/png').end(Buffer.from(PNG, 'base64'));
	});
	address = `http://127.0.0.1:${await listen(storage)}`;
});
afterAll(() => {
	storage.close();
	storage.closeAllConnections();
});
beforeEach(() => {
	asked.length = 0;
	refusals.length = 0;
});

async function getRun(screenshots: unknown, parameters = {}) {
	const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article, run: { screenshots } });
	const options = { downloadScreenshots: true };
	const given = { runId: locator(runId), output: 'simplified', options, ...parameters };
	return (await succeed('run', 'get', given)).rows[0];
}

it('screenshots on another host are downloaded without key and team', async () => {
	const item = await getRun([`${address}/a.png`, { name: 'visible', url: `${address}/b.png` }]);
	const files = Object.values(item?.binary ?? {});
	expect(files).toMatchObject(Array(2).fill({ data: PNG, mimeType: 'image/png' }));
	expect(asked).toHaveLength(2);
	for (const headers of asked) {
		expect(JSON.stringify(headers)).not.toContain('mx-sandbox');
		expect(headers['x-team-id']).toBeUndefined();
	}
});

it('screenshots are downloaded only on request', async () => {
	const item = await getRun([`${address}/a.png`], { options: {} });
	expect(item?.binary).toBeUndefined();
	expect(asked).toEqual([]);
});

it('a hint reports deleted screenshots', async () => {
	const item = await getRun([`${address}/missing.png`]);
	expect(item?.binary).toBeUndefined();
	expect(item?.json.screenshotError).toMatch(/screenshot .*404/is);
});

it.each([[[]], [null], [[5, null, '', { other: 1 }]]])(
	'a run has no screenshots if Maxun returns %j',
	async (none) => {
		const item = await getRun(none);
		expect(item?.binary).toBeUndefined();
		expect(item?.json.screenshotError).toBeUndefined();
	},
);

it("an invalid URL affects neither the run's data nor its other screenshots", async () => {
	const wrong = ['http://exa mple/1.png', 'https://', 'file:///etc/hostname', 'screenshots/a.png'];
	const item = await getRun([...wrong, `${address}/a.png`]);
	expect(item?.json).toMatchObject({ status: 'success' });
	expect(Object.values(item?.binary ?? {}).map(({ data }) => data)).toEqual([PNG]);
	expect(item?.json.screenshotError).toContain('http://exa mple/1.png: this is not a URL');
	expect(item?.json.screenshotError).toContain('https://: this is not a URL');
	expect(item?.json.screenshotError).toMatch(/unknown format.*file:.*screenshots\/a\.png$/s);
});

it.each([429, 503])('the node waits as long as a file store asks (%i)', async (status) => {
	refusals.push({ status, retryAfter: '2' });
	const began = Date.now();
	const item = await getRun([`${address}/a.png`, `${address}/b.png`]);
	expect(Date.now() - began).toBeGreaterThanOrEqual(2000);
	expect(Object.values(item?.binary ?? {}).map(({ data }) => data)).toEqual([PNG, PNG]);
	expect(item?.json.screenshotError).toBeUndefined();
	expect(asked).toHaveLength(3);
});

it('the node waits as long as Maxun asks, and then downloads the screenshot', async () => {
	const path = '/screenshots/a.png';
	await sandbox.respond(429, `GET ${path}`, { headers: { 'retry-after': '2' }, body: '' });
	await sandbox.control.fault({ kind: 'body', body: 'GIF89a', contentType: 'image/png', path });
	const began = Date.now();
	const item = await getRun([`${sandbox.baseUrl}${path}`]);
	expect(Date.now() - began).toBeGreaterThanOrEqual(2000);
	expect(Object.values(item?.binary ?? {})).toHaveLength(1);
	expect(item?.json.screenshotError).toBeUndefined();
});

it("a single screenshot is missing if its file store asks for an hour's wait", async () => {
	refusals.push({ status: 429, retryAfter: '3600' });
	const item = await getRun([`${address}/a.png`, `${address}/b.png`]);
	expect(item?.json).toMatchObject({
		status: 'success',
		screenshotError: expect.stringContaining('status 429'),
	});
	expect(Object.values(item?.binary ?? {})).toHaveLength(1);
	expect(asked).toHaveLength(2);
});
