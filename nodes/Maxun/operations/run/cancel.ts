import { z } from 'zod';
import { path } from '../../api/request';
import { asItems, operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { RUN_URL, runField } from '../../fields/locators';

export const cancel = operation(
	{
		resource: 'run',
		value: 'cancel',
		name: 'Cancel',
		action: 'Cancel run',
		description: 'Stop a queued or running run',
		properties: [runField],
	},
	z.object({ runId: locator(RUN_URL) }),
	{
		request: { cloud: ({ runId }) => ({ method: 'POST', path: path`/runs/${runId}/cancel` }) },
		answer: z.unknown(),
		// What the answer holds is not documented: the ID is there in any case.
		items: (result, { runId }) => [{ id: runId, ...asItems(result)[0], cancelled: true }],
	},
);
