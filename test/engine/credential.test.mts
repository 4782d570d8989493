import { expect, it } from 'vitest';
import { KEYS, TEAM_ID } from '../sandbox/index.mts';
import { credentialTest } from '../helpers/engine/index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

const values = (changes: Parameters<typeof sandbox.credentials>[0] = {}) =>
	sandbox.credentials(changes).maxunCloudApi;

it('a valid key passes, with one request and no team', async () => {
	const result = await credentialTest('maxunCloudApi', values());
	expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
	const requests = await sandbox.control.requests();
	expect(requests.map(({ method }) => method)).toEqual(['GET']);
	expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEYS.owner}`);
	expect(requests[0]?.headers['x-team-id']).toBeUndefined();
});

it("one of the key's teams passes and is in the request", async () => {
	const result = await credentialTest('maxunCloudApi', values({ teamId: TEAM_ID }));
	expect(result.status).toBe('OK');
	expect((await sandbox.control.requests())[0]?.headers['x-team-id']).toBe(TEAM_ID);
});

it('the key is not sent to a redirect target', async () => {
	const location = `${sandbox.baseUrl}/usage?elsewhere`;
	await sandbox.control.fault({ kind: 'status', status: 302, headers: { location }, body: '' });
	expect(await credentialTest('maxunCloudApi', values())).toEqual({
		status: 'Error',
		message: expect.stringMatching(/redirects to another URL/),
	});
	expect(await sandbox.control.lines()).toEqual(['GET /usage']);
});

it.each([
	['a wrong key', () => values({ apiKey: 'mx-not-a-key' })],
	['an empty key', () => values({ apiKey: '' })],
	["a team that is not the key's own", () => values({ teamId: 'somebody-elses-team' })],
	['a base URL where nothing listens', () => values({ baseUrl: 'http://127.0.0.1:9/api/v1' })],
	['a base URL of some other page', () => values({ baseUrl: sandbox.siteUrl })],
])('%s does not pass', async (_, given) => {
	const result = await credentialTest('maxunCloudApi', given());
	expect(result.status).toBe('Error');
	expect(result.message).not.toBe('');
	expect(result.message).not.toContain('mx-not-a-key');
});
