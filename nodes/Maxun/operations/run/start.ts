import { z } from 'zod';
import { StartedRun } from '../../api/entities';
import { startRun } from '../../api/runs';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { runOptionsField, runOptionsParameter, startBody } from '../../fields/runs';

export const start = operation(
	{
		resource: 'run',
		value: 'start',
		name: 'Start',
		action: 'Start run',
		description: 'Start a robot and go on at once, without its data',
		properties: [robotField, runOptionsField],
	},
	z.object({ robotId: locator(), options: runOptionsParameter }),
	{
		sideBySide: true,
		request: {
			cloud: ({ robotId, options }) => startRun('robots', robotId, startBody(options)),
		},
		answer: StartedRun,
	},
);
