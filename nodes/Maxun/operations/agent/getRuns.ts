import { z } from 'zod';
import { operation } from '../operation';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { agentField } from '../../fields/locators';
import { locator } from '../../fields/parameters';
import { runFilter, runFiltersField, runFiltersParameter } from '../../fields/runFilters';

export const getRuns = operation(
	{
		resource: 'agent',
		value: 'getRuns',
		name: 'Get Runs',
		action: 'Get agent runs',
		description: "Retrieve an agent's runs without their data, newest first",
		properties: [agentField, ...listFields, runFiltersField],
	},
	z.object({ agentId: locator(), ...listParameters, filters: runFiltersParameter }),
	{
		parallel: true,
		needs: ({ agents }) => agents?.listRuns,
		run: async (listRuns, { agentId, filters, ...list }, { timezone }) =>
			await listRuns(agentId, runFilter(filters, timezone), wanted(list)),
	},
);
