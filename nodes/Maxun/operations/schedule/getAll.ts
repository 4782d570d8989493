import { z } from 'zod';
import { Anything, listOf } from '../../api/entities';
import { operation } from '../../core/operation';
import { listFields, listParameters, wanted } from '../../fields/lists';

export const getAll = operation(
	{
		resource: 'schedule',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many schedules',
		description: 'Retrieve the robots that run by schedule, soonest first',
		properties: listFields,
	},
	z.object(listParameters),
	{
		sideBySide: true,
		request: { cloud: () => ({ method: 'GET', path: '/schedules' }) },
		answer: listOf(Anything),
		items: (robots, list) => robots.slice(0, wanted(list)),
	},
);
