import { additionalFields, updateFields } from '../fields/collections';
import { choicesField, flagField, named, numberField } from '../fields/field';
import { called, deletion, operation, reading, type Resource, toItems } from './operation';
import { robotField, webhookField } from '../fields/locators';
import { mustNotBeEmpty, text } from '../fields/parameters';
import { urlField } from '../fields/robots';

const callbackField = {
	...urlField,
	placeholder: 'e.g. https://example.com/maxun',
	description: 'The public URL that Maxun sends events to',
};

const webhookFields = [
	flagField('Active', 'active', 'Whether the webhook sends events'),
	choicesField('Events', 'events', 'The events to send', {
		options: named({ 'Run Completed': 'run_completed', 'Run Failed': 'run_failed' }),
		default: ['run_completed', 'run_failed'],
		rule: mustNotBeEmpty,
	}),
	numberField(
		'Max Attempts',
		'retryAttempts',
		'Maximum number of attempts to send an event, from 1 to 10',
		{ typeOptions: { minValue: 1, maxValue: 10 }, default: 3 },
	),
	numberField(
		'Retry Delay (Seconds)',
		'retryDelay',
		'Seconds to wait before the first retry. The delay doubles with each further retry.',
		{ typeOptions: { minValue: 0 }, default: 5 },
	),
	numberField(
		'Timeout (Seconds)',
		'timeout',
		'Seconds to wait for the receiving server to respond, from 1 to 120',
		{ typeOptions: { minValue: 1, maxValue: 120 }, default: 30 },
	),
];

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
	properties: [robotField, callbackField, additionalFields(webhookFields)],
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
		updateFields([...webhookFields, { ...callbackField, required: false, schema: text() }]),
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
