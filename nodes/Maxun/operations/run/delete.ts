import { z } from 'zod';
import { operation } from '../operation';
import { RUN_URL, runField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const remove = operation(
	{
		resource: 'run',
		value: 'delete',
		name: 'Delete',
		action: 'Delete run',
		description: 'Delete a run and its data permanently. The run must have ended.',
		properties: [runField],
	},
	z.object({ runId: locator(RUN_URL) }),
	{
		needs: ({ runs }) => runs.delete,
		run: async (remove, { runId }) => {
			await remove(runId);
			return { id: runId, deleted: true };
		},
	},
);
