import { inputsField } from '../../fields/inputs';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, outputFields } from '../../fields/output';
import { runAndWaitOptionsField, startOptions, startOptionsField } from '../../fields/runOptions';
import { startRun } from '../../runs/start';
import type { WaitSettings } from '../../runs/types';
import { waitingOperation } from '../operation';

export const runAndWait = waitingOperation(
	{
		value: 'runAndWait',
		name: 'Run and Wait',
		action: 'Run robot and wait',
		description: 'Start a robot and return its data when the run has ended',
		builderHint:
			'Use this to run an existing robot and get its data. It replaces Start, a Wait node and Get.',
		properties: [robotField, inputsField('robotId'), ...outputFields, runAndWaitOptionsField],
		rule: checkSelectedFields,
	},
	{
		parallel: true,
		needs: ({ runs }) => runs.start,
		start: async (_start, params, { maxun, item }) =>
			await startRun(maxun, 'robot', params.robotId, startOptions(params, item)),
		settings: ({ robotId, options, output, fields }) => ({ ...options, robotId, output, fields }),
	},
);

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
		start: async (_start, params, { maxun, item }) =>
			await startRun(maxun, 'robot', params.robotId, startOptions(params, item)),
		settings: ({ robotId }) => ({ ...STARTED, robotId }),
	},
);
