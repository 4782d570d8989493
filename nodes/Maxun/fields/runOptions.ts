import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { StartOptions } from '../servers/types';
import { formatsField, formatsParameter } from './formats';
import { downloadScreenshotsField } from './output';
import { count, flag, jsonObject, optionalText, seconds } from './parameters';
import { smartQueriesField } from './robots';
import { optionOnlyOn } from './server';
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

const valueField: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	placeholder: 'e.g. https://example.com/products?page=2',
	default: '',
};

/** What can be set for a single run. */
const startFields: INodeProperties[] = [
	{
		...formatsField,
		description: "What to capture from the page in this run, instead of the robot's formats",
	},
	optionOnlyOn('selfHosted', {
		...smartQueriesField,
		description: "Questions that AI answers in this run, instead of the robot's Smart Queries",
	}),
	optionOnlyOn('cloud', {
		displayName: 'Input Parameters',
		name: 'params',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description: "Values for the robot's inputs",
		options: [
			{
				displayName: 'Input of the Robot',
				name: 'input',
				values: [
					{
						displayName: 'Input Name or ID',
						name: 'name',
						type: 'options',
						typeOptions: {
							loadOptionsMethod: 'getRobotInputs',
							loadOptionsDependsOn: ['robotId.value', 'agentId.value'],
						},
						default: '',
						description:
							'An input of the robot. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
					valueField,
				],
			},
			{
				displayName: 'JSON',
				name: 'json',
				values: [
					{
						displayName: 'JSON',
						name: 'value',
						type: 'json',
						default: '{}',
						description: 'Names and values as an object',
					},
				],
			},
			{
				displayName: 'Parameter',
				name: 'parameter',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						placeholder: 'e.g. originUrl',
						default: '',
					},
					valueField,
				],
			},
		],
	}),
];

const cancelOnTimeoutField: INodeProperties = {
	displayName: 'Cancel on Timeout',
	name: 'cancelOnTimeout',
	type: 'boolean',
	default: true,
	description:
		'Whether to cancel a run that does not finish in time. Otherwise it continues in Maxun.',
};

/** The pace of runs on servers that can't handle overlapping ones. */
export const paceFields = [
	optionOnlyOn('selfHosted', {
		displayName: 'Delay Before Start (Seconds)',
		name: 'delayBeforeStart',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 5,
		description:
			'How long to wait before starting each run. A run that starts while another is ending can hang.',
	}),
	optionOnlyOn('selfHosted', {
		displayName: 'Max Concurrent Runs',
		name: 'maxRuns',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 1,
		description:
			'Maximum number of simultaneous runs of this node. Your server allows two per user, and overlapping runs can hang.',
	}),
];

export const paceParameters = {
	delayBeforeStart: seconds().default(5),
	maxRuns: count(1, 10).default(1),
};

/** Start options with this pace, for a run that must begin within a number of minutes. */
export const paceOf = ({
	waitFor,
	delayBeforeStart,
}: {
	waitFor: number;
	delayBeforeStart: number;
}): StartOptions => ({ until: Date.now() + waitFor * 60_000, delay: delayBeforeStart * 1000 });

/** The options of an operation that starts a run. */
export const startOptionsField = optionsOf(startFields);

const waitOptionFields = [
	...waitFields,
	...paceFields,
	cancelOnTimeoutField,
	downloadScreenshotsField,
];

/** The options of an operation that starts a run and waits for it. */
export const runAndWaitOptionsField = optionsOf([...startFields, ...waitOptionFields]);

/** The same for an operation that waits only if a switch is on. */
export const runOptionsFieldWhen = (name: string) =>
	optionsOf([...startFields, ...shownWhen(`/${name}`, waitOptionFields)]);

const parameterValue = z.custom<IDataObject[string]>(() => true);

const pairs = z
	.array(z.object({ name: z.string().min(1, 'is required'), value: parameterValue }))
	.default([]);

/** Input parameters: selected from the robot's inputs, by name, or as JSON. */
const params = z
	.object({
		input: pairs,
		json: z.array(z.object({ value: jsonObject() })).default([]),
		parameter: pairs,
	})
	.default({})
	.transform(({ input, json, parameter }): IDataObject => {
		const single = [...input, ...parameter].map(({ name, value }) => [name, value]);
		return Object.assign({}, ...json.map(({ value }) => value), Object.fromEntries(single));
	});

const startParameters = z.object({
	formats: formatsParameter.optional(),
	params,
	smartQueries: optionalText(),
});

export const startOptionsParameter = startParameters.default({});

export const runAndWaitOptionsParameter = startParameters
	.extend({
		...waitParameters,
		...paceParameters,
		cancelOnTimeout: flag().default(false),
		downloadScreenshots: flag().default(false),
	})
	.default({});

/** The options for the start of a run, for any kind of server. */
export const startOptions = ({
	formats,
	params: values,
	smartQueries,
}: z.output<typeof startParameters>): StartOptions => ({ formats, params: values, smartQueries });
