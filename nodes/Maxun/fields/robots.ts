import type { INodeProperties } from 'n8n-workflow';
import { sorted } from './sorted';

/** The page that a robot starts from. */
export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	placeholder: 'e.g. https://example.com/products',
	default: '',
	description: 'The page to start from',
};

/** The name of a robot. */
export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	placeholder: 'e.g. Product prices',
	default: '',
	description: 'Unique name of the robot. Leave empty to let Maxun choose a name.',
};

export const smartQueriesField: INodeProperties = {
	displayName: 'Smart Queries',
	name: 'smartQueries',
	type: 'string',
	typeOptions: { rows: 2 },
	placeholder: 'e.g. What does delivery cost?',
	default: '',
	description: 'Questions for AI to answer about the page in each run',
};

/** A collection of optional fields. */
export const additionalFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: sorted(options),
});

/** A collection of fields to change. */
export const updateFields = (options: INodeProperties[]): INodeProperties => ({
	...additionalFields(options),
	displayName: 'Update Fields',
	name: 'updateFields',
});
