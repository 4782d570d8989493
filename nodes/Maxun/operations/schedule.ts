import { called, deletion, operation, reading, type Resource } from './operation';
import { robotField } from '../fields/locators';
import { listedFields, wanted } from '../fields/output';
import { checkRunEvery, scheduleFields } from '../fields/schedule';
import { entryOutput, FIELDS_WITH_SCHEDULE } from '../results/robotOutput';

const upsert = operation({
	...called('upsert', 'Create or Update', 'schedule'),
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	builderHint:
		'Use this to let Maxun run a robot every day or every hour. A Maxun Trigger can then start a workflow with the data.',
	properties: [robotField, ...scheduleFields],
	rule: checkRunEvery,
	needs: ({ schedules }) => schedules.set,
	run: async (set, { robotId, timezone, ...settings }, context) => {
		const schedule = { ...settings, timezone: timezone ?? context.timezone };
		return { robotId, ...(await set(robotId, schedule)) };
	},
});

const remove = deletion(
	'schedule',
	'Stop running a robot on a schedule',
	[robotField],
	({ schedules }) => schedules.delete,
);

const get = reading({
	...called('get', 'Get', 'schedule'),
	description: "Retrieve a robot's schedule. Returns nothing if the robot has no schedule.",
	properties: [robotField],
	needs: ({ schedules }) => schedules.get,
	run: async (getSchedule, { robotId }) => {
		const schedule = await getSchedule(robotId);
		return schedule ? { robotId, ...schedule } : [];
	},
});

const getAll = reading({
	...called('getAll', 'Get Many', 'schedules'),
	description: 'Retrieve all schedules, sorted by next run',
	properties: listedFields,
	needs: ({ schedules }) => schedules.list,
	run: async (list, form) =>
		(await list()).slice(0, wanted(form)).map(entryOutput(form, FIELDS_WITH_SCHEDULE)),
});

export const schedule: Resource = {
	name: 'Schedule',
	value: 'schedule',
	description: 'Let Maxun run your robots regularly',
	operations: [upsert, get, getAll, remove],
};
