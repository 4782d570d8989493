import { z } from 'zod';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { RUN_URL, runField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'run',
		value: 'delete',
		name: 'Delete',
		action: 'Delete run',
		description: 'Remove a run that has ended, with its data, for good',
		properties: [runField],
	},
	z.object({ runId: locator(RUN_URL) }),
	{
		request: { cloud: ({ runId }) => ({ method: 'DELETE', path: path`/runs/${runId}` }) },
		answer: z.unknown(),
		items: (_, { runId }) => [{ id: runId, deleted: true }],
	},
);
