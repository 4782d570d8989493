import { z } from 'zod';
import { operation } from '../operation';
import { agentField } from '../../fields/locators';
import { locator, text } from '../../fields/parameters';
import { nameField } from '../../fields/robots';

export const update = operation(
	{
		resource: 'agent',
		value: 'update',
		name: 'Rename',
		action: 'Rename agent',
		description: "Change an agent's name",
		properties: [
			agentField,
			{ ...nameField, required: true, description: 'A name that no other robot has' },
		],
	},
	z.object({ agentId: locator(), name: text() }),
	{
		needs: ({ agents }) => agents?.rename,
		run: async (rename, { agentId, name }) => ({ id: agentId, ...(await rename(agentId, name)) }),
	},
);
