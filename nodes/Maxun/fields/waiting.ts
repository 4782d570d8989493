import type { Field } from './field';
import type { IDisplayOptions } from 'n8n-workflow';
import { positive } from './parameters';

export const timeoutField = {
	displayName: 'Timeout (Minutes)',
	name: 'timeoutMinutes',
	type: 'number',
	typeOptions: { minValue: 0.1 },
	default: 60,
	ifAbsent: 60,
	check: positive(),
	description: 'Maximum number of minutes to wait for the run, including its time in the queue',
} as const satisfies Field;

const THROW = {
	name: 'Throw an Error',
	value: 'error',
	description: "Stop the workflow, or use the node's error output if it has one",
} as const;

const IF_NO_DATA = [
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
] as const satisfies Field['options'];

export const ifNoDataField = {
	displayName: 'If No Data',
	name: 'ifNoData',
	type: 'options',
	options: IF_NO_DATA,
	default: 'error',
	ifAbsent: 'item',
	description:
		'What to do if the run succeeds but captures no rows, or if none of its pages could be read',
} as const satisfies Field;

const ON_FAILURE = [
	{
		name: 'Return the Run',
		value: 'return',
		description: 'Continue with the run, its error and its data',
	},
	THROW,
] as const satisfies Field['options'];

const ON_TIMEOUT = [
	{
		name: 'Return the Run',
		value: 'return',
		description: 'Continue with the ID and status of the run',
	},
	THROW,
] as const satisfies Field['options'];

/** How long to wait for a run, and what to do then. */
export const waitFields = [
	ifNoDataField,
	{
		displayName: 'On Failure',
		name: 'onFailure',
		type: 'options',
		options: ON_FAILURE,
		default: 'error',
		ifAbsent: 'error',
		description: 'What to do if the run fails or is aborted',
	},
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: ON_TIMEOUT,
		default: 'error',
		ifAbsent: 'error',
		description: 'What to do if the run times out',
	},
	timeoutField,
] as const satisfies Field[];

/** Fields that are shown only while a switch is on. */
export const shownWhen = <const F extends Field>(
	name: string,
	fields: F[],
): Array<F & { displayOptions: IDisplayOptions }> =>
	fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, [name]: [true] },
		},
	}));

export { ifNoDataParameter } from './unconverted';
