import type { Field } from './field';

/** Which rows are the same, and what doesn't count as a change. */
export const changeFields = [
	{
		displayName: 'Ignore Field Names or IDs',
		name: 'ignoreFields',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getColumns' },
		default: [],
		ifAbsent: [],
		description:
			'Columns that do not count as a change, such as a counter or "2 hours ago". Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Key Field Names or IDs',
		name: 'keyFields',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getColumns' },
		default: [],
		ifAbsent: [],
		description:
			'The columns that identify a row, such as an article number. Without them, pages are compared by URL and rows by content. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
] as const satisfies Field[];
