import { expect, test } from 'vitest';
import { KEYS, TEAM_ID } from '../sandbox/index.mts';
import { credentialTest } from '../helpers/engine/index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

const values = (changes: Parameters<typeof sandbox.credentials>[0] = {}) =>
	sandbox.credentials(changes).maxunApi;

test('a right key passes, with one request that acts for nobody else', async () => {
	const result = await credentialTest('maxunApi', values());
	expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
	const requests = await sandbox.control.requests();
	expect(requests.map(({ method }) => method)).toEqual(['GET']);
	expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEYS.owner}`);
	expect(requests[0]?.headers['x-team-id']).toBeUndefined();
});

test('a team of the key passes and is named in the request', async () => {
	const result = await credentialTest('maxunApi', values({ teamId: TEAM_ID }));
	expect(result.status).toBe('OK');
	expect((await sandbox.control.requests())[0]?.headers['x-team-id']).toBe(TEAM_ID);
});

test('a base URL with a final slash passes', async () => {
	const result = await credentialTest('maxunApi', values({ baseUrl: `${sandbox.baseUrl}/` }));
	expect(result.status).toBe('OK');
});

test('the key is not sent on to where an answer points', async () => {
	const location = `${sandbox.baseUrl}/usage?elsewhere`;
	await sandbox.control.fault({ kind: 'status', status: 302, headers: { location }, body: '' });
	expect((await credentialTest('maxunApi', values())).status).toBe('Error');
	expect(await sandbox.control.lines()).toEqual(['GET /usage']);
});

test.each([
	['a wrong key', () => values({ apiKey: 'mx-not-a-key' })],
	['an empty key', () => values({ apiKey: '' })],
	["a team that is not the key's own", () => values({ teamId: 'somebody-elses-team' })],
	['a base URL where nothing listens', () => values({ baseUrl: 'http://127.0.0.1:9/api/v1' })],
	['a base URL of some other page', () => values({ baseUrl: sandbox.siteUrl })],
])('%s does not pass', async (_, given) => {
	const result = await credentialTest('maxunApi', given());
	expect(result.status).toBe('Error');
	expect(result.message).not.toBe('');
	expect(result.message).not.toContain('mx-not-a-key');
});
