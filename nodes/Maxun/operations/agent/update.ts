import { z } from 'zod';
import { Reply } from '../../api/entities';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator, text } from '../../core/parameters';
import { agentField } from '../../fields/locators';
import { nameField } from '../../fields/robots';

export const update = operation(
	{
		resource: 'agent',
		value: 'update',
		name: 'Rename',
		action: 'Rename agent',
		description: 'Give an agent another name',
		properties: [
			agentField,
			{
				...nameField,
				required: true,
				description: 'What the agent is called, which must not be taken',
			},
		],
	},
	z.object({ agentId: locator(), name: text() }),
	{
		request: {
			cloud: ({ agentId, name }) => ({
				method: 'PATCH',
				path: path`/agents/${agentId}`,
				body: { name },
			}),
		},
		answer: Reply,
		items: (reply, { agentId }) => [{ id: agentId, ...reply }],
	},
);
