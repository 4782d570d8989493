import { z } from 'zod';
import { Robot } from '../../api/entities';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { agentField } from '../../fields/locators';

export const get = operation(
	{
		resource: 'agent',
		value: 'get',
		name: 'Get',
		action: 'Get agent',
		description: 'Retrieve one agent with its status and prompt',
		properties: [agentField],
	},
	z.object({ agentId: locator() }),
	{
		sideBySide: true,
		request: { cloud: ({ agentId }) => ({ method: 'GET', path: path`/agents/${agentId}` }) },
		answer: Robot,
	},
);
