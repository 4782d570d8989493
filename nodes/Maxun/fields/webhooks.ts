import { choicesField, type Field, flagField, named, numberField } from './field';
import { mustNotBeEmpty } from './parameters';
import { urlField } from './robots';

export const webhookUrlField = {
	...urlField,
	placeholder: 'e.g. https://example.com/maxun',
	description: 'The public URL that Maxun sends events to',
} as const satisfies Field;

export const webhookFields = [
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
] as const satisfies Field[];
