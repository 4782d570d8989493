import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { choices, count, flag, notEmpty, several } from './parameters';

export const webhookUrlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	placeholder: 'e.g. https://example.com/maxun',
	default: '',
	description: 'The public URL that Maxun sends events to',
};

const EVENTS = choices([
	{ name: 'Run Completed', value: 'run_completed' },
	{ name: 'Run Failed', value: 'run_failed' },
]);

/** The optional fields of a webhook. */
export const webhookFields: INodeProperties[] = [
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
		options: EVENTS,
		default: ['run_completed', 'run_failed'],
		description: 'The events to send',
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
];

export const webhookParameters = z.object({
	active: flag().optional(),
	events: notEmpty(several(EVENTS)).optional(),
	retryAttempts: count(1, 10).optional(),
	retryDelay: count(0).optional(),
	timeout: count(1, 120).optional(),
});
