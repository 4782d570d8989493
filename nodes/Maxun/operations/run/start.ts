import { z } from 'zod';
import { operation } from '../../engine/operation';
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
		properties: [robotField, startOptionsField],
	},
	z.object({ robotId: locator(), options: startOptionsParameter }),
	{
		parallel: true,
		needs: ({ runs }) => runs.start,
		run: async (startRun, { robotId, options }) => await startRun(robotId, startOptions(options)),
	},
);
