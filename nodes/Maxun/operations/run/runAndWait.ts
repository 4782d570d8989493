import { waitingOperation } from '../operation';
import { inputsField, inputValues } from '../../fields/inputs';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, outputFields } from '../../fields/output';
import { runAndWaitOptionsField, startOptions } from '../../fields/runOptions';
import { itemsOfLastRun } from '../../results/lastRun';
import { startRun } from '../../runs/start';

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
		start: async (_start, { robotId, params, options }, { maxun, item }) =>
			await startRun(maxun, 'robot', robotId, {
				...startOptions(options),
				params: inputValues(params, item),
			}),
		test: ({ robotId, options, output, fields }) =>
			options.useLastRun
				? async (context) => await itemsOfLastRun(context, robotId, { ...options, output, fields })
				: undefined,
		settings: ({ robotId, options, output, fields }) => ({ ...options, robotId, output, fields }),
	},
);
