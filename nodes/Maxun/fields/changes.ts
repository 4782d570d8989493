import type { Field } from './field';
import { loadedFrom, ROBOTS } from './lists';

const upTo = (length: number) => Array.from({ length }, (_, index) => index);

/** The names of a page's columns. The editor only notices changes of single values. */
const COLUMN_NAMES = [
	...upTo(20).map((field) => `fields.values[${field}].name`),
	...upTo(3).flatMap((list) =>
		upTo(20).map((column) => `lists.values[${list}].columns.values[${column}].name`),
	),
];

const columnList = loadedFrom('getColumns', [...ROBOTS, 'json', ...COLUMN_NAMES]);

export const ignoreField = {
	displayName: 'Ignore Column Names or IDs',
	name: 'ignoreFields',
	type: 'multiOptions',
	typeOptions: columnList,
	default: [],
	ifAbsent: [],
	description:
		'Columns whose changes do not count, such as a counter. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

export const keyField = {
	displayName: 'Key Column Names or IDs',
	name: 'keyFields',
	type: 'multiOptions',
	typeOptions: columnList,
	default: [],
	ifAbsent: [],
	description:
		'Columns that identify a row, such as its link. Without them, a changed row counts as removed and added. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

/** What identifies a row, and what doesn't count as a change. */
export const changeFields = [ignoreField, keyField];
