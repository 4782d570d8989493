import type { Field } from './field';
import type { INodePropertyMode } from 'n8n-workflow';

const AN_ID = '9b2d6c1e-4f7a-4e55-8d10-2a6f3c9b7e41';

const locatorField = <const D extends string, const N extends string>(
	displayName: D,
	name: N,
	searchListMethod: string,
) =>
	({
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${displayName === 'Agent' ? 'an' : 'a'} ${displayName.toLowerCase()}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${AN_ID}` },
		],
	}) as const satisfies Field;

const withName = <const F extends Field & { modes: INodePropertyMode[] }>(field: F) =>
	({
		...field,
		builderHint: {
			propertyHint:
				"Use mode 'name' if the user mentions a robot by its name. Use mode 'list' with an empty value if the user has not mentioned a robot.",
			placeholderSupported: false,
		},
		modes: [
			...field.modes,
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Product Prices',
				hint: 'The exact name, including upper and lower case',
			},
		],
	}) as const satisfies Field;

export const robotField = withName(locatorField('Robot', 'robotId', 'searchRobots'));

export const agentField = withName(locatorField('Agent', 'agentId', 'searchAgents'));

/** Captures a run's ID: `{base URL}/runs/<id>` in the API, `/runs/<robot>/run/<id>` in the dashboard. */
export const RUN_URL = /(?:\/runs\/[^/?#\s]+\/run|\/runs)\/([^/?#\s]+)/;

const runLocator = locatorField('Run', 'runId', 'searchRuns');

export const runField = {
	...runLocator,
	typeOptions: { loadOptionsDependsOn: ['robotId.value'] },
	modes: [
		...runLocator.modes,
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: `e.g. https://app.maxun.dev/api/v1/runs/${AN_ID}`,
			extractValue: { type: 'regex', regex: RUN_URL.source },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `.*${RUN_URL.source}.*`,
						errorMessage:
							"Enter the URL of a run in Maxun. It contains /run/ or /runs/ followed by the run's ID",
					},
				},
			],
		},
	],
} as const satisfies Field;

export const webhookField = {
	...locatorField('Webhook', 'webhookId', 'searchWebhooks'),
	typeOptions: { loadOptionsDependsOn: ['robotId.value'] },
} as const satisfies Field;

export const teamField = {
	...locatorField('Team', 'teamId', 'searchTeams'),
	required: false,
	description: 'The team to use instead of the team in the credential',
};
