import { z } from 'zod';
import { Run } from '../../api/entities';
import { listRuns, Runs } from '../../api/runs';
import { getRunsOf } from '../../api/selfHosted/requests';
import { operation } from '../../core/operation';
import { optionalLocator } from '../../core/parameters';
import { withoutData } from '../../runs/output';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { onlyOn } from '../../fields/server';
import { given, robotField } from '../../fields/locators';
import {
	filterQuery,
	filterRuns,
	runFiltersField,
	runFiltersParameter,
} from '../../fields/runFilters';

export const getAll = operation(
	{
		resource: 'run',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many runs',
		description: 'Retrieve a list of runs without their data, newest first',
		properties: [
			onlyOn('cloud', {
				...robotField,
				required: false,
				description: 'The robot whose runs to return, leave empty for the runs of all robots',
			}),
			onlyOn('selfHosted', { ...robotField, description: 'The robot whose runs to return' }),
			...listFields,
			runFiltersField,
		],
	},
	z.object({ robotId: optionalLocator(), ...listParameters, filters: runFiltersParameter }),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { robotId, filters, ...list }) => {
				const request = listRuns(robotId, filterQuery(filters, api.timezone));
				const runs = await api.getMany(request, Run, wanted(list));
				return runs.map((json) => ({ json }));
			},
			selfHosted: async (api, { robotId, filters, ...list }) => {
				const runs = await api.call(getRunsOf(given(robotId)), Runs);
				const chosen = filterRuns(runs, filters, api).slice(0, wanted(list));
				return chosen.map((run) => ({ json: withoutData(run) }));
			},
		},
	},
);
