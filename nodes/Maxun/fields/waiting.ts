import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { choices, mustBe, oneOf } from './parameters';

export const timeoutField: INodeProperties = {
	displayName: 'Timeout (Minutes)',
	name: 'timeoutMinutes',
	type: 'number',
	typeOptions: { minValue: 0.1 },
	default: 60,
	description: 'Maximum number of minutes to wait for the run, including its time in the queue',
};

const THROW = {
	name: 'Throw an Error',
	value: 'error',
	description: "Stop the workflow, or use the node's error output if it has one",
} as const;

const ON_FAILURE = choices([
	{
		name: 'Return the Run',
		value: 'return',
		description: 'Continue with the run, its error and its data',
	},
	THROW,
]);

const ON_TIMEOUT = choices([
	{
		name: 'Return the Run',
		value: 'return',
		description: 'Continue with the ID and status of the run',
	},
	THROW,
]);

const IF_NO_DATA = choices([
	{
		name: 'Return Nothing',
		value: 'nothing',
		description: 'Continue without an item for the run. A hint says so.',
	},
	{
		name: 'Return the Item',
		value: 'item',
		description: 'Continue with an item without data. A hint says so.',
	},
	THROW,
]);

export const ifNoDataField: INodeProperties = {
	displayName: 'If No Data',
	name: 'ifNoData',
	type: 'options',
	options: IF_NO_DATA,
	default: 'error',
	description:
		'What to do if the run succeeds but captures no rows, or if none of its pages could be read',
};

export const ifNoDataParameter = oneOf(IF_NO_DATA).default('item');

/** How long to wait for a run, and what to do then. */
export const waitFields: INodeProperties[] = [
	ifNoDataField,
	{
		displayName: 'On Failure',
		name: 'onFailure',
		type: 'options',
		options: ON_FAILURE,
		default: 'error',
		description: 'What to do if the run fails or is aborted',
	},
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: ON_TIMEOUT,
		default: 'error',
		description: 'What to do if the run times out',
	},
	timeoutField,
];

/** A number of minutes, with or without decimals. */
export const minutes = (initial: number) =>
	z.coerce.number(mustBe('must be a number')).positive('must be more than 0').default(initial);

export const waitParameters = {
	timeoutMinutes: minutes(60),
	onTimeout: oneOf(ON_TIMEOUT).default('error'),
	onFailure: oneOf(ON_FAILURE).default('error'),
	ifNoData: ifNoDataParameter,
};

/** Fields that are shown only while a switch is on. */
export const shownWhen = (name: string, fields: INodeProperties[]) =>
	updateDisplayOptions({ show: { [name]: [true] } }, fields);
