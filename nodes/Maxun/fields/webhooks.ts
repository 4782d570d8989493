import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { count, flag, notEmpty, several } from '../core/parameters';

export const webhookUrlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	placeholder: 'e.g. https://example.com/maxun',
	default: '',
	description: 'The public address that Maxun sends events to',
};

/** The optional fields of a webhook. */
export const webhookFields: INodeProperties[] = [
	{
		displayName: 'Active',
		name: 'active',
		type: 'boolean',
		default: true,
		description: 'Whether events are sent; switched off, the webhook is paused',
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
		description: 'What to send events about',
	},
	{
		displayName: 'Retry Attempts',
		name: 'retryAttempts',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 3,
		description:
			'How often an event is sent at most, 1 to 10, until the receiving server accepts it',
	},
	{
		displayName: 'Retry Delay (Seconds)',
		name: 'retryDelay',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 5,
		description:
			'How long to wait before an event is sent again; each further wait is twice as long',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 120 },
		default: 30,
		description: 'How long to wait for the receiving server, 1 to 120 seconds',
	},
];

export const webhookParameters = z.object({
	active: flag().optional(),
	events: notEmpty(several(['run_completed', 'run_failed'])).optional(),
	retryAttempts: count(1, 10).optional(),
	retryDelay: count(0).optional(),
	timeout: count(1, 120).optional(),
});
