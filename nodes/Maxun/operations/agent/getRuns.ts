import { z } from 'zod';
import { Run } from '../../api/entities';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { agentField } from '../../fields/locators';
import { filterQuery, runFiltersField, runFiltersParameter } from '../../fields/runFilters';

export const getRuns = operation(
	{
		resource: 'agent',
		value: 'getRuns',
		name: 'Get Runs',
		action: 'Get runs of an agent',
		description: 'Retrieve the runs of an agent without their data, newest first',
		properties: [agentField, ...listFields, runFiltersField],
	},
	z.object({ agentId: locator(), ...listParameters, filters: runFiltersParameter }),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { agentId, filters, ...list }) => {
				const query = filterQuery(filters, api.timezone);
				const request = { method: 'GET' as const, path: path`/agents/${agentId}/runs`, query };
				const runs = await api.getMany(request, Run, wanted(list));
				return runs.map((json) => ({ json }));
			},
		},
	},
);
