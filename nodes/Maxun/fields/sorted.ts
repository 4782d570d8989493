import type { INodeProperties } from 'n8n-workflow';

/** Optional fields in alphabetical order, as n8n requires. */
export const sorted = (fields: INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));
