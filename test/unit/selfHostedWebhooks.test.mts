import { describe, expect, it } from 'vitest';
import { fakeServer } from './fakeServer.mts';

const PAGE = '<!doctype html><pre>Cannot GET</pre>';

describe('the webhooks of a self-hosted server', () => {
	it('a missing route is reported without reading the robot', async () => {
		const sent: string[] = [];
		const { webhooks } = await fakeServer('selfHosted', async ({ path }) => {
			sent.push(path);
			return { status: 404, body: PAGE };
		});
		await expect(webhooks.list('r1')).rejects.toMatchObject({
			message: expect.stringContaining('does not support registering webhooks'),
			missingRoute: true,
		});
		expect(sent).toEqual(['/sdk/robots/r1']);
	});

	it.each([
		[{ robot: { id: 'r1', name: 'Prices' } }, 200, 'does not support registering webhooks'],
		[{ messageCode: 'not_found', message: 'Robot not found' }, 404, "could not find robot 'r1'"],
	])(
		'a 404 with a JSON body is explained by what the robot itself shows: %j',
		async (body, status, message) => {
			const { webhooks } = await fakeServer('selfHosted', async ({ path }) =>
				path.startsWith('/sdk/') ? { status: 404, body: { error: 'Not found' } } : { status, body },
			);
			await expect(webhooks.list('r1')).rejects.toThrow(message);
		},
	);

	it('a webhook that no longer exists is not changed, and the list stays as it is', async () => {
		const sent: string[] = [];
		const { webhooks } = await fakeServer('selfHosted', async ({ method }) => {
			sent.push(method);
			const webhooks = [{ id: 'w1', url: 'https://example.com' }];
			return { body: { data: { recording_meta: { id: 'r1' }, webhooks } } };
		});
		await expect(webhooks.delete('r1', 'w2')).rejects.toMatchObject({ status: 404 });
		await expect(webhooks.update('r1', 'w2', { active: false })).rejects.toMatchObject({
			status: 404,
		});
		expect(sent).toEqual(['GET', 'GET']);
	});
});
