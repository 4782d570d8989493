import { z } from 'zod';
import { operation } from '../operation';
import { listFields, listParameters, wanted } from '../../fields/lists';

export const getAll = operation(
	{
		resource: 'agent',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many agents',
		description: 'Retrieve a list of agents, newest first',
		properties: listFields,
	},
	z.object(listParameters),
	{
		parallel: true,
		needs: ({ agents }) => agents?.list,
		run: async (list, params) => await list(wanted(params)),
	},
);
