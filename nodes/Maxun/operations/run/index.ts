import { limitFields, wanted } from '../../fields/lists';
import { robotField, runField } from '../../fields/locators';
import { runFilter, runFiltersField } from '../../fields/runFilters';
import { onlyWith } from '../../fields/server';
import { ACTIVE } from '../../servers/entities';
import { deletion, operation, type Resource } from '../operation';
import { compare } from './compare';
import { get } from './get';
import { runOnUrls } from './runOnUrls';
import { runAndWait, start } from './start';

const cancel = operation(
	{
		value: 'cancel',
		name: 'Cancel',
		action: 'Cancel run',
		description: 'Stop a queued or running run',
		properties: [onlyWith('runsByRobot', robotField), runField],
	},
	{
		needs: ({ runs }) => runs.cancel,
		// The response isn't documented, so always include the ID.
		run: async (cancelRun, { robotId, runId }) => ({
			id: runId,
			...(await cancelRun(runId, robotId)),
			canceled: true,
		}),
	},
);

const remove = deletion(
	'run',
	'Delete a run and its data permanently. The run must have ended.',
	[runField],
	({ runs }) => runs.delete,
	({ runId }) => [runId],
);

const getActive = operation(
	{
		value: 'getActive',
		name: 'Get Active',
		action: 'Get active runs',
		description: 'Retrieve all runs that are queued or running. Use Get Many to filter them.',
		properties: [],
	},
	{
		parallel: true,
		needs: ({ runs }) =>
			runs.listActive ?? (async () => await runs.list(undefined, { status: ACTIVE }, Infinity)),
		run: async (listActive) => await listActive(),
	},
);

const getAll = operation(
	{
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many runs',
		description: 'Retrieve a list of runs without their data, newest first',
		properties: [
			{
				...robotField,
				required: false,
				description: "Only return this robot's runs. Leave empty to return the runs of all robots.",
			},
			...limitFields,
			runFiltersField,
		],
	},
	{
		parallel: true,
		needs: ({ runs }) => runs.list,
		run: async (list, { robotId, filters, ...limits }, { timezone }) =>
			await list(robotId, runFilter(filters, timezone), wanted(limits)),
	},
);

export const run: Resource = {
	name: 'Run',
	value: 'run',
	description: 'Run your robots and read their data',
	operations: [runAndWait, runOnUrls, start, compare, get, getAll, getActive, cancel, remove],
};
