import { z } from 'zod';
import { operation } from '../../engine/operation';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { robotField } from '../../fields/locators';
import { optionalLocator } from '../../fields/parameters';
import { runFilter, runFiltersField, runFiltersParameter } from '../../fields/runFilters';
import { onlyOn } from '../../fields/server';

export const getAll = operation(
	{
		resource: 'run',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many runs',
		description: 'Retrieve a list of runs without their data, newest first',
		properties: [
			onlyOn('cloud', {
				...robotField,
				required: false,
				description:
					'The robot whose runs to return. Leave empty to return the runs of all robots.',
			}),
			onlyOn('selfHosted', { ...robotField, description: 'The robot whose runs to return' }),
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
