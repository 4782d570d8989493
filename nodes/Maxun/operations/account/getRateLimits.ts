import { z } from 'zod';
import { Anything, listOf } from '../../api/entities';
import { operation } from '../../core/operation';

export const getRateLimits = operation(
	{
		resource: 'account',
		value: 'getRateLimits',
		name: 'Get Rate Limits',
		action: 'Get rate limits',
		description:
			'Retrieve how many requests each kind of work may send a minute, and what is left of it',
		properties: [],
	},
	z.object({}),
	{
		sideBySide: true,
		request: { cloud: () => ({ method: 'GET', path: '/usage/rate-limits' }) },
		answer: listOf(Anything),
	},
);
