import { operation } from '../operation';
import { listFields, wanted } from '../../fields/lists';
import { robotField } from '../../fields/locators';
import { runFilter, runFiltersField } from '../../fields/runFilters';

export const getAll = operation(
	{
		resource: 'run',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many runs',
		description: 'Retrieve a list of runs without their data, newest first',
		properties: [
			{
				...robotField,
				required: false,
				description:
					'The robot whose runs to return. Leave empty to return the runs of all robots.',
			},
			...listFields,
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
