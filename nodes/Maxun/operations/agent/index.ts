import { deletion, operation, type Resource } from '../operation';
import { limitFields, wanted } from '../../fields/lists';
import { agentField } from '../../fields/locators';
import { uniqueNameField } from '../../fields/robots';
import { runFilter, runFiltersField } from '../../fields/runFilters';
import { withoutTemporary } from '../../runs/expiry';
import { create } from './create';
import { runAgent } from './run';

const getAll = operation(
	{
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many agents',
		description: 'Retrieve a list of agents, newest first',
		properties: limitFields,
	},
	{
		parallel: true,
		needs: ({ agents }) => agents?.list,
		run: async (list, params) => await withoutTemporary(list, wanted(params)),
	},
);

const remove = deletion(
	'agent',
	'Delete an agent and all its runs permanently',
	[agentField],
	({ agents }) => agents?.delete,
	({ agentId }) => [agentId],
);

const get = operation(
	{
		value: 'get',
		name: 'Get',
		action: 'Get agent',
		description: 'Retrieve an agent with its status and prompt',
		properties: [agentField],
	},
	{
		parallel: true,
		needs: ({ agents }) => agents?.get,
		run: async (get, { agentId }) => await get(agentId),
	},
);

const getRuns = operation(
	{
		value: 'getRuns',
		name: 'Get Runs',
		action: 'Get agent runs',
		description: "Retrieve an agent's runs without their data, newest first",
		properties: [agentField, ...limitFields, runFiltersField],
	},
	{
		parallel: true,
		needs: ({ agents }) => agents?.listRuns,
		run: async (listRuns, { agentId, filters, ...list }, { timezone }) =>
			await listRuns(agentId, runFilter(filters, timezone), wanted(list)),
	},
);

const update = operation(
	{
		value: 'update',
		name: 'Rename',
		action: 'Rename agent',
		description: "Change an agent's name",
		properties: [agentField, uniqueNameField],
	},
	{
		needs: ({ agents }) => agents?.rename,
		run: async (rename, { agentId, name }) => ({ id: agentId, ...(await rename(agentId, name)) }),
	},
);

export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	description: 'Robots that Maxun builds from a prompt',
	operations: [runAgent, create, get, getAll, getRuns, update, remove],
};
