import { withLogin } from '../../servers/definition';
import { z } from 'zod';
import { operation } from '../withSchema';
import { definitionFields, extractAdditionalFields } from '../../fields/extract';
import { checkDefinition } from '../../fields/extractChecks';
import {
	definitionOf,
	definitionOptions,
	definitionParameters,
} from '../../fields/extractParameters';
import { monitoringFields } from '../../fields/monitoring';
import { collection, flag, text } from '../../fields/parameters';
import { uniqueNameField, urlField } from '../../fields/robots';

const compareRunsField = monitoringFields.filter(({ name }) => name === 'compareRuns');

export const createExtract = operation(
	{
		resource: 'robot',
		value: 'createExtract',
		name: 'Create Extract Robot',
		action: 'Create extract robot',
		description:
			'Create a robot that reads named fields and lists from a page. You do not have to record it.',
		properties: [
			{ ...urlField, description: 'The page with the data' },
			uniqueNameField,
			...definitionFields(),
			extractAdditionalFields(compareRunsField),
		],
	},
	z
		.object({
			...definitionParameters,
			name: text(),
			additionalFields: collection(
				z.object({ ...definitionOptions, compareRuns: flag().optional() }),
			),
		})
		.superRefine(checkDefinition),
	{
		needs: ({ extractRobots }) => extractRobots?.create,
		run: async (create, { name, ...given }, { login }) => {
			const { compareRuns } = given.additionalFields;
			return await create(name, await withLogin(definitionOf(given), login), { compareRuns });
		},
	},
);
