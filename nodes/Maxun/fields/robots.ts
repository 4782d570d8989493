import type { Field } from './field';
import { mustBeWebAddress } from './parameters';

export const urlField = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	placeholder: 'e.g. https://example.com/products',
	default: '',
	description: 'The page to start from',
	rule: mustBeWebAddress,
} as const satisfies Field;

export const nameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	placeholder: 'e.g. Product prices',
	default: '',
	description: 'Unique name of the robot. Leave empty to let Maxun choose a name.',
} as const satisfies Field;

export const uniqueNameField = {
	...nameField,
	required: true,
	description: 'A name that no other robot has',
} as const satisfies Field;

export const smartQueriesField = {
	displayName: 'Smart Queries',
	name: 'smartQueries',
	type: 'string',
	typeOptions: { rows: 2 },
	placeholder: 'e.g. What does delivery cost?',
	default: '',
	description: 'Questions for the language model to answer about the page in each run',
} as const satisfies Field;
