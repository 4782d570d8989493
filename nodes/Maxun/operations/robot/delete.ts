import { z } from 'zod';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'robot',
		value: 'delete',
		name: 'Delete',
		action: 'Delete robot',
		description: 'Remove a robot and all its runs for good',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		request: { cloud: ({ robotId }) => ({ method: 'DELETE', path: path`/robots/${robotId}` }) },
		answer: z.unknown(),
		items: (_, { robotId }) => [{ id: robotId, deleted: true }],
	},
);
