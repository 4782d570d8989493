import type { Resource } from '../operation';
import { cancel } from './cancel';
import { compare } from './compare';
import { remove } from './delete';
import { get } from './get';
import { getActive } from './getActive';
import { getAll } from './getAll';
import { runAndWait } from './runAndWait';
import { runOnUrls } from './runOnUrls';
import { start } from './start';

/** The first operation is the resource's default. */
export const run: Resource = {
	name: 'Run',
	value: 'run',
	operations: [runAndWait, cancel, compare, remove, get, getActive, getAll, runOnUrls, start],
};
