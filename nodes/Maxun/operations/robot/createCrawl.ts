import { z } from 'zod';
import { operation } from '../operation';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { checkAlertFields, monitoringFields, monitoringParameters } from '../../fields/monitoring';
import { collection, optionalText, webAddress } from '../../fields/parameters';
import { additionalFields, nameField, urlField } from '../../fields/robots';
import { withoutEmpty } from '../../http/request';

export const createCrawl = operation(
	{
		resource: 'robot',
		value: 'createCrawl',
		name: 'Create Crawl Robot',
		action: 'Create crawl robot',
		description: 'Create a robot that visits the pages of a site and captures each one',
		properties: [urlField, crawlConfigField, additionalFields([...monitoringFields, nameField])],
	},
	z.object({
		url: webAddress(),
		crawlConfig: collection(crawlConfigParameter),
		additionalFields: collection(
			z.object({ ...monitoringParameters, name: optionalText() }).superRefine(checkAlertFields),
		),
	}),
	{
		needs: ({ robots }) => robots.create,
		run: async (create, { url, crawlConfig, additionalFields: fields }) =>
			await create(
				'crawl',
				withoutEmpty({ url, crawlConfig: withoutEmpty(crawlConfig), ...fields }),
			),
	},
);
