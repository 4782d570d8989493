import { choice, choiceField, numberField } from './field';
import { positive } from './parameters';

/** In minutes. */
const YEAR = 365 * 24 * 60;

export const timeoutField = numberField(
	'Timeout (Minutes)',
	'timeoutMinutes',
	'Maximum number of minutes to wait for the run. Waiting for other runs of this node does not count.',
	{
		typeOptions: { minValue: 0.1, maxValue: YEAR },
		default: 60,
		ifAbsent: 60,
		schema: positive().max(YEAR, `must be at most ${YEAR} (a year)`),
	},
);

const OUTCOMES = {
	nothing: 'Return Nothing',
	item: 'Return the Item',
	items: 'Return the Items',
	return: 'Return the Run',
	error: 'Throw an Error',
};

export const outcomeOption = <V extends keyof typeof OUTCOMES>(value: V, description: string) => ({
	name: OUTCOMES[value],
	value,
	description,
});

const THROW = outcomeOption(
	'error',
	"Stop the workflow, or use the node's error output if it has one",
);

/** What a trigger can do with a run. */
export const SKIP_RUN = outcomeOption('nothing', 'Do not start the workflow for this run');
export const FAIL_RUN = outcomeOption(
	'error',
	'Start an execution that fails, so that the error workflow runs',
);

export const ifNoDataField = choiceField(
	'If No Data',
	'ifNoData',
	'What to do if a completed run has no rows. By default, the node returns nothing, or fails if an earlier run has rows.',
	{
		options: [
			outcomeOption('nothing', 'Continue without an item for the run, and show a hint'),
			outcomeOption('item', 'Continue with an item that has no data, and show a hint'),
			THROW,
		],
		default: 'nothing',
	},
);

export const pageWaitFields = [
	ifNoDataField,
	choiceField(
		'On Failure',
		'onFailure',
		'What to do if a URL is invalid, if a page could not be read, or if a run fails or times out',
		{
			options: [
				choice(
					'Continue With Other Pages',
					'skip',
					'Return the other pages. Failed pages go to the error output, or a hint lists them. The node only fails if all pages fail.',
				),
				choice(
					'Return Failed Pages',
					'return',
					'Continue with an item for each failed page, which contains its error',
				),
				choice(
					'Stop at the First Failure',
					'error',
					'Fail the node. The data of the other pages is lost.',
				),
			],
			default: 'skip',
			ifAbsent: 'skip',
		},
	),
	timeoutField,
];

export const waitFields = [
	ifNoDataField,
	choiceField(
		'On Failure',
		'onFailure',
		'What to do if the run fails or is canceled, or if the page could not be read',
		{
			options: [outcomeOption('return', 'Continue with the run, its error and its data'), THROW],
			default: 'error',
			ifAbsent: 'error',
		},
	),
	choiceField('On Timeout', 'onTimeout', 'What to do if the run times out', {
		options: [outcomeOption('return', 'Continue with the ID and status of the run'), THROW],
		default: 'error',
		ifAbsent: 'error',
	}),
	timeoutField,
];
