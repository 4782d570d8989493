import { operation } from '../operation';
import { additionalFields } from '../../fields/collections';
import { formatsField } from '../../fields/formats';
import { checkAlertFields, monitoringFields } from '../../fields/monitoring';
import { nameField, smartQueriesField, urlField } from '../../fields/robots';
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
			additionalFields([...monitoringFields, nameField, smartQueriesField], checkAlertFields),
		],
	},
	{
		needs: ({ robots }) => robots.create,
		run: async (create, { url, formats, additionalFields: fields }) =>
			await create('scrape', withoutEmpty({ url, formats, ...fields })),
	},
);
