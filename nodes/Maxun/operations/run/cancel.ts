import { operation } from '../operation';
import { robotField, runField } from '../../fields/locators';
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
