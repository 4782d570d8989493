import type { Field } from './field';

/** The team that a node acts for. */
export const teamField = {
	displayName: 'Team',
	name: 'teamId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The team to use instead of the one in the credential',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTeams', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f6c2b1e-8d47-4a52-9c0e-5b7a1d2e4f60',
		},
	],
} as const satisfies Field;
