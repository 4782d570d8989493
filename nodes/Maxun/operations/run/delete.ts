import { operation } from '../operation';
import { runField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'run',
		value: 'delete',
		name: 'Delete',
		action: 'Delete run',
		description: 'Delete a run and its data permanently. The run must have ended.',
		properties: [runField],
	},
	{
		needs: ({ runs }) => runs.delete,
		run: async (remove, { runId }) => {
			await remove(runId);
			return { id: runId, deleted: true };
		},
	},
);
