import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { optionOnlyOn } from '../fields/server';
import { sorted } from '../fields/sorted';
import { count, optionalLocator } from './parameters';
import { DEFAULT_PATIENCE } from './retry';

/** How many seconds an execution keeps asking for the end of its runs before it is set to waiting. */
export const PARK_AFTER = 20;

/** Options that every operation has: how its requests are sent. */
const RequestOptions = z.object({
	concurrency: count(1, 50).default(10),
	maxRetries: count(0, 10).default(DEFAULT_PATIENCE.maxRetries),
	maxTextLength: count(1).default(2000),
	parkAfter: count(0).default(PARK_AFTER),
	teamId: optionalLocator(),
});
export type RequestOptions = z.output<typeof RequestOptions>;

/** The request options among an operation's parameters. */
export const Options = z.object({ options: RequestOptions.default({}) });

/** Chooses the team that a node acts for. */
export const teamField: INodeProperties = {
	displayName: 'Team',
	name: 'teamId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Work with the robots of this team instead of the one in the credential',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTeams', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f6c2b1e-8d47-4a52-9c0e-5b7a1d2e4f60',
		},
	],
};

const requestOptions: INodeProperties[] = [
	{
		displayName: 'Max Concurrent Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 10,
		description: 'How many requests this node may have under way at the same time',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10 },
		default: 3,
		description:
			'How often to repeat a request after a network fault or when Maxun is overloaded. Requests that start or create something are never repeated when Maxun may have received them. The rate limit is waited for in any case, for up to five minutes.',
	},
	{
		displayName: 'Max Text Length for AI',
		name: 'maxTextLength',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 2000,
		description:
			'How many characters of each text an AI agent gets that uses this node as a tool; workflows always get all',
	},
	optionOnlyOn('cloud', teamField),
];

/** For operations that wait: when to stop asking and be woken instead. */
export const parkAfterField = optionOnlyOn('cloud', {
	displayName: 'Pause Execution After (Seconds)',
	name: 'parkAfter',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: PARK_AFTER,
	description:
		'How long to keep asking for the end before the execution is set to waiting, where it uses no capacity of n8n until Maxun reports the end. Needs an n8n that Maxun can reach, else the node goes on asking. 0 to always go on asking.',
});

/** The fields of an operation with the request options in its `options` collection, which is added if it has none. */
export function withRequestOptions(
	properties: INodeProperties[],
	more: INodeProperties[] = [],
): INodeProperties[] {
	const own = properties.find(({ name }) => name === 'options');
	const ownOptions = (own?.options ?? []).filter(isProperty);
	const options: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sorted([...ownOptions, ...more, ...requestOptions]),
	};
	return [...properties.filter((property) => property !== own), options];
}

const isProperty = (
	option: NonNullable<INodeProperties['options']>[number],
): option is INodeProperties => 'type' in option;
