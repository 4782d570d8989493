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
import { ready } from '../../runs/examples';
import { oneStep } from '../oneStep';

export const extractWithSelectors = waitingOperation(
	{
		value: 'extractWithSelectors',
		name: 'Extract Rows',
		action: 'Extract rows',
		description:
			'Get named columns from a page in one step, by example or with selectors, without a language model',
		builderHint:
			'Use this to extract named columns, for example a product list with pagination: with CSS selectors if you know them, otherwise with values from the page.',
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
		create: async (create, given, name, context) => {
			const definition = await withLogin(checkedDefinition(given, context.hint), context.login);
			return await create(name, await ready(definition, context, given.options.timeoutMinutes));
		},
		address: ({ url }) => url,
		origin: ({ url }) => ({ url }),
		table: (given) => tableIn(given),
		lists: (given) => definitionOf(given).lists,
	}),
);
