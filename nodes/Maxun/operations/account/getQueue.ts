import { z } from 'zod';
import { Anything } from '../../api/entities';
import { operation } from '../../core/operation';

export const getQueue = operation(
	{
		resource: 'account',
		value: 'getQueue',
		name: 'Get Queue',
		action: 'Get queue',
		description: 'Retrieve how many runs are running and queued',
		properties: [],
	},
	z.object({}),
	{
		sideBySide: true,
		request: { cloud: () => ({ method: 'GET', path: '/queue' }) },
		answer: Anything,
	},
);
