import { expect, it } from 'vitest';
import { TriggerWebhooks } from '../../nodes/Maxun/trigger/triggerWebhooks';
import { fakeServer } from './fakeServer.mts';

it('a refusal that repeats the URL does not show its secret', async () => {
	const maxun = await fakeServer('cloud', async ({ method, body }) =>
		method === 'POST'
			? { status: 400, body: { success: false, error: `Refused ${JSON.stringify(body)}` } }
			: { body: { success: true, data: [] } },
	);
	const secret = 'a-secret-in-the-url';
	const webhooks = new TriggerWebhooks(maxun, {
		url: 'https://n8n.example/webhook/one',
		secret,
		events: ['run_completed'],
		webhookIds: {},
		warn: () => undefined,
	});
	const fault: unknown = await webhooks.register(['robot']).catch((error: unknown) => error);
	const { message, description } = Object(fault);
	expect(message + description).toContain('/webhook/one?secret=[secret]');
	expect(message + description).not.toContain(secret);
});
