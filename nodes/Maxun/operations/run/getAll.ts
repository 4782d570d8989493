import { z } from 'zod';
import { Run } from '../../api/entities';
import { path } from '../../api/request';
import { asItems, operation } from '../../core/operation';
import { optionalLocator } from '../../core/parameters';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { robotField } from '../../fields/locators';
import { filterQuery, runFiltersField, runFiltersParameter } from '../../fields/runFilters';

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
				description: 'The robot whose runs to return, leave empty for the runs of all robots',
			},
			...listFields,
			runFiltersField,
		],
	},
	z.object({ robotId: optionalLocator(), ...listParameters, filters: runFiltersParameter }),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { robotId, filters, ...list }) => {
				const address = robotId ? path`/robots/${robotId}/runs` : '/runs';
				const query = filterQuery(filters, api.timezone);
				const runs = await api.getMany({ method: 'GET', path: address, query }, Run, wanted(list));
				return asItems(runs).map((json) => ({ json }));
			},
		},
	},
);
