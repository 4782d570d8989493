import { z } from 'zod';
import { Anything } from '../../api/entities';
import { operation } from '../../core/operation';

export const getUsage = operation(
	{
		resource: 'account',
		value: 'getUsage',
		name: 'Get Usage',
		action: 'Get usage',
		description: 'Retrieve the credits left and how many robots and runs there are',
		properties: [],
	},
	z.object({}),
	{
		sideBySide: true,
		request: { cloud: () => ({ method: 'GET', path: '/usage' }) },
		answer: Anything,
	},
);
