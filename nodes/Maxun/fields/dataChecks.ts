import { collectionField, entriesField } from './collections';
import { outputColumnField } from './columns';
import { choice, choiceField, type Field, numberField, textField } from './field';
import { decimal } from './parameters';
import { FAIL_RUN, outcomeOption, SKIP_RUN } from './waiting';

const fewerField = numberField(
	'Max Drop in Rows (%)',
	'mostFewer',
	"How far the number of rows may drop below the usual number, which is the median of the robot's last five completed runs",
	{ typeOptions: { minValue: 0, maxValue: 100 }, default: 30 },
);

const CHECKS = [
	choice(
		'Changes by at Most (%)',
		'changesBy',
		'How much the median may change since the last good run',
	),
	choice('Must Be a Date', 'date', 'A date or an age, such as "2 hours ago"'),
	choice('Must Be a Link', 'link', 'A URL, or a relative link such as /p/1'),
	choice('Must Be a Number', 'number', 'A number or a price'),
	choice('Must Be at Least', 'atLeast', 'The number is at least the value'),
	choice('Must Be at Most', 'atMost', 'The number is at most the value'),
	choice('Must Be Filled', 'filled', 'The column has a value'),
	choice('Must Be Unique', 'unique', 'No other row has the same value'),
];

const columnChecksField = <const C extends (typeof CHECKS)[number]>(options: C[]) =>
	entriesField(
		'Column Checks',
		'columnChecks',
		'Check',
		'What the values of a column must be. Enter columns as they appear in the output.',
		[
			outputColumnField,
			choiceField('Check', 'check', 'What to check', { options, default: 'filled' }),
			textField('Value', 'value', 'A number with a decimal point', {
				placeholder: 'e.g. 0.5',
				displayOptions: { show: { check: ['atLeast', 'atMost', 'changesBy'] } },
				schema: decimal(),
			}),
			numberField(
				'Share (%)',
				'share',
				'The percentage of rows that must pass. Only "Must Be Filled" checks empty cells.',
				{
					typeOptions: { minValue: 1, maxValue: 100 },
					default: 100,
					displayOptions: { hide: { check: ['changesBy'] } },
				},
			),
		],
	);

const columnChecks = columnChecksField(CHECKS);

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

const checksField = <const F extends Field>(options: F[]) =>
	collectionField('Data Checks', 'dataChecks', 'check', options, {
		description:
			"Checks on each run's rows, which show when a page has changed or blocks the robot",
	});

export const dataChecksField = checksField([columnChecks, failsField, fewerField, minRowsField]);

export const dataChecksOfEventField = checksField([
	columnChecks,
	{
		...failsField,
		options: [
			SKIP_RUN,
			outcomeOption('items', "Start the workflow with the rows. Each contains 'problems'."),
			FAIL_RUN,
		],
	},
	fewerField,
	minRowsField,
]);

/** A temporary robot has no earlier runs. */
export const newDataChecksField = checksField([
	columnChecksField(CHECKS.filter(({ value }) => value !== 'changesBy')),
	failsField,
	minRowsField,
]);

/** The node compares a page's run with the run that it last returned. */
export const dataChecksOfChangesField = checksField([columnChecks, failsField, minRowsField]);
