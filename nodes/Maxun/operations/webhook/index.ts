import type { Resource } from '../operation';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { sendTest } from './sendTest';
import { update } from './update';

/** The first operation is the resource's default. */
export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	operations: [getAll, create, remove, sendTest, update],
};
