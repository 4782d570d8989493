import type { Resource } from '../operation';
import { get } from './get';
import { getDiff } from './getDiff';
import { update } from './update';

/** The first operation is the resource's default. */
export const monitoring: Resource = {
	name: 'Monitoring',
	value: 'monitoring',
	operations: [get, getDiff, update],
};
