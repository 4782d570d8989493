import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { needsButton, type ListChanges } from '../servers/definition';
import {
	columnsField,
	entriesField,
	itemSelectorField,
	MANUAL,
	manualPaginationField,
	maxRowsField,
	paginationSelectorField,
} from './extract';
import {
	captureOf,
	captureProblems,
	capturesParameter,
	selectorProblems,
} from './extractParameters';
import { count, entries, oneOf, optionalText } from './parameters';

// Changes to the lists of an extract robot, a recorded robot or an agent.

const columnNamesField = entriesField(
	'Column Names',
	'columnNames',
	'Name',
	'New names of columns and fields',
	[
		{
			displayName: 'Column',
			name: 'column',
			type: 'string',
			default: '',
			placeholder: 'e.g. Label 1',
			description: "The current name. Robot: Get returns a robot's columns.",
		},
		{
			displayName: 'New Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Price',
			description: 'The name in the output',
		},
	],
);

export const listChangesFields: INodeProperties[] = [
	columnNamesField,
	{
		...columnsField,
		description:
			"Columns to add or to replace in a list. If you also enter an 'Item Selector', they replace all columns.",
	},
	{
		...itemSelectorField,
		description: 'Selects the element for each row. Enter all columns as well.',
	},
	{
		displayName: 'List Name',
		name: 'listName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Products',
		description: 'The list to change. Leave empty to change all lists.',
	},
	manualPaginationField,
	paginationSelectorField,
	{
		...maxRowsField,
		default: 50,
		description: 'Maximum number of rows per list, from 1 to 10,000',
	},
];

/** An empty collection changes nothing. */
const unlessEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined);

const columnNames = entries(z.object({ column: optionalText(), name: optionalText() }));

export const listChangesParameters = {
	columnNames: columnNames.transform(unlessEmpty).optional(),
	columns: capturesParameter().transform(unlessEmpty).optional(),
	itemSelector: optionalText(),
	listName: optionalText(),
	pagination: oneOf(MANUAL).optional(),
	paginationSelector: optionalText(),
	rowLimit: count(1, 10_000).optional(),
};

type Given = z.output<z.ZodObject<typeof listChangesParameters>>;

/** Refuses incomplete entries. What fits the robot's lists turns out when they are read. */
export function checkListChanges(given: Given, context: z.RefinementCtx): void {
	const {
		columnNames: names = [],
		columns = [],
		itemSelector,
		pagination,
		paginationSelector,
	} = given;
	const problems: Array<[name: string, messages: string[]]> = [
		[
			'columnNames',
			names.some(({ column, name }) => !column || !name)
				? ['must contain the current and the new name of each column']
				: [],
		],
		[
			'listName',
			given.listName && !separated(given)[0]
				? ['requires another field that changes this list']
				: [],
		],
		['columns', captureProblems(columns, 'column')],
		['itemSelector', itemSelector ? selectorProblems('the list', itemSelector) : []],
		[
			'paginationSelector',
			(paginationSelector ?? needsButton(pagination))
				? selectorProblems('the pagination', paginationSelector)
				: [],
		],
	];
	for (const [name, messages] of problems) {
		for (const message of messages) {
			context.addIssue({ code: 'custom', path: ['updateFields', name], message });
		}
	}
}

/** The changes to lists, if there are any, and all other fields. */
export function separated<T extends Given>(
	given: T,
): [changes: ListChanges | undefined, others: Omit<T, keyof Given>] {
	const {
		columnNames: names = [],
		columns = [],
		itemSelector,
		listName,
		pagination,
		paginationSelector,
		rowLimit,
		...others
	} = given;
	const single = { rowLimit, pagination, paginationSelector, itemSelector };
	const isChanged =
		names.length > 0 ||
		columns.length > 0 ||
		Object.values(single).some((value) => value !== undefined);
	if (!isChanged) return [undefined, others];
	const changes: ListChanges = {
		...single,
		list: listName,
		columns: columns.map(captureOf),
		columnNames: names.map(({ column = '', name = '' }) => ({ column, name })),
	};
	return [changes, others];
}
