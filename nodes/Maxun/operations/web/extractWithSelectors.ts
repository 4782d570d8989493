import { withLogin } from '../../servers/definition';
import { waitingOperation } from '../operation';
import { definitionFields, extractAdditionalFields } from '../../fields/extract';
import {
	checkDefinition,
	checkedDefinition,
	definitionOf,
	tableIn,
} from '../../fields/extractDefinition';
import { conversionErrorsOfRows, formatFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/runOptions';
import { entryOutputField } from '../../fields/output';
import { urlField } from '../../fields/robots';
import { oneStep } from '../oneStep';

export const extractWithSelectors = waitingOperation(
	{
		value: 'extractWithSelectors',
		name: 'Extract With Selectors',
		action: 'Extract data with selectors',
		description:
			'Get named columns and single fields from a page in one step, without a language model',
		builderHint:
			'Use this to extract named columns with CSS selectors, for example a product list with pagination.',
		properties: [
			{ ...urlField, description: 'The page with the data' },
			...definitionFields(formatFields),
			extractAdditionalFields(),
			entryOutputField('row'),
			temporaryOptionsField([conversionErrorsOfRows]),
		],
		rule: checkDefinition,
	},
	oneStep({
		operation: 'selectors',
		needs: ({ extractRobots }) => extractRobots?.create,
		create: async (create, given, name, { hint, login }) =>
			await create(name, await withLogin(checkedDefinition(given, hint), login)),
		address: ({ url }) => url,
		origin: ({ url }) => ({ url }),
		table: (given) => tableIn(given),
		lists: (given) => definitionOf(given).lists,
	}),
);
