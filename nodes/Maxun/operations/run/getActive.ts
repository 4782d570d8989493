import { operation } from '../operation';
import { ACTIVE } from '../../servers/entities';

export const getActive = operation(
	{
		resource: 'run',
		value: 'getActive',
		name: 'Get Active',
		action: 'Get active runs',
		description: 'Retrieve the runs that are queued or running',
		properties: [],
	},
	{
		parallel: true,
		needs: ({ runs }) =>
			runs.listActive ?? (async () => await runs.list(undefined, { status: ACTIVE }, Infinity)),
		run: async (listActive) => await listActive(),
	},
);
