import { waitingOperation } from '../operation';
import { inputsField, inputValues } from '../../fields/inputs';
import { robotField } from '../../fields/locators';
import { startOptions, startOptionsField } from '../../fields/runOptions';
import { startRun } from '../../runs/start';
import type { WaitSettings } from '../../runs/types';

/** Only says how long to wait until the server can start the run. */
const STARTED: WaitSettings = {
	timeoutMinutes: 60,
	onTimeout: 'error',
	onFailure: 'error',
	output: 'simplified',
	downloadScreenshots: false,
	delayBeforeStart: 0,
};

export const start = waitingOperation(
	{
		value: 'start',
		name: 'Start',
		action: 'Start run',
		description: 'Start a robot and continue without waiting for its data',
		builderHint:
			'Use this only if this workflow does not need the data. Otherwise, use Run and Wait.',
		properties: [robotField, inputsField('robotId'), startOptionsField],
	},
	{
		parallel: true,
		needs: ({ runs }) => runs.start,
		waits: false,
		start: async (_start, { robotId, params, options }, { maxun, item }) =>
			await startRun(maxun, 'robot', robotId, {
				...startOptions(options),
				params: inputValues(params, item),
			}),
		settings: ({ robotId }) => ({ ...STARTED, robotId }),
	},
);
