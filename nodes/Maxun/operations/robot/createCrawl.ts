import { operation } from '../operation';
import { additionalFields } from '../../fields/collections';
import { crawlConfigField } from '../../fields/crawl';
import { checkAlertFields, monitoringFields } from '../../fields/monitoring';
import { nameField, urlField } from '../../fields/robots';
import { withoutEmpty } from '../../http/request';

export const createCrawl = operation(
	{
		resource: 'robot',
		value: 'createCrawl',
		name: 'Create Crawl Robot',
		action: 'Create crawl robot',
		description: 'Create a robot that visits the pages of a site and captures each one',
		properties: [
			urlField,
			crawlConfigField,
			additionalFields([...monitoringFields, nameField], checkAlertFields),
		],
	},
	{
		needs: ({ robots }) => robots.create,
		run: async (create, { url, crawlConfig, additionalFields: fields }) =>
			await create(
				'crawl',
				withoutEmpty({ url, crawlConfig: withoutEmpty(crawlConfig), ...fields }),
			),
	},
);
