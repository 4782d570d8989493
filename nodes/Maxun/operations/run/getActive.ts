import { z } from 'zod';
import { operation } from '../../engine/operation';

/** For servers that can't list them with one request. */
const ACTIVE = { status: ['queued', 'scheduled', 'running', 'aborting'] };

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
		needs: ({ runs }) =>
			runs.listActive ?? (async () => await runs.list(undefined, ACTIVE, Infinity)),
		run: async (listActive) => await listActive(),
	},
);
