import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { subscribe, subscriptionExists, unsubscribe } from './events/hooks';
import { triggerProperties } from './events/settings';
import { handleDelivery } from './events/webhook';
import { loadOptions } from './methods/loadOptions';
import { listSearch } from './methods/listSearch';

export class MaxunTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Maxun Trigger',
		name: 'maxunTrigger',
		icon: { light: 'file:../../icons/maxun.svg', dark: 'file:../../icons/maxun.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts the workflow when a run of a robot completes or fails',
		defaults: { name: 'Maxun Trigger' },
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
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Without this n8n has an answer of its own and never asks for the node's, see `Started`.
				responseData: '',
				path: 'webhook',
				// Without its secret the address is of use only where a person registers it.
				ndvHideUrl:
					'={{ $parameter.server !== "selfHosted" || $parameter.registration !== "manual" }}',
			},
		],
		properties: triggerProperties,
	};

	methods = { loadOptions, listSearch };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await subscriptionExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await subscribe(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unsubscribe(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleDelivery(this);
	}
}
