import { z } from 'zod';
import { operation } from '../../engine/operation';
import { RUN_URL, runField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

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
		needs: ({ runs }) => runs.cancel,
		// The response isn't documented, so always include the ID.
		run: async (cancelRun, { runId }) => ({
			id: runId,
			...(await cancelRun(runId)),
			cancelled: true,
		}),
	},
);
