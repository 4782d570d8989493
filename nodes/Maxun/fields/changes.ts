import type { Field } from './field';

export const ignoreField = {
	displayName: 'Ignore Column Names or IDs',
	name: 'ignoreFields',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getColumns' },
	default: [],
	ifAbsent: [],
	description:
		'Columns whose changes do not count, such as a counter. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

export const keyField = {
	displayName: 'Key Column Names or IDs',
	name: 'keyFields',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getColumns' },
	default: [],
	ifAbsent: [],
	description:
		'Columns that identify a row, such as its link. Without them, a changed row counts as removed and added. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

/** What identifies a row, and what doesn't count as a change. */
export const changeFields = [ignoreField, keyField];
