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
] as const satisfies Field[];

const cancelOnTimeoutField = switchField(
	'Cancel on Timeout',
	'cancelOnTimeout',
	'Whether to cancel a run that times out. Without this option, it continues in Maxun.',
);

const useLastRunField = switchField(
	'Use Last Run When Testing',
	'useLastRun',
	"Whether a manual execution returns the data of the robot's last completed run. Without this option, it starts a run, as production executions always do.",
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

const waitOptionFields = [
	...waitFields,
	dataChecksField,
	...paceFields,
	cancelOnTimeoutField,
	downloadScreenshotsField,
	useLastRunField,
	...tableFields('getRunFields'),
];

export const runOptionsField = (canBeRepaired: boolean) =>
	optionsOf([...startFields, ...waitOptionFields, ...(canBeRepaired ? [repairField] : [])]);

export const startOptions = (
	{
		params,
		options: { formats, smartQueries },
	}: {
		params: Parameters<typeof inputValues>[0];
		options: OptionValues<(typeof startFields)[number]>;
	},
	item: IDataObject,
): StartOptions => ({ formats, smartQueries, params: inputValues(params, item) });

const keepRobotField = switchField(
	'Keep Robot',
	'keepRobot',
	'Whether to keep the temporary robot in Maxun after the run. Without this option, the node deletes it, and cancels a run that times out.',
);

const temporaryFields = [...pageWaitFields, newDataChecksField, ...paceFields, keepRobotField];

export type TemporaryOptions = OptionValues<(typeof temporaryFields)[number]> &
	Partial<OptionValues<ReturnType<typeof tableFields>[number]>>;

export const temporaryOptionsField = <const F extends Field>(more: F[]) =>
	optionsOf([...temporaryFields, ...more]);
