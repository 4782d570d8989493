import { z } from 'zod';
import { Reply } from '../../api/entities';
import { path } from '../../api/request';
import { getSchedule } from '../../api/selfHosted/schedules';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';

export const get = operation(
	{
		resource: 'schedule',
		value: 'get',
		name: 'Get',
		action: 'Get schedule',
		description: 'Retrieve when a robot runs; a robot without a schedule gives no item',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		sideBySide: true,
		perform: {
			selfHosted: async ({ call }, { robotId }) => {
				const schedule = await getSchedule(call, robotId);
				return schedule ? [{ json: { robotId, ...schedule } }] : [];
			},
		},
		request: {
			cloud: ({ robotId }) => ({ method: 'GET', path: path`/robots/${robotId}/schedule` }),
		},
		answer: Reply,
		items: (schedule, { robotId }) =>
			Object.keys(schedule).length > 0 ? [{ robotId, ...schedule }] : [],
	},
);
