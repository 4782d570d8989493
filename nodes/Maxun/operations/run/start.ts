import { z } from 'zod';
import { operation } from '../../engine/operation';
import { inputsField, inputsParameter, inputValues } from '../../fields/inputs';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';
import { startOptions, startOptionsField, startOptionsParameter } from '../../fields/runOptions';

export const start = operation(
	{
		resource: 'run',
		value: 'start',
		name: 'Start',
		action: 'Start run',
		description: 'Start a robot and continue without its data',
		properties: [robotField, inputsField('robotId'), startOptionsField],
	},
	z.object({ robotId: locator(), params: inputsParameter, options: startOptionsParameter }),
	{
		parallel: true,
		needs: ({ runs }) => runs.start,
		run: async (startRun, { robotId, params, options }, { item }) =>
			await startRun(robotId, { ...startOptions(options), params: inputValues(params, item) }),
	},
);
