import type { INodeProperties } from 'n8n-workflow';

/** Optional fields in the order in which n8n shows them: by their names. */
export const sorted = (fields: INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));
