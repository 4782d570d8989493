import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { execute } from '../helpers/engine/index.mts';
import { listen } from '../helpers/listen.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

/** The smallest possible image. */
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Another host, which records its requests. */
let storage: Server;
let address = '';
const asked: IncomingHttpHeaders[] = [];

beforeAll(async () => {
	storage = createServer(({ headers, url }, response) => {
		asked.push(headers);
		if (url === '/missing.png') response.writeHead(404).end('<h1>Not found</h1>');
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
});

async function getRun(screenshots: unknown[], parameters = {}) {
	const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article });
	await sandbox.control.patchRun(runId, { screenshots: JSON.parse(JSON.stringify(screenshots)) });
	const { items, error } = await execute({
		parameters: maxun('run', 'get', {
			runId: locator(runId),
			options: { downloadScreenshots: true },
			...parameters,
		}),
		credentials: sandbox.credentials({ teamId: '' }),
	});
	return { item: items[0]?.[0], error };
}

it('screenshots on another host are fetched without key and team', async () => {
	const { item, error } = await getRun([`${address}/a.png`, `${address}/b.png`]);
	expect(error).toBeUndefined();
	const files = Object.values(item?.binary ?? {});
	expect(files.map(({ data }) => data)).toEqual([PNG, PNG]);
	expect(files.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/png']);
	expect(asked).toHaveLength(2);
	for (const headers of asked) {
		expect(JSON.stringify(headers)).not.toContain('mx-sandbox');
		expect(headers['x-team-id']).toBeUndefined();
	}
});

it('screenshots in the run also become files', async () => {
	const { item, error } = await getRun([`data:image/png;base64,${PNG}`]);
	expect(error).toBeUndefined();
	expect(Object.values(item?.binary ?? {}).map(({ data }) => data)).toEqual([PNG]);
});

it('screenshots are only fetched on request', async () => {
	const { item } = await getRun([`${address}/a.png`], { options: {} });
	expect(item?.binary).toBeUndefined();
	expect(asked).toEqual([]);
});

it('a hint reports screenshots that are gone', async () => {
	const { item, error } = await getRun([`${address}/missing.png`]);
	expect(error).toBeUndefined();
	expect(item?.binary).toBeUndefined();
	expect(item?.json.screenshotError).toMatch(/screenshot .*404/is);
});

it.each(['file:///etc/hostname', 'javascript:alert(1)', 'ftp://127.0.0.1/a.png'])(
	'screenshots at %s are not fetched',
	async (source) => {
		const { item, error } = await getRun([source]);
		const files = Object.values(item?.binary ?? {});
		expect(files).toEqual([]);
		if (error !== undefined) expect(error.name).toMatch(/^Node/);
	},
);

it('the item of a run contains its screenshots', async () => {
	const robotId = await sandbox.control.robot({
		type: 'scrape',
		name: 'With a screenshot',
		url: `${sandbox.siteUrl}/products`,
		formats: ['screenshot-visible'],
	});
	const { items, error } = await execute({
		parameters: maxun('run', 'runAndWait', {
			robotId: locator(robotId),
			options: { downloadScreenshots: true },
		}),
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	const [file] = Object.values(items[0]?.[0]?.binary ?? {});
	expect(file?.mimeType).toBe('image/png');
	expect(
		Buffer.from(file?.data ?? '', 'base64')
			.subarray(1, 4)
			.toString(),
	).toBe('PNG');
});
