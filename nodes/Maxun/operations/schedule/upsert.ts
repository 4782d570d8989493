import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields, path } from '../../api/request';
import { setSchedule } from '../../api/selfHosted/schedules';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { checkRunEvery, scheduleFields, scheduleParameters } from '../../fields/schedule';

export const upsert = operation(
	{
		resource: 'schedule',
		value: 'upsert',
		name: 'Create or Update',
		action: 'Create or update schedule',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		properties: [robotField, ...scheduleFields],
	},
	z.object({ robotId: locator(), ...scheduleParameters }).superRefine(checkRunEvery),
	{
		perform: {
			selfHosted: async (api, { robotId, timezone, ...settings }) => {
				const schedule = { ...settings, timezone: timezone ?? api.timezone };
				return [{ json: { robotId, ...(await setSchedule(api.call, robotId, schedule)) } }];
			},
		},
		request: {
			cloud: ({ robotId, timezone, ...schedule }, api) => ({
				method: 'PUT',
				path: path`/robots/${robotId}/schedule`,
				body: definedFields({ ...schedule, timezone: timezone ?? api.timezone }),
			}),
		},
		answer: Reply,
		items: (reply, { robotId }) => [{ robotId, ...reply }],
	},
);
