import { withLogin } from '../../servers/definition';
import { operation } from '../operation';
import { definitionFields, extractAdditionalFields } from '../../fields/extract';
import { checkDefinition } from '../../fields/extractChecks';
import { definitionOf } from '../../fields/extractParameters';
import { compareRunsField } from '../../fields/monitoring';
import { uniqueNameField, urlField } from '../../fields/robots';

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
			extractAdditionalFields([compareRunsField]),
		],
		rule: checkDefinition,
	},
	{
		needs: ({ extractRobots }) => extractRobots?.create,
		run: async (create, { name, ...given }, { login }) => {
			const { compareRuns } = given.additionalFields;
			return await create(name, await withLogin(definitionOf(given), login), { compareRuns });
		},
	},
);
