import { z } from 'zod';
import { Reply } from '../../api/entities';
import { givenFields, path } from '../../api/request';
import { operation } from '../../core/operation';
import {
	atLeastOne,
	notEmpty,
	clearableText,
	locator,
	optionalText,
	webAddress,
} from '../../core/parameters';
import { crawlConfigField, crawlConfigParameter } from '../../fields/crawl';
import { formatsField, formatsParameter } from '../../fields/formats';
import { robotField } from '../../fields/locators';
import { nameField, smartQueriesField, updateFields, urlField } from '../../fields/robots';
import {
	queryField,
	searchConfigBody,
	searchConfigField,
	searchConfigFields,
	searchConfigParameter,
} from '../../fields/search';
import { sorted } from '../../fields/sorted';

const optional = { required: false };

export const update = operation(
	{
		resource: 'robot',
		value: 'update',
		name: 'Update',
		action: 'Update robot',
		description: 'Change a robot; what is not set stays as it is',
		properties: [
			robotField,
			updateFields([
				{ ...crawlConfigField, description: 'Settings of a crawl robot to change' },
				{ ...formatsField, description: 'What a scrape robot captures of the page' },
				{ ...nameField, description: 'What the robot is called, which must not be taken' },
				{
					...searchConfigField,
					description: 'Settings of a search robot to change',
					options: sorted([...searchConfigFields, { ...queryField, ...optional }]),
				},
				{
					...smartQueriesField,
					description:
						'Questions that a scrape robot answers from the page, leave empty to remove them',
				},
				{ ...urlField, ...optional },
			]),
		],
	},
	z.object({
		robotId: locator(),
		updateFields: atLeastOne({
			crawlConfig: crawlConfigParameter.optional(),
			formats: notEmpty(formatsParameter).optional(),
			name: optionalText(),
			searchConfig: searchConfigParameter.extend({ query: optionalText() }).optional(),
			smartQueries: clearableText(),
			url: webAddress().optional(),
		}),
	}),
	{
		request: {
			cloud: ({ robotId, updateFields: { crawlConfig, searchConfig, ...fields } }) => ({
				method: 'PATCH',
				path: path`/robots/${robotId}`,
				body: givenFields({
					...fields,
					crawlConfig: crawlConfig && givenFields(crawlConfig),
					searchConfig: searchConfig && searchConfigBody(searchConfig.query, { ...searchConfig }),
				}),
			}),
		},
		answer: Reply,
		items: (reply, { robotId }) => [{ id: robotId, ...reply }],
	},
);
