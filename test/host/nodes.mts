import { randomUUID } from 'node:crypto';

/** A node of a workflow, as n8n stores it. @param more e.g. credentials, or the ID of its webhook */
export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more = {},
) => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	...more,
});
