import { operation } from '../operation';
import { withoutUndefined } from '../../http/request';
import { sorted, updateFields } from '../../fields/collections';
import { clearableText, mustNotBeEmpty, text } from '../../fields/parameters';
import { crawlConfigField } from '../../fields/crawl';
import { formatsField } from '../../fields/formats';
import { robotField } from '../../fields/locators';
import { nameField, smartQueriesField, urlField } from '../../fields/robots';
import {
	queryField,
	searchConfigChanges,
	searchConfigField,
	searchConfigFields,
} from '../../fields/search';

export const update = operation(
	{
		resource: 'robot',
		value: 'update',
		name: 'Update',
		action: 'Update robot',
		description: 'Change a robot. Other settings stay the same.',
		properties: [
			robotField,
			updateFields([
				{ ...crawlConfigField, description: 'What to change in the settings of a crawl robot' },
				{
					...formatsField,
					description: 'What a scrape robot captures from the page',
					rule: mustNotBeEmpty,
				},
				{ ...nameField, description: 'A name that no other robot has' },
				{
					...searchConfigField,
					description: 'What to change in the settings of a search robot',
					options: sorted([...searchConfigFields, { ...queryField, required: false }]),
				},
				{
					...smartQueriesField,
					description:
						'Questions for a scrape robot to answer about the page. Leave empty to remove them.',
					check: clearableText(),
				},
				{ ...urlField, required: false, check: text() },
			]),
		],
	},
	{
		needs: ({ robots }) => robots.update,
		run: async (update, { robotId, updateFields: { crawlConfig, searchConfig, ...fields } }) => {
			const changes = withoutUndefined({
				...fields,
				crawlConfig: crawlConfig && withoutUndefined(crawlConfig),
				searchConfig: searchConfig && searchConfigChanges(searchConfig.query, searchConfig),
			});
			return { id: robotId, ...(await update(robotId, changes)) };
		},
	},
);
