import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isEmpty } from '../http/values';
import { jsonObject } from './parameters';
import { onlyWith } from './server';

const value = z.union([z.string(), z.number(), z.boolean()]).nullish().catch(undefined);

const RobotInput = z.object({
	id: z.string(),
	displayName: z.string().catch(''),
	required: z.boolean().catch(false),
	defaultValue: value,
});

const Mapping = z
	.object({
		mappingMode: z.string().optional(),
		value: z.record(z.string(), z.custom<IDataObject[string]>()).nullish(),
		schema: z.array(RobotInput).catch([]),
	})
	.transform(({ mappingMode, value: values, schema }, context) => {
		if (mappingMode === 'autoMapInputData') return 'item';
		const given = Object.entries(values ?? {}).filter(([, given]) => !isEmpty(given));
		const missing = schema.find(
			({ id, required }) => required && !given.some(([name]) => name === id),
		);
		if (missing) {
			context.addIssue({
				code: 'custom',
				message: `must contain a value for ${missing.displayName || missing.id}`,
			});
			return z.NEVER;
		}
		// Leaves out defaults, so that later changes of a default in Maxun still apply.
		return Object.fromEntries(given.filter(([name, given]) => !isDefault(schema, name, given)));
	});

/** The form or, in workflows that weren't made in the editor, the values themselves as an object or JSON. */
const inputs = jsonObject()
	.transform((given) => ('mappingMode' in given ? given : { value: given }))
	.pipe(Mapping);

/** n8n supports resource mappers only at a node's top level. @param locator the name of the field that selects the robot */
export const inputsField = (locator: string) =>
	onlyWith('inputs', {
		displayName: 'Input Parameters',
		name: 'params',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description:
			"Values for the robot's inputs in this run. 'Mapping Column Mode' sets whether they come from the fields below or from the input item.",
		typeOptions: {
			loadOptionsDependsOn: [`${locator}.value`],
			resourceMapper: {
				resourceMapperMethod: 'getRobotInputs',
				mode: 'add',
				valuesLabel: 'Input Parameters',
				fieldWords: { singular: 'input', plural: 'inputs' },
				addAllFields: true,
				// Most robots have no inputs, which is not an error.
				hideNoDataError: true,
				multiKeyMatch: false,
			},
		},
		displayOptions: { hide: { [locator]: [''] } },
		schema: inputs,
	});

const isDefault = (schema: Array<z.output<typeof RobotInput>>, name: string, given: unknown) => {
	const { defaultValue } = schema.find(({ id }) => id === name) ?? {};
	return !isEmpty(defaultValue) && String(defaultValue) === String(given);
};

export const inputValues = (
	params: z.output<typeof inputs> | undefined,
	item: IDataObject,
): IDataObject | undefined => (params === 'item' ? item : params);
