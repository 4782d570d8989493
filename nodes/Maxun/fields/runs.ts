import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { definedFields } from '../api/request';
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
			description:
				'Values for the inputs of the robot; an expression may also give them as one object',
			options: [
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

const Pairs = z.object({
	parameter: z.array(
		z.object({ name: z.string().min(1, 'needs a name for each parameter'), value: z.unknown() }),
	),
});

/** Input parameters, from the form's pairs, an object, or JSON text. */
const params = z.preprocess(
	(value, context) => {
		const given =
			typeof value === 'string' && value.trim() !== '' ? parseJson(value, context) : value;
		const pairs = Pairs.safeParse(given);
		return pairs.success
			? Object.fromEntries(pairs.data.parameter.map((pair) => [pair.name, pair.value]))
			: given || undefined;
	},
	z
		.record(
			z.custom<IDataObject[string]>(() => true),
			{
				invalid_type_error: 'must be names with values, or a JSON object of them',
			},
		)
		.optional(),
);

function parseJson(text: string, context: z.RefinementCtx): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		context.addIssue({
			code: 'custom',
			message: `is no valid JSON: ${error instanceof Error ? error.message : ''}`,
		});
		return undefined;
	}
}

export const runOptionsParameter = z
	.object({ formats: formatsParameter.optional(), params })
	.default({});

/** The body that starts a run; nothing where nothing was set. */
export function startBody({ formats, params }: z.output<typeof runOptionsParameter>): IDataObject {
	const isEmpty = params === undefined || Object.keys(params).length === 0;
	return definedFields({ formats, params: isEmpty ? undefined : params });
}
