import { z } from 'zod';
import { operation } from '../operation';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { robotField } from '../../fields/locators';
import { optionalLocator } from '../../fields/parameters';
import { runFilter, runFiltersField, runFiltersParameter } from '../../fields/runFilters';

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
	z.object({ robotId: optionalLocator(), ...listParameters, filters: runFiltersParameter }),
	{
		parallel: true,
		needs: ({ runs }) => runs.list,
		run: async (list, { robotId, filters, ...limits }, { timezone }) =>
			await list(robotId, runFilter(filters, timezone), wanted(limits)),
	},
);
