import { type Field, flagField, numberField, type Values } from './field';

export const limitFields = [
	flagField(
		'Return All',
		'returnAll',
		'Whether to return all results or only up to a given limit',
		{ default: false },
	),
	numberField('Limit', 'limit', 'Max number of results to return', {
		typeOptions: { minValue: 1 },
		default: 50,
		ifAbsent: 50,
		displayOptions: { show: { returnAll: [false] } },
	}),
] as const satisfies Field[];

/** The parameters on which a list in the editor depends. */
const GENERAL = ['server', 'generalOptions.teamId.value', 'options.teamId.value'];
export const ROBOTS = ['robotId.value', 'agentId.value', 'runId.value', 'robotIds'];

/** A list that the editor loads, again whenever a robot or another of these parameters changes. */
export const loadedFrom = (loadOptionsMethod: string, more: string[] = ROBOTS) => ({
	loadOptionsMethod,
	loadOptionsDependsOn: [...GENERAL, ...more],
});

export const wanted = ({ returnAll, limit }: Values<(typeof limitFields)[number]>) =>
	returnAll ? Infinity : limit;
