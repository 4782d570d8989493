/** n8n's words for a field whose options the editor loads. */
export const fromList = (ids: 'an ID' | 'IDs') =>
	`Choose from the list, or specify ${ids} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;

/** The parameters on which a list in the editor depends. */
const GENERAL = ['server', 'generalOptions.teamId.value', 'options.teamId.value'];
export const ROBOTS = ['robotId.value', 'agentId.value', 'runId.value', 'robotIds'];

/** A list that the editor loads again when one of these parameters changes. */
export const loadedFrom = (loadOptionsMethod: string, more: string[] = ROBOTS) => ({
	loadOptionsMethod,
	loadOptionsDependsOn: [...GENERAL, ...more],
});
