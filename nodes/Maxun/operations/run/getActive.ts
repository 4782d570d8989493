import { z } from 'zod';
import { getActiveRuns, Runs } from '../../api/runs';
import { operation } from '../../core/operation';

export const getActive = operation(
	{
		resource: 'run',
		value: 'getActive',
		name: 'Get Active',
		action: 'Get active runs',
		description: 'Retrieve the runs that are queued or running now',
		properties: [],
	},
	z.object({}),
	{ sideBySide: true, request: { cloud: () => getActiveRuns }, answer: Runs },
);
