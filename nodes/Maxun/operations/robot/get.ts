import { z } from 'zod';
import { operation } from '../../engine/operation';
import { robotOutput } from '../../servers/robotOutput';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, robotOutputFields, robotOutputParameters } from '../../fields/output';
import { locator } from '../../fields/parameters';

export const get = operation(
	{
		resource: 'robot',
		value: 'get',
		name: 'Get',
		action: 'Get robot',
		description: 'Retrieve a robot. Raw output also contains its schedule and other settings.',
		properties: [robotField, ...robotOutputFields],
	},
	z.object({ robotId: locator(), ...robotOutputParameters }).superRefine(checkSelectedFields),
	{
		parallel: true,
		needs: ({ robots }) => robots.get,
		run: async (getRobot, { robotId, ...output }) => robotOutput(await getRobot(robotId), output),
	},
);
