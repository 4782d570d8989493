import { waitingOperation } from '../operation';
import { crawlConfigField } from '../../fields/crawl';
import { pageOutputField } from '../../fields/output';
import { tableFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/keepRobot';
import { urlField } from '../../fields/robots';
import { withoutEmpty } from '../../http/request';
import { oneStep } from '../oneStep';

export const crawl = waitingOperation(
	{
		resource: 'web',
		value: 'crawl',
		name: 'Crawl Site',
		action: 'Crawl site',
		description: 'Get the pages of a site in one step, one item per page',
		builderHint:
			'Use this to read all pages or many pages of one website without an existing robot, for example documentation for a vector store.',
		properties: [urlField, crawlConfigField, pageOutputField, temporaryOptionsField(tableFields())],
	},
	oneStep({
		operation: 'crawl',
		needs: ({ robots }) => robots.create,
		origin: ({ url }) => ({ url }),
		create: async (create, { url, crawlConfig }, name) =>
			await create('crawl', { url, name, crawlConfig: withoutEmpty(crawlConfig) }),
	}),
);
