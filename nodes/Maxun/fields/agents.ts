import type { INodeProperties } from 'n8n-workflow';
import { flag, optionalText } from '../core/parameters';
import { additionalFields, nameField, urlField } from './robots';
import { monitoringFields, monitoringParameters } from './monitoring';

export const agentPromptField: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	placeholder: 'e.g. Get the name, price and rating of each desk',
	default: '',
	description: 'What to get, in plain words',
};

export const agentUrlField: INodeProperties = {
	...urlField,
	required: false,
	description: 'The page to get it from; left empty, the agent finds the site by itself',
};

export const agentFields = additionalFields([
	...monitoringFields,
	{
		displayName: 'Deep Extraction',
		name: 'deepExtraction',
		type: 'boolean',
		default: false,
		description: 'Whether to open the detail page of each entry too, which needs a paid plan',
	},
	nameField,
	agentUrlField,
]);

export const agentParameters = {
	...monitoringParameters,
	deepExtraction: flag().optional(),
	name: optionalText(),
};
