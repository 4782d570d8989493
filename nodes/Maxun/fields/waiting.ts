import type { Field } from './field';
import type { IDisplayOptions } from 'n8n-workflow';
import { positive } from './parameters';

/** In minutes. */
const YEAR = 365 * 24 * 60;

export const timeoutField = {
	displayName: 'Timeout (Minutes)',
	name: 'timeoutMinutes',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: YEAR },
	default: 60,
	ifAbsent: 60,
	check: positive().max(YEAR, `must be at most ${YEAR} (a year)`),
	description:
		'Maximum number of minutes to wait for the run. The time begins when Maxun starts to work on the run. Before that, it begins with each start or end of another run of this node.',
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
		description:
			'Continue without an item for the run. A hint says so. In a loop, also turn on Settings > Always Output Data, because n8n ends a loop at a node without items.',
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

const ON_PAGE_FAILURE = [
	{
		name: 'Continue With Other Pages',
		value: 'skip',
		description:
			'Return the data of the other pages. Failed pages go to the error output if the node has one. Otherwise, a hint lists them. The node fails only if all pages fail.',
	},
	{
		name: 'Return Failed Pages',
		value: 'return',
		description: 'Continue with an item for each failed page, which contains its error',
	},
	{
		name: 'Stop at the First Failure',
		value: 'error',
		description: 'Fail the node. The data of the other pages is lost.',
	},
] as const satisfies Field['options'];

/** How to wait for runs, and what to do if one of several pages fails. */
export const pageWaitFields = [
	ifNoDataField,
	{
		displayName: 'On Failure',
		name: 'onFailure',
		type: 'options',
		options: ON_PAGE_FAILURE,
		default: 'skip',
		ifAbsent: 'skip',
		description: 'What to do if a page is invalid, or if the run on it fails or times out',
	},
	timeoutField,
] as const satisfies Field[];

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
