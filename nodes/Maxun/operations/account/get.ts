import { z } from 'zod';
import { Me } from '../../api/entities';
import { operation } from '../../core/operation';

export const get = operation(
	{
		resource: 'account',
		value: 'get',
		name: 'Get',
		action: 'Get account',
		description: 'Retrieve the owner of the API key with plan, credits and teams',
		properties: [],
	},
	z.object({}),
	{
		sideBySide: true,
		request: { cloud: () => ({ method: 'GET', path: '/me' }) },
		answer: Me,
	},
);
