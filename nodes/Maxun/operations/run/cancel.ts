import { z } from 'zod';
import { Reply } from '../../api/entities';
import { cancelRun } from '../../api/runs';
import { operation } from '../../core/operation';
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
		request: { cloud: ({ runId }) => cancelRun(runId) },
		answer: Reply,
		// What the answer holds is not documented: the ID is there in any case.
		items: (reply, { runId }) => [{ id: runId, ...reply, cancelled: true }],
	},
);
