import type { Resource } from '../operation';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { upsert } from './upsert';

/** The first operation is the resource's default. */
export const schedule: Resource = {
	name: 'Schedule',
	value: 'schedule',
	operations: [upsert, remove, get, getAll],
};
