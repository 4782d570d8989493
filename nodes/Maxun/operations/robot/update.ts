import { z } from 'zod';
import { operation } from '../../engine/operation';
import { withoutUndefined } from '../../http/request';
import {
	atLeastOne,
	notEmpty,
	clearableText,
	count,
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
	searchConfigBody,
	searchConfigField,
	searchConfigFields,
	searchConfigParameter,
} from '../../fields/search';
import { optionOnlyOn } from '../../fields/server';
import { sorted } from '../../fields/sorted';

const optional = { required: false };

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
				{ ...crawlConfigField, description: 'Settings of a crawl robot to change' },
				{ ...formatsField, description: 'What a scrape robot captures from the page' },
				{ ...nameField, description: 'A name that no other robot has' },
				optionOnlyOn('selfHosted', {
					displayName: 'Row Limit',
					name: 'rowLimit',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 50,
					description: 'Maximum number of rows that a recorded robot or an agent captures per list',
				}),
				{
					...searchConfigField,
					description: 'Settings of a search robot to change',
					options: sorted([...searchConfigFields, { ...queryField, ...optional }]),
				},
				{
					...smartQueriesField,
					description:
						'Questions that a scrape robot answers from the page. Leave empty to remove them.',
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
			rowLimit: count(1).optional(),
			searchConfig: searchConfigParameter.extend({ query: optionalText() }).optional(),
			smartQueries: clearableText(),
			url: webAddress().optional(),
		}),
	}),
	{
		needs: ({ robots }) => robots.update,
		run: async (
			updateRobot,
			{ robotId, updateFields: { crawlConfig, searchConfig, ...fields } },
		) => {
			const body = withoutUndefined({
				...fields,
				crawlConfig: crawlConfig && withoutUndefined(crawlConfig),
				searchConfig: searchConfig && searchConfigBody(searchConfig.query, { ...searchConfig }),
			});
			return { id: robotId, ...(await updateRobot(robotId, body)) };
		},
	},
);
