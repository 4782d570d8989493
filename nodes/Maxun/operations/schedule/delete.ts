import { z } from 'zod';
import { path } from '../../api/request';
import { deleteSchedule } from '../../api/selfHosted/schedules';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'schedule',
		value: 'delete',
		name: 'Delete',
		action: 'Delete schedule',
		description: 'Stop running a robot by schedule',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		perform: {
			selfHosted: async ({ call }, { robotId }) => {
				await deleteSchedule(call, robotId);
				return [{ json: { id: robotId, deleted: true } }];
			},
		},
		request: {
			cloud: ({ robotId }) => ({ method: 'DELETE', path: path`/robots/${robotId}/schedule` }),
		},
		answer: z.unknown(),
		items: (_, { robotId }) => [{ id: robotId, deleted: true }],
	},
);
