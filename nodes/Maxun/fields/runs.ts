import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { definedFields } from '../api/request';
import { count, flag, jsonObject, seconds } from '../core/parameters';
import { formatsField, formatsParameter } from './formats';
import { optionOnlyOn } from './server';

const valueField: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	placeholder: 'e.g. https://example.com/products?page=2',
	default: '',
};

/** What can be set for a single run. */
export const runOptionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		optionOnlyOn('cloud', {
			...formatsField,
			description: 'What to capture of the page in this run, instead of what the robot is set to',
		}),
		optionOnlyOn('cloud', {
			displayName: 'Input Parameters',
			name: 'params',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add parameter',
			default: {},
			description: 'Values for the inputs of the robot',
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
								'What the robot says it takes. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
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
	],
};

/** The same for a run that is waited for, with what a self-hosted server needs. */
export const waitingRunOptionsField: INodeProperties = {
	...runOptionsField,
	options: [
		...(runOptionsField.options ?? []),
		optionOnlyOn('cloud', {
			displayName: 'Cancel on Timeout',
			name: 'cancelOnTimeout',
			type: 'boolean',
			default: true,
			description:
				'Whether to cancel a run that has not ended in time, instead of letting it go on in Maxun',
		}),
		optionOnlyOn('selfHosted', {
			displayName: 'Max Concurrent Runs',
			name: 'maxRuns',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 10 },
			default: 1,
			description:
				'How many robots this node may have running at the same time. Your server allows two for each user, and runs that overlap can hang it.',
		}),
		optionOnlyOn('selfHosted', {
			displayName: 'Pause Before Start (Seconds)',
			name: 'pauseBeforeStart',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 5,
			description:
				'How long to let your server come to rest before each run; one that starts while another is ending can hang',
		}),
	],
};

const parameterValue = z.custom<IDataObject[string]>(() => true);

const pairs = z
	.array(z.object({ name: z.string().min(1, 'is required'), value: parameterValue }))
	.default([]);

/** Input parameters: chosen from what the robot takes, by name, or as JSON. */
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

const runOptions = z.object({ formats: formatsParameter.optional(), params });

export const runOptionsParameter = runOptions.default({});

export const waitingRunOptionsParameter = runOptions
	.extend({
		cancelOnTimeout: flag().default(false),
		maxRuns: count(1, 10).default(1),
		pauseBeforeStart: seconds().default(5),
	})
	.default({});

/** How to wait, from the parameters of an operation with those options. */
export const waitSettings = <T extends { options: z.output<typeof waitingRunOptionsParameter> }>({
	options: { cancelOnTimeout },
	...settings
}: T) => ({ ...settings, cancelOnTimeout });

/** The body that starts a run; nothing where nothing was set. */
export const startBody = ({ formats, params }: z.output<typeof runOptionsParameter>): IDataObject =>
	definedFields({ formats, params: Object.keys(params).length > 0 ? params : undefined });
