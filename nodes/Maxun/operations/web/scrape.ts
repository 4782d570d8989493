import { waitingOperation } from '../operation';
import { formatsField } from '../../fields/formats';
import { tableFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/keepRobot';
import { pageOutputField } from '../../fields/output';
import { smartQueriesField, urlField } from '../../fields/robots';
import { withoutEmpty } from '../../http/request';
import { oneStep } from '../oneStep';

export const scrape = waitingOperation(
	{
		resource: 'web',
		value: 'scrape',
		name: 'Scrape Page',
		action: 'Scrape page',
		description: 'Get the content of a page in one step',
		builderHint:
			'Use this to read one page without an existing robot, for example an article as Markdown or a screenshot of a page.',
		properties: [
			{ ...urlField, description: 'The page to scrape' },
			formatsField,
			pageOutputField,
			temporaryOptionsField([...tableFields(), smartQueriesField]),
		],
	},
	oneStep({
		operation: 'scrape',
		needs: ({ robots }) => robots.create,
		create: async (create, { url, formats, options: { smartQueries } }, name) =>
			await create('scrape', withoutEmpty({ url, name, formats, smartQueries })),
		fields: ({ url }) => ({ url }),
		origin: ({ url }) => ({ url }),
		address: ({ url }) => url,
	}),
);
