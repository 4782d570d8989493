import type { INodeProperties } from 'n8n-workflow';
import { columnsParameter, promptColumnsField } from './columns';
import { flag, optionalText } from './parameters';
import { additionalFields, nameField, urlField } from './robots';
import { monitoringFields, monitoringParameters } from './monitoring';
import { optionOnlyWith } from './server';

export const agentPromptField: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	placeholder: 'e.g. Get the name, price and rating of each desk',
	default: '',
	description: 'What data to extract, in plain language',
};

export const agentUrlField: INodeProperties = {
	...urlField,
	required: false,
	description: 'The page to start from. Leave empty to let the agent find the site.',
};

export const deepExtractionField = optionOnlyWith('deepExtraction', {
	displayName: 'Deep Extraction',
	name: 'deepExtraction',
	type: 'boolean',
	default: true,
	description: 'Whether to also open the detail page of each row. Requires a paid plan.',
});

export const agentFields = additionalFields([
	...monitoringFields,
	deepExtractionField,
	nameField,
	agentUrlField,
	promptColumnsField,
]);

export const agentParameters = {
	...monitoringParameters,
	deepExtraction: flag().optional(),
	name: optionalText(),
	columns: columnsParameter,
};
