import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { oneOf } from '../core/parameters';

export const waitForField: INodeProperties = {
	displayName: 'Wait For (Minutes)',
	name: 'waitFor',
	type: 'number',
	typeOptions: { minValue: 0.1 },
	default: 60,
	description: 'How long to wait for the run to end, including the time it is queued',
};

/** How long to wait for a run, and what then. */
export const waitFields: INodeProperties[] = [
	waitForField,
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Return the Run',
				value: 'return',
				description: 'Go on with the ID and status of the run',
			},
			{ name: 'Throw an Error', value: 'error', description: 'Stop, or go on at the error output' },
		],
		default: 'error',
		description:
			'What to do when the run has not ended in that time; it goes on in Maxun, unless the options cancel it',
	},
	{
		displayName: 'On Failure',
		name: 'onFailure',
		type: 'options',
		options: [
			{
				name: 'Return the Run',
				value: 'return',
				description: 'Go on with the run, its error and what it captured',
			},
			{ name: 'Throw an Error', value: 'error', description: 'Stop, or go on at the error output' },
		],
		default: 'error',
		description: 'What to do when the run fails or is aborted',
	},
];

/** The same where the robot is made for the run alone. */
export const temporaryWaitFields = waitFields.map((field) =>
	field.name === 'onTimeout'
		? {
				...field,
				description:
					'What to do when the run has not ended in that time; it is cancelled then, unless the robot is kept',
			}
		: field,
);

/** A number of minutes, which need not be whole. */
export const minutes = (initial: number) =>
	z.coerce
		.number({ invalid_type_error: 'must be a number' })
		.positive('must be more than 0')
		.default(initial);

export const waitParameters = {
	waitFor: minutes(60),
	onTimeout: oneOf(['error', 'return']).default('error'),
	onFailure: oneOf(['error', 'return']).default('error'),
};

/** Fields that are shown only while a switch is on. */
export const shownWhen = (name: string, fields: INodeProperties[]) =>
	updateDisplayOptions({ show: { [name]: [true] } }, fields);
