import { z } from 'zod';
import { Robot } from '../../api/entities';
import { operation } from '../../core/operation';
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
		sideBySide: true,
		perform: {
			cloud: async (api, list) => {
				const agents = await api.getMany({ method: 'GET', path: '/agents' }, Robot, wanted(list));
				return agents.map((json) => ({ json }));
			},
		},
	},
);
