import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { poll } from './events/polling';
import { pollingProperties } from './events/settings';
import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/loadOptions';

export class MaxunPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Maxun Polling Trigger',
		name: 'maxunPollingTrigger',
		icon: { light: 'file:../../icons/maxun.svg', dark: 'file:../../icons/maxun.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description:
			'Asks Maxun at intervals for runs that have ended, for an n8n without a public address',
		defaults: { name: 'Maxun Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'maxunApi', required: true, displayOptions: { hide: { server: ['selfHosted'] } } },
			{
				name: 'maxunSelfHostedApi',
				required: true,
				displayOptions: { hide: { server: ['cloud'] } },
			},
		],
		properties: pollingProperties,
	};

	methods = { loadOptions, listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
