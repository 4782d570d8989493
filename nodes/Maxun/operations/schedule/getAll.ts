import { z } from 'zod';
import { operation } from '../operation';
import { listFields, listParameters, wanted } from '../../fields/lists';

export const getAll = operation(
	{
		resource: 'schedule',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many schedules',
		description: 'Retrieve the robots that run on a schedule, with the next run first',
		properties: listFields,
	},
	z.object(listParameters),
	{
		parallel: true,
		needs: ({ schedules }) => schedules.list,
		run: async (list, params) => (await list()).slice(0, wanted(params)),
	},
);
