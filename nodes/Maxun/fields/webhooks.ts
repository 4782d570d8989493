import type { Field } from './field';
import { mustNotBeEmpty } from './parameters';
import { urlField } from './robots';

export const webhookUrlField = {
	...urlField,
	placeholder: 'e.g. https://example.com/maxun',
	description: 'The public URL that Maxun sends events to',
} as const satisfies Field;

export const webhookFields = [
	{
		displayName: 'Active',
		name: 'active',
		type: 'boolean',
		default: true,
		description: 'Whether the webhook sends events',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: [
			{ name: 'Run Completed', value: 'run_completed' },
			{ name: 'Run Failed', value: 'run_failed' },
		],
		default: ['run_completed', 'run_failed'],
		description: 'The events to send',
		rule: mustNotBeEmpty,
	},
	{
		displayName: 'Max Attempts',
		name: 'retryAttempts',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 3,
		description: 'Maximum number of attempts to send an event, from 1 to 10',
	},
	{
		displayName: 'Retry Delay (Seconds)',
		name: 'retryDelay',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 5,
		description:
			'Seconds to wait before the first retry. The delay doubles with each further retry.',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 120 },
		default: 30,
		description: 'Seconds to wait for the receiving server to respond, from 1 to 120',
	},
] as const satisfies Field[];
