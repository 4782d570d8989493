import { flagField } from './field';
import { promptField } from './documents';
import { urlField } from './robots';
import { ifServerHas } from './server';

export const agentPromptField = {
	...promptField,
	placeholder: 'e.g. Get the name, price and rating of each desk',
	description: 'What data to extract, in plain language',
};

export const agentUrlField = {
	...urlField,
	required: false,
	description: 'The page to start from. Leave empty to let Maxun find the site.',
};

export const deepExtractionField = flagField(
	'Deep Extraction',
	'deepExtraction',
	'Whether to also open the detail page of each row. Requires a paid plan.',
	ifServerHas('deepExtraction'),
);
