import { z } from 'zod';
import { waitingOperation } from '../../engine/operation';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { webAddress } from '../../fields/parameters';
import { urlField } from '../../fields/robots';
import { withoutEmpty } from '../../http/request';
import { startTemporary } from '../../runs/temporary';

export const crawl = waitingOperation(
	{
		resource: 'web',
		value: 'crawl',
		name: 'Crawl Site',
		action: 'Crawl site',
		description: 'Get the pages of a site in one step, one item per page',
		properties: [urlField, crawlConfigField, temporaryOptionsField()],
	},
	z.object({
		url: webAddress(),
		crawlConfig: crawlConfigParameter.default({}),
		options: temporaryParameters.default({}),
	}),
	{
		parallel: true,
		needs: ({ robots }) => robots.create,
		start: async (_create, { url, crawlConfig, options }, context) =>
			await startTemporary(context, {
				kind: 'robot',
				what: 'crawl',
				keep: options.keepRobot,
				create: ({ robots }, name) =>
					robots.create?.('crawl', { url, name, crawlConfig: withoutEmpty(crawlConfig) }),
			}),
		settings: ({ options }) => ({ ...options, output: 'rows', downloadScreenshots: false }),
	},
);
