import { withLogin } from '../../servers/definition';
import { waitingOperation } from '../operation';
import { definitionFields, extractAdditionalFields } from '../../fields/extract';
import { checkDefinition } from '../../fields/extractChecks';
import { definitionOf, partsOf } from '../../fields/extractParameters';
import { formatFields, tableFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/runOptions';
import { entryOutputField } from '../../fields/output';
import { urlField } from '../../fields/robots';
import type { EntryValues } from '../../fields/field';
import type { Column } from '../../results/table';
import { oneStep } from '../oneStep';

export const extractWithSelectors = waitingOperation(
	{
		value: 'extractWithSelectors',
		name: 'Extract With Selectors',
		action: 'Extract data with selectors',
		description: 'Get named fields and lists from a page in one step, without a language model',
		builderHint:
			'Use this to extract named columns with CSS selectors, for example a product list with pagination.',
		properties: [
			{ ...urlField, description: 'The page with the data' },
			...definitionFields(formatFields),
			extractAdditionalFields(),
			entryOutputField('row'),
			temporaryOptionsField(tableFields()),
		],
		rule: checkDefinition,
	},
	oneStep({
		operation: 'selectors',
		needs: ({ extractRobots }) => extractRobots?.create,
		create: async (create, given, name, { login }) =>
			await create(name, await withLogin(definitionOf(given), login)),
		address: ({ url }) => url,
		origin: ({ url }) => ({ url }),
		table: (given) => ({ columns: columnsOf(partsOf(given)) }),
		hasLists: (given) => partsOf(given).lists.length > 0,
	}),
);

type Capture = { name: string | undefined } & EntryValues<(typeof formatFields)[number]>;

/** The columns in the form's order, because Maxun's database may change it. Empty if Maxun detects some of them. */
function columnsOf({
	fields,
	lists,
}: {
	fields: Capture[];
	lists: Array<{ columns: Capture[] }>;
}): Column[] {
	if (lists.some(({ columns }) => columns.length === 0)) return [];
	const columns = [...fields, ...lists.flatMap((list) => list.columns)];
	const names = columns.map(({ name }) => name);
	return columns
		.filter(({ name }, index) => names.indexOf(name) === index)
		.map(({ name = '', dateFormat = '', ...format }) => ({
			...format,
			dateFormat,
			name,
			column: name,
		}));
}
