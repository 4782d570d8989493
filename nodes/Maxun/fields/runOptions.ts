import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { StartOptions } from '../servers/types';
import { tableFields, tableParameters } from './columns';
import { formatsField, formatsParameter } from './formats';
import { downloadScreenshotsField } from './output';
import { collection, count, flag, optionalText, seconds } from './parameters';
import { smartQueriesField } from './robots';
import { optionOnlyWith } from './server';
import { sorted } from './sorted';
import { shownWhen, waitFields, waitParameters } from './waiting';

/** An `options` collection, to which every operation adds the request options. */
export const optionsOf = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: sorted(options),
});

/** What can be set for a single run. */
export const startFields: INodeProperties[] = [
	{
		...formatsField,
		description: "What to capture from the page in this run, instead of the robot's formats",
	},
	optionOnlyWith('runQuestions', {
		...smartQueriesField,
		description: "Questions for AI to answer in this run, instead of the robot's Smart Queries",
	}),
];

const cancelOnTimeoutField: INodeProperties = {
	displayName: 'Cancel on Timeout',
	name: 'cancelOnTimeout',
	type: 'boolean',
	default: true,
	description: 'Whether to cancel a run that times out. Otherwise, it continues in Maxun.',
};

const useLastRunField: INodeProperties = {
	displayName: 'Use Last Run When Testing',
	name: 'useLastRun',
	type: 'boolean',
	default: true,
	description:
		"Whether a manual execution returns the data of the robot's last successful run instead of starting a run. Production executions always start a run.",
};

export const delayBeforeStartField = optionOnlyWith('oneAtATime', {
	displayName: 'Delay Before Start (Seconds)',
	name: 'delayBeforeStart',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 5,
	description:
		'How long to wait before starting each run. A run that starts while another is ending can hang.',
});

/** The pace of runs on servers that can't handle overlapping ones. */
export const paceFields = [
	delayBeforeStartField,
	optionOnlyWith('oneAtATime', {
		displayName: 'Max Concurrent Runs',
		name: 'maxRuns',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 1,
		description:
			'Maximum number of runs of this node at the same time. Your server allows two per user, and overlapping runs can hang.',
	}),
];

export const paceParameters = {
	delayBeforeStart: seconds().default(5),
	maxRuns: count(1, 10).default(1),
};

/** The options of an operation that starts a run. */
export const startOptionsField = optionsOf(startFields);

const waitOptionFields = [
	...waitFields,
	...paceFields,
	cancelOnTimeoutField,
	downloadScreenshotsField,
	useLastRunField,
	...tableFields('getRunFields'),
];

/** The options of an operation that starts a run and waits for it. */
export const runAndWaitOptionsField = optionsOf([...startFields, ...waitOptionFields]);

/** The same for an operation that waits only if a switch is on. */
export const runOptionsFieldWhen = (name: string) =>
	optionsOf([...startFields, ...shownWhen(`/${name}`, waitOptionFields)]);

export const startParameters = z.object({
	formats: formatsParameter.optional(),
	smartQueries: optionalText(),
});

export const startOptionsParameter = collection(startParameters);

export const runAndWaitOptionsParameter = collection(
	startParameters.extend({
		...waitParameters,
		...paceParameters,
		cancelOnTimeout: flag().default(false),
		downloadScreenshots: flag().default(false),
		useLastRun: flag().default(false),
		...tableParameters,
	}),
);

/** The options for the start of a run, for any kind of server. */
export const startOptions = ({
	formats,
	smartQueries,
}: z.output<typeof startParameters>): StartOptions => ({ formats, smartQueries });
