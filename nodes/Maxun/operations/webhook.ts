import { additionalFields, updateFields } from '../fields/collections';
import { called, deletion, operation, reading, type Resource, toItems } from './operation';
import { robotField, webhookField } from '../fields/locators';
import { text } from '../fields/parameters';
import { webhookFields, webhookUrlField } from '../fields/webhooks';

const getAll = reading({
	...called('getAll', 'Get Many', 'webhooks'),
	description: "Retrieve a robot's webhooks",
	properties: [robotField],
	needs: ({ webhooks }) => webhooks.list,
	run: async (list, { robotId }) => await list(robotId),
});

const create = operation({
	...called('create', 'Create', 'webhook'),
	description: "Have Maxun call a URL when a robot's runs end",
	properties: [robotField, webhookUrlField, additionalFields(webhookFields)],
	needs: ({ webhooks }) => webhooks.create,
	run: async (createWebhook, { robotId, url, additionalFields: fields }) =>
		await createWebhook(robotId, { url, ...fields }),
});

const remove = deletion(
	'webhook',
	"Delete a robot's webhook",
	[robotField, webhookField],
	({ webhooks }) => webhooks.delete,
);

const sendTest = operation({
	...called('test', 'Test', 'webhook'),
	description: 'Send a sample event and return whether the receiving server accepted it',
	properties: [robotField, webhookField],
	needs: ({ webhooks }) => webhooks.test,
	run: async (test, { robotId, webhookId }) => {
		// The response isn't documented. An empty response also returns an item.
		const [outcome] = toItems(await test(robotId, webhookId));
		return { id: webhookId, ...outcome };
	},
});

const update = operation({
	...called('update', 'Update', 'webhook'),
	description: 'Change, pause or resume a webhook',
	properties: [
		robotField,
		webhookField,
		updateFields([...webhookFields, { ...webhookUrlField, required: false, schema: text() }]),
	],
	needs: ({ webhooks }) => webhooks.update,
	run: async (updateWebhook, { robotId, webhookId, updateFields: fields }) => ({
		id: webhookId,
		...(await updateWebhook(robotId, webhookId, fields)),
	}),
});

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	description: 'Let Maxun send events of your robots to a URL',
	operations: [create, getAll, sendTest, update, remove],
};
