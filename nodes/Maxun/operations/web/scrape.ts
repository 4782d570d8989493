import { z } from 'zod';
import { definedFields } from '../../api/request';
import { createRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { optionalText, webAddress } from '../../core/parameters';
import { formatsField, formatsParameter } from '../../fields/formats';
import { downloadScreenshotsField, outputParameters } from '../../fields/output';
import { smartQueriesField, urlField } from '../../fields/robots';
import { temporaryWaitFields, waitParameters } from '../../fields/waiting';
import { keepRobotField, keepRobotParameter } from '../../fields/web';
import { startTemporary, temporaryName } from '../../runs/start';

export const scrape = operation(
	{
		resource: 'web',
		value: 'scrape',
		name: 'Scrape Page',
		action: 'Scrape a page',
		description: 'Get the content of a page in one step',
		properties: [
			{ ...urlField, description: 'The page to get' },
			formatsField,
			smartQueriesField,
			downloadScreenshotsField,
			...temporaryWaitFields,
			keepRobotField,
		],
	},
	z.object({
		url: webAddress(),
		formats: formatsParameter,
		smartQueries: optionalText(),
		downloadScreenshots: outputParameters.downloadScreenshots,
		keepRobot: keepRobotParameter,
		...waitParameters,
	}),
	{
		sideBySide: true,
		start: {
			cloud: async (api, { url, formats, smartQueries, keepRobot }) => {
				const name = temporaryName('scrape');
				const create = createRobot('scrape', definedFields({ url, name, formats, smartQueries }));
				return await startTemporary(api, {
					kind: 'robot',
					name,
					keep: keepRobot,
					create,
					fields: { url },
				});
			},
		},
		settings: (params) => ({ ...params, output: 'rows' }),
	},
);
