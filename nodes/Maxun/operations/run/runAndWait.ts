import { z } from 'zod';
import { waitingOperation } from '../../engine/operation';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, outputFields, outputParameters } from '../../fields/output';
import { locator } from '../../fields/parameters';
import {
	paceOf,
	runAndWaitOptionsField,
	runAndWaitOptionsParameter,
	startOptions,
} from '../../fields/runOptions';
import { startRun } from '../../runs/start';

export const runAndWait = waitingOperation(
	{
		resource: 'run',
		value: 'runAndWait',
		name: 'Run and Wait',
		action: 'Run robot and wait',
		description: 'Start a robot and return its data when the run has finished',
		properties: [robotField, ...outputFields, runAndWaitOptionsField],
	},
	z
		.object({
			robotId: locator(),
			...outputParameters,
			options: runAndWaitOptionsParameter,
		})
		.superRefine(checkSelectedFields),
	{
		parallel: true,
		needs: ({ runs }) => runs.start,
		start: async (_start, { robotId, options }, { maxun }) =>
			await startRun(maxun, 'robot', robotId, { ...startOptions(options), ...paceOf(options) }),
		settings: ({ options, output, fields }) => ({ ...options, output, fields }),
		maxRuns: ({ options }) => options.maxRuns,
	},
);
