import { z } from 'zod';
import { definedFields } from '../../api/request';
import { createRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { webAddress } from '../../core/parameters';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { urlField } from '../../fields/robots';
import { temporaryWaitFields, waitParameters } from '../../fields/waiting';
import { keepRobotField, keepRobotParameter } from '../../fields/web';
import { startTemporary, temporaryName } from '../../runs/start';

export const crawl = operation(
	{
		resource: 'web',
		value: 'crawl',
		name: 'Crawl Site',
		action: 'Crawl a site',
		description: 'Get the pages of a site in one step, one item each',
		properties: [urlField, crawlConfigField, ...temporaryWaitFields, keepRobotField],
	},
	z.object({
		url: webAddress(),
		crawlConfig: crawlConfigParameter.default({}),
		keepRobot: keepRobotParameter,
		...waitParameters,
	}),
	{
		sideBySide: true,
		start: {
			cloud: async (api, { url, crawlConfig, keepRobot }) => {
				const name = temporaryName('crawl');
				const create = createRobot('crawl', { url, name, crawlConfig: definedFields(crawlConfig) });
				return await startTemporary(api, { kind: 'robot', name, keep: keepRobot, create });
			},
		},
		settings: (params) => ({ ...params, output: 'rows', downloadScreenshots: false }),
	},
);
