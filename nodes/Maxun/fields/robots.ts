import { type Field, textField } from './field';
import { mustBeWebAddress } from './parameters';

export const urlField = textField('URL', 'url', 'The page to start from', {
	required: true,
	placeholder: 'e.g. https://example.com/products',
	rule: mustBeWebAddress,
});

export const nameField = textField(
	'Name',
	'name',
	'Unique name of the robot. Leave empty to let Maxun choose a name.',
	{ placeholder: 'e.g. Product prices' },
);

export const uniqueNameField = {
	...nameField,
	required: true,
	description: 'A name that no other robot has',
} as const satisfies Field;

export const smartQueriesField = textField(
	'Smart Queries',
	'smartQueries',
	'Questions for the language model to answer about the page in each run',
	{ typeOptions: { rows: 2 }, placeholder: 'e.g. What does delivery cost?' },
);
