import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getRuns } from './getRuns';
import { run } from './run';
import { update } from './update';

/** The first operation is the resource's default. */
export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [getAll, create, remove, get, getRuns, run, update],
};
