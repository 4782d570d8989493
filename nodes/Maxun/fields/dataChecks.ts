import { collectionField, entriesField } from './collections';
import { outputColumnField } from './columns';
import { choiceField, type Field, numberField } from './field';
import { outcomeOption } from './waiting';

const fewerField = numberField(
	'Max Drop in Rows (%)',
	'mostFewer',
	"How far the number of rows may drop below the usual one, which is the median of the robot's last five completed runs",
	{ typeOptions: { minValue: 0, maxValue: 100 }, default: 30 },
);

const filledField = entriesField(
	'Columns That Must Be Filled',
	'filledColumns',
	'Column',
	'Columns that must have a value. Enter their names as they appear in the output.',
	[
		outputColumnField,
		numberField(
			'Share (%)',
			'share',
			'The percentage of rows in which the column must have a value',
			{ typeOptions: { minValue: 1, maxValue: 100 }, default: 100 },
		),
	],
);

const failsField = choiceField(
	'If a Check Fails',
	'ifCheckFails',
	'What to do with the rows of a run that fails a check',
	{
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
	},
);

const minRowsField = numberField('Min Rows', 'minRows', 'How many rows a run must have', {
	typeOptions: { minValue: 1 },
});

const checksOf = <const F extends Field>(options: F[]) =>
	collectionField('Data Checks', 'dataChecks', 'check', options, {
		description:
			"Checks on each run's rows, which show when a page has changed or blocks the robot",
	});

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
