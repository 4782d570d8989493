import { z } from 'zod';
import { operation } from '../operation';
import { robotField, RUN_URL, runField } from '../../fields/locators';
import { locator, optionalLocator } from '../../fields/parameters';
import { onlyWith } from '../../fields/server';

export const cancel = operation(
	{
		resource: 'run',
		value: 'cancel',
		name: 'Cancel',
		action: 'Cancel run',
		description: 'Stop a queued or running run',
		properties: [onlyWith('runsByRobot', robotField), runField],
	},
	z.object({ robotId: optionalLocator(), runId: locator(RUN_URL) }),
	{
		needs: ({ runs }) => runs.cancel,
		// The response isn't documented, so always include the ID.
		run: async (cancelRun, { robotId, runId }) => ({
			id: runId,
			...(await cancelRun(runId, robotId)),
			canceled: true,
		}),
	},
);
