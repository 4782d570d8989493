import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields } from '../../api/request';
import { createRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { optionalText, webAddress } from '../../core/parameters';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { checkAlertFields, monitoringFields, monitoringParameters } from '../../fields/monitoring';
import { additionalFields, nameField, urlField } from '../../fields/robots';

export const createCrawl = operation(
	{
		resource: 'robot',
		value: 'createCrawl',
		name: 'Create Crawl Robot',
		action: 'Create crawl robot',
		description: 'Create a robot that visits the pages of a site and captures each',
		properties: [urlField, crawlConfigField, additionalFields([...monitoringFields, nameField])],
	},
	z.object({
		url: webAddress(),
		crawlConfig: crawlConfigParameter.default({}),
		additionalFields: z
			.object({ ...monitoringParameters, name: optionalText() })
			.superRefine(checkAlertFields)
			.default({}),
	}),
	{
		request: {
			cloud: ({ url, crawlConfig, additionalFields: fields }) =>
				createRobot(
					'crawl',
					definedFields({ url, crawlConfig: definedFields(crawlConfig), ...fields }),
				),
		},
		answer: Reply,
	},
);
