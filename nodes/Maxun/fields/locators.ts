import type { INodeProperties } from 'n8n-workflow';
import { MaxunFault } from '../api/fault';

/** A resource locator: a list to search in, or an id. */
function locatorField(
	displayName: string,
	name: string,
	searchListMethod: string,
	description: string,
	placeholder: string,
): INodeProperties & { modes: NonNullable<INodeProperties['modes']> } {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${displayName === 'Agent' ? 'an' : 'a'} ${displayName.toLowerCase()}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
	};
}

const ID = 'e.g. 9b2d6c1e-4f7a-4e55-8d10-2a6f3c9b7e41';

export const robotField = locatorField(
	'Robot',
	'robotId',
	'searchRobots',
	'The robot to work with',
	ID,
);

export const agentField = locatorField(
	'Agent',
	'agentId',
	'searchAgents',
	'The agent to work with',
	ID,
);

/** The robot's id, where it may be left empty on one kind of server only. @throws MaxunFault when it is */
export function given(robotId: string | undefined): string {
	if (robotId) return robotId;
	throw new MaxunFault(
		'Robot is required',
		'A self-hosted server finds runs by their robot: choose it first',
	);
}

/** Where a run is addressed: `{base URL}/runs/<id>`. */
export const RUN_URL = /\/runs\/([^/?#\s]+)/;

const runLocator = locatorField('Run', 'runId', 'searchRuns', 'The run to work with', ID);

export const runField: INodeProperties = {
	...runLocator,
	typeOptions: { loadOptionsDependsOn: ['robotId.value'] },
	modes: [
		...runLocator.modes,
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.maxun.dev/api/v1/runs/9b2d6c1e-4f7a-4e55-8d10-2a6f3c9b7e41',
			extractValue: { type: 'regex', regex: RUN_URL.source },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `.*${RUN_URL.source}.*`,
						errorMessage: 'The address must hold /runs/ and the ID of a run',
					},
				},
			],
		},
	],
};

export const webhookField: INodeProperties = {
	...locatorField(
		'Webhook',
		'webhookId',
		'searchWebhooks',
		'The webhook of the robot to work with',
		ID,
	),
	typeOptions: { loadOptionsDependsOn: ['robotId.value'] },
};
