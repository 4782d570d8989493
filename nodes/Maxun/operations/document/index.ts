import type { Resource } from '../operation';
import { convertToText } from './convertToText';
import { extractData } from './extractData';

/** The first operation is the resource's default. */
export const document: Resource = {
	name: 'Document',
	value: 'document',
	operations: [extractData, convertToText],
};
