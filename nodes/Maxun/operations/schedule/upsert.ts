import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';
import { checkRunEvery, scheduleFields, scheduleParameters } from '../../fields/schedule';

export const upsert = operation(
	{
		resource: 'schedule',
		value: 'upsert',
		name: 'Create or Update',
		action: 'Create or update schedule',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		hint: 'Use this to let Maxun run a robot every day or every hour. A Maxun Trigger can then start a workflow with the data.',
		properties: [robotField, ...scheduleFields],
	},
	z.object({ robotId: locator(), ...scheduleParameters }).superRefine(checkRunEvery),
	{
		needs: ({ schedules }) => schedules.set,
		run: async (set, { robotId, timezone, ...settings }, context) => {
			const schedule = { ...settings, timezone: timezone ?? context.timezone };
			return { robotId, ...(await set(robotId, schedule)) };
		},
	},
);
