import { entriesField } from './collections';
import type { Field } from './field';
import { dataName } from './parameters';
import { outcomeOption } from './waiting';

const fewerField = {
	displayName: 'Max Drop in Rows (%)',
	name: 'mostFewer',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 30,
	ifAbsent: undefined,
	description:
		"How far the number of rows may drop below the usual one, which is the median of the robot's last five completed runs",
} as const satisfies Field;

const filledField = entriesField(
	'Columns That Must Be Filled',
	'filledColumns',
	'Column',
	'Columns that must have a value. Enter their names as they appear in the output.',
	[
		{
			displayName: 'Column',
			name: 'column',
			type: 'string',
			default: '',
			placeholder: 'e.g. Price',
			description: 'The name of the column',
			schema: dataName(),
		},
		{
			displayName: 'Share (%)',
			name: 'share',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 100,
			description: 'The percentage of rows in which the column must have a value',
		},
	],
);

const failsField = {
	displayName: 'If a Check Fails',
	name: 'ifCheckFails',
	type: 'options',
	options: [
		outcomeOption('nothing', 'Continue without the rows of the run, and show a hint'),
		outcomeOption(
			'items',
			"Continue with the rows. Each contains 'problems', and a hint lists them.",
		),
		outcomeOption(
			'error',
			"Stop the workflow, or send the rows to the node's error output if it has one",
		),
	],
	default: 'error',
	ifAbsent: 'error',
	description: 'What to do with the rows of a run that fails a check',
} as const satisfies Field;

const minRowsField = {
	displayName: 'Min Rows',
	name: 'minRows',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	ifAbsent: undefined,
	description: 'How many rows a run must have',
} as const satisfies Field;

const checksOf = <const F extends Field>(options: F[]) =>
	({
		displayName: 'Data Checks',
		name: 'dataChecks',
		type: 'collection',
		placeholder: 'Add check',
		default: {},
		options,
		description:
			"Checks on each run's rows, which show when a page has changed or blocks the robot",
	}) as const satisfies Field;

export const dataChecksField = checksOf([filledField, failsField, fewerField, minRowsField]);

export const dataChecksOfEventField = checksOf([
	filledField,
	{
		...failsField,
		options: [
			outcomeOption('nothing', 'Do not start the workflow for this run'),
			outcomeOption('items', "Start the workflow with the rows. Each contains 'problems'."),
			outcomeOption('error', 'Start an execution that fails, so that the error workflow runs'),
		],
	},
	fewerField,
	minRowsField,
]);

/** A temporary robot has no earlier runs. */
export const newDataChecksField = checksOf([filledField, failsField, minRowsField]);
