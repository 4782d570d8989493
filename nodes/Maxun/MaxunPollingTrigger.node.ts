import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { credentials } from './fields/server';
import { poll } from './trigger/polling';
import { pollingProperties } from './trigger/settings';
import { listSearch } from './lookups/listSearch';
import { loadOptions } from './lookups/loadOptions';

export class MaxunPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Maxun Polling Trigger',
		name: 'maxunPollingTrigger',
		icon: { light: 'file:../../icons/maxun.svg', dark: 'file:../../icons/maxun.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ").replaceAll("_", " ").toTitleCase()}}',
		description: 'Polls Maxun for runs that have ended. Does not need a public n8n URL.',
		builderHint: {
			searchHint:
				"Use this to start a workflow when a robot's run ends, without a public n8n URL. If n8n has a public URL, the Maxun Trigger is faster.",
		},
		defaults: { name: 'Maxun Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: pollingProperties,
	};

	methods = { loadOptions, listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
