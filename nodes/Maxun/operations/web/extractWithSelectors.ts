import { withLogin } from '../../servers/definition';
import { z } from 'zod';
import { waitingOperation } from '../withSchema';
import { definitionFields, extractAdditionalFields } from '../../fields/extract';
import { checkDefinition } from '../../fields/extractChecks';
import { definitionOf, definitionParameters, partsOf } from '../../fields/extractParameters';
import { formatFields, tableFields } from '../../fields/columns';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { pageOutputField, pageOutputParameter } from '../../fields/output';
import { collection } from '../../fields/parameters';
import { urlField } from '../../fields/robots';
import type { Column } from '../../results/table';
import { oneStep } from '../oneStep';

export const extractWithSelectors = waitingOperation(
	{
		resource: 'web',
		value: 'extractWithSelectors',
		name: 'Extract With Selectors',
		action: 'Extract data with selectors',
		description: 'Get named fields and lists from a page in one step, without a language model',
		hint: 'Use this to extract named columns with CSS selectors, for example a product list with pagination.',
		properties: [
			{ ...urlField, description: 'The page with the data' },
			...definitionFields(formatFields),
			extractAdditionalFields(),
			{ ...pageOutputField, description: 'What to return for each row' },
			temporaryOptionsField(tableFields()),
		],
	},
	z
		.object({
			...definitionParameters,
			output: pageOutputParameter,
			options: collection(temporaryParameters),
		})
		.superRefine(checkDefinition),
	oneStep({
		what: 'selectors',
		needs: ({ extractRobots }) => extractRobots?.create,
		create: async (create, given, name, { login }) =>
			await create(name, await withLogin(definitionOf(given), login)),
		address: ({ url }) => url,
		origin: ({ url }) => ({ url }),
		table: (given) => ({ columns: columnsOf(partsOf(given)) }),
	}),
);

/** The columns in the order of the form, which a database may change. None if Maxun detects some of them. */
function columnsOf({ fields, lists }: ReturnType<typeof partsOf>): Column[] {
	if (lists.some(({ columns }) => columns.length === 0)) return [];
	const columns = [...fields, ...lists.flatMap((list) => list.columns)];
	const names = columns.map(({ name }) => name);
	return columns
		.filter(({ name }, index) => names.indexOf(name) === index)
		.map(({ name = '', ...format }) => ({ ...format, name, column: name }));
}
