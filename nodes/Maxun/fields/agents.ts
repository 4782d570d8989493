import { type Field, flagField } from './field';
import { additionalFields } from './collections';
import { promptColumnsField } from './columns';
import { promptField } from './documents';
import { nameField, urlField } from './robots';
import { checkAlertFields, monitoringFields } from './monitoring';
import { ifServerHas } from './server';

export const agentPromptField = {
	...promptField,
	placeholder: 'e.g. Get the name, price and rating of each desk',
	description: 'What data to extract, in plain language',
} as const satisfies Field;

export const agentUrlField = {
	...urlField,
	required: false,
	description: 'The page to start from. Leave empty to let Maxun find the site.',
} as const satisfies Field;

export const deepExtractionField = flagField(
	'Deep Extraction',
	'deepExtraction',
	'Whether to also open the detail page of each row. Requires a paid plan.',
	ifServerHas('deepExtraction'),
);

export const agentFields = additionalFields(
	[...monitoringFields, deepExtractionField, nameField, agentUrlField, promptColumnsField],
	checkAlertFields,
);
