import type { Resource } from '../operation';
import { get } from './get';
import { getQueue } from './getQueue';
import { getRateLimits } from './getRateLimits';
import { getUsage } from './getUsage';

/** The first operation is the resource's default. */
export const account: Resource = {
	name: 'Account',
	value: 'account',
	operations: [get, getQueue, getRateLimits, getUsage],
};
