import type { IDataObject } from 'n8n-workflow';
import { type Field, numberField, type OptionValues, switchField } from './field';
import type { StartOptions } from '../servers/types';
import { dataChecksField, newDataChecksField } from './dataChecks';
import { optionsOf } from './collections';
import { tableFields } from './columns';
import { formatsField } from './formats';
import { inputValues } from './inputs';
import { downloadScreenshotsField } from './output';
import { seconds } from './parameters';
import { smartQueriesField } from './robots';
import { ifServerHas } from './server';
import { pageWaitFields, waitFields } from './waiting';

export const startFields = [
	{
		...formatsField,
		description: "What to capture from the page in this run, instead of the robot's output formats",
	},
	{
		...smartQueriesField,
		...ifServerHas('runQuestions'),
		description:
			"Questions for the language model to answer in this run, instead of the robot's Smart Queries",
	},
];

const cancelOnTimeoutField = switchField(
	'Cancel on Timeout',
	'cancelOnTimeout',
	'Whether to cancel a run that times out. Without this option, it continues in Maxun.',
);

/** Options for servers that can't handle overlapping runs. */
export const paceFields = [
	numberField(
		'Delay Before Start (Seconds)',
		'delayBeforeStart',
		'How long to wait before starting each run. A run that starts while another is ending can hang.',
		{
			typeOptions: { minValue: 0 },
			default: 5,
			ifAbsent: 5,
			schema: seconds(),
			...ifServerHas('oneAtATime'),
		},
	),
	numberField(
		'Max Concurrent Runs',
		'maxRuns',
		'Maximum number of runs of this node at the same time. Your server allows two per user, and overlapping runs can hang.',
		{ typeOptions: { minValue: 1, maxValue: 10 }, ifAbsent: 1, ...ifServerHas('oneAtATime') },
	),
];

export const repairField = switchField(
	'Repair Selectors',
	'repairSelectors',
	"Whether to change the robot's selectors if a list or a column has no values, but the page still contains those of an earlier run",
);

export const startOptionsField = optionsOf(startFields);

export const runOptionsField = (canBeRepaired: boolean) =>
	optionsOf([
		...startFields,
		...waitFields,
		dataChecksField,
		...paceFields,
		cancelOnTimeoutField,
		downloadScreenshotsField,
		switchField(
			'Use Last Run When Testing',
			'useLastRun',
			"Whether manual executions return the data of the robot's last completed run instead of starting a run",
		),
		...tableFields('getRunFields'),
		...(canBeRepaired ? [repairField] : []),
	]);

interface StartForm {
	params: Parameters<typeof inputValues>[0];
	options: OptionValues<(typeof startFields)[number]>;
}

export const startOptions = (
	{ params, options: { formats, smartQueries } }: StartForm,
	item: IDataObject,
): StartOptions => ({ formats, smartQueries, params: inputValues(params, item) });

const temporaryFields = [
	...pageWaitFields,
	newDataChecksField,
	...paceFields,
	switchField(
		'Keep Robot',
		'keepRobot',
		'Whether to keep the temporary robot in Maxun after the run. Without this option, the node deletes it, and cancels a run that times out.',
	),
];

export type TemporaryOptions = OptionValues<(typeof temporaryFields)[number]> &
	Partial<OptionValues<ReturnType<typeof tableFields>[number]>>;

export const temporaryOptionsField = <const F extends Field>(more: F[]) =>
	optionsOf([...temporaryFields, ...more]);
