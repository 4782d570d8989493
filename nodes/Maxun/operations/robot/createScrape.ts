import { z } from 'zod';
import { operation } from '../operation';
import { formatsField, formatsParameter } from '../../fields/formats';
import { checkAlertFields, monitoringFields, monitoringParameters } from '../../fields/monitoring';
import { collection, optionalText, webAddress } from '../../fields/parameters';
import { additionalFields, nameField, smartQueriesField, urlField } from '../../fields/robots';
import { withoutEmpty } from '../../http/request';

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
		additionalFields: collection(
			z
				.object({ ...monitoringParameters, name: optionalText(), smartQueries: optionalText() })
				.superRefine(checkAlertFields),
		),
	}),
	{
		needs: ({ robots }) => robots.create,
		run: async (create, { url, formats, additionalFields: fields }) =>
			await create('scrape', withoutEmpty({ url, formats, ...fields })),
	},
);
