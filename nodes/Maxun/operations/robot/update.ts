import { z } from 'zod';
import { operation } from '../operation';
import { withoutUndefined } from '../../http/request';
import {
	atLeastOne,
	notEmpty,
	clearableText,
	locator,
	optionalText,
	webAddress,
} from '../../fields/parameters';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { formatsField, formatsParameter } from '../../fields/formats';
import { robotField } from '../../fields/locators';
import { nameField, smartQueriesField, updateFields, urlField } from '../../fields/robots';
import {
	queryField,
	searchConfigChanges,
	searchConfigField,
	searchConfigFields,
	searchConfigParameter,
} from '../../fields/search';
import { sorted } from '../../fields/sorted';

const optional = { required: false };

/** Maxun doesn't say what a robot without formats captures. */
const changedFormats = { outputFormats: notEmpty(formatsParameter).optional() };

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
				{ ...formatsField, description: 'What a scrape robot captures from the page' },
				{ ...nameField, description: 'A name that no other robot has' },
				{
					...searchConfigField,
					description: 'What to change in the settings of a search robot',
					options: sorted([...searchConfigFields, { ...queryField, ...optional }]),
				},
				{
					...smartQueriesField,
					description:
						'Questions for a scrape robot to answer about the page. Leave empty to remove them.',
				},
				{ ...urlField, ...optional },
			]),
		],
	},
	z.object({
		robotId: locator(),
		updateFields: atLeastOne({
			crawlConfig: crawlConfigParameter.extend(changedFormats).optional(),
			formats: notEmpty(formatsParameter).optional(),
			name: optionalText(),
			searchConfig: searchConfigParameter
				.extend({ ...changedFormats, query: optionalText() })
				.optional(),
			smartQueries: clearableText(),
			url: webAddress().optional(),
		}),
	}),
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
