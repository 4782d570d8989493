import { z } from 'zod';
import { operation } from '../../engine/operation';

export const getActive = operation(
	{
		resource: 'run',
		value: 'getActive',
		name: 'Get Active',
		action: 'Get active runs',
		description: 'Retrieve the runs that are queued or running',
		properties: [],
	},
	z.object({}),
	{
		parallel: true,
		needs: ({ runs }) => runs.listActive,
		run: async (listActive) => await listActive(),
	},
);
