import { z } from 'zod';
import { waitingOperation } from '../operation';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { pageOutputField, pageOutputParameter } from '../../fields/output';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { collection, webAddress } from '../../fields/parameters';
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
		hint: 'Use this to read all pages or many pages of one website without an existing robot, for example documentation for a vector store.',
		properties: [urlField, crawlConfigField, pageOutputField, temporaryOptionsField()],
	},
	z.object({
		url: webAddress(),
		crawlConfig: collection(crawlConfigParameter),
		output: pageOutputParameter,
		options: collection(temporaryParameters),
	}),
	oneStep({
		what: 'crawl',
		needs: ({ robots }) => robots.create,
		create: async (create, { url, crawlConfig }, name) =>
			await create('crawl', { url, name, crawlConfig: withoutEmpty(crawlConfig) }),
	}),
);
