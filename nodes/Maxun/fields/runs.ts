import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { definedFields } from '../api/request';
import { jsonObject } from '../core/parameters';
import { formatsField, formatsParameter } from './formats';

/** What can be set for a single run. */
export const runOptionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			...formatsField,
			description: 'What to capture of the page in this run, instead of what the robot is set to',
		},
		{
			displayName: 'Input Parameters',
			name: 'params',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add parameter',
			default: {},
			description: 'Values for the inputs of the robot',
			options: [
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
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							placeholder: 'e.g. https://example.com/products?page=2',
							default: '',
						},
					],
				},
			],
		},
	],
};

const parameterValue = z.custom<IDataObject[string]>(() => true);

/** Input parameters, as single values, as JSON, or both. */
const params = z
	.object({
		json: z.array(z.object({ value: jsonObject() })).default([]),
		parameter: z
			.array(
				z.object({ name: z.string().min(1, 'needs a name for each value'), value: parameterValue }),
			)
			.default([]),
	})
	.default({})
	.transform(({ json, parameter }): IDataObject => {
		const single = Object.fromEntries(parameter.map(({ name, value }) => [name, value]));
		return Object.assign({}, ...json.map(({ value }) => value), single);
	});

export const runOptionsParameter = z
	.object({ formats: formatsParameter.optional(), params })
	.default({});

/** The body that starts a run; nothing where nothing was set. */
export const startBody = ({ formats, params }: z.output<typeof runOptionsParameter>): IDataObject =>
	definedFields({ formats, params: Object.keys(params).length > 0 ? params : undefined });
