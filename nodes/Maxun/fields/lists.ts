import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { count, flag } from './parameters';

/** Return All and Limit, for every operation that returns a list. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

const parameters = z.object({ returnAll: flag(), limit: count(1).optional() });

export const listParameters = parameters.shape;

/** Maximum number of entries to return, or Infinity for all. */
export const wanted = ({ returnAll, limit = 50 }: z.output<typeof parameters>) =>
	returnAll ? Infinity : limit;
