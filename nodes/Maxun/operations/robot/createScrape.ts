import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields } from '../../api/request';
import { createRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { optionalText, webAddress } from '../../core/parameters';
import { formatsField, formatsParameter } from '../../fields/formats';
import { checkAlertFields, monitoringFields, monitoringParameters } from '../../fields/monitoring';
import { additionalFields, nameField, smartQueriesField, urlField } from '../../fields/robots';

export const createScrape = operation(
	{
		resource: 'robot',
		value: 'createScrape',
		name: 'Create Scrape Robot',
		action: 'Create scrape robot',
		description: 'Create a robot that captures one page',
		properties: [
			urlField,
			formatsField,
			additionalFields([...monitoringFields, nameField, smartQueriesField]),
		],
	},
	z.object({
		url: webAddress(),
		formats: formatsParameter,
		additionalFields: z
			.object({ ...monitoringParameters, name: optionalText(), smartQueries: optionalText() })
			.superRefine(checkAlertFields)
			.default({}),
	}),
	{
		request: {
			cloud: ({ url, formats, additionalFields: fields }) =>
				createRobot('scrape', definedFields({ url, formats, ...fields })),
		},
		answer: Reply,
	},
);
