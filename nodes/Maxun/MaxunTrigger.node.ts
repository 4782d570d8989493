import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	IPollFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { testLogin } from './execution/login';
import { subscribe, unsubscribe } from './trigger/activation';
import { triggerProperties } from './trigger/settings';
import { handleDelivery } from './trigger/delivery';
import { emitOnce } from './trigger/emission';
import { poll } from './trigger/polling';
import { loadOptions } from './lookups/loadOptions';
import { listSearch } from './lookups/listSearch';

export class MaxunTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Maxun Trigger',
		name: 'maxunTrigger',
		icon: { light: 'file:../../icons/maxun.svg', dark: 'file:../../icons/maxun.dark.svg' },
		group: ['trigger'],
		// For version 1, n8n evaluates an expression with each webhook request, which takes 20 ms.
		version: 2,
		subtitle:
			'={{ [$parameter["events"].join(", ").replace("aborted", "canceled").replace("changed", "found changes").replaceAll("_", " ").toTitleCase(), $parameter["watch"] === "page" ? $parameter["url"].split("/")[2] : ""].filter(Boolean).join(": ") }}',
		description: "Starts the workflow when a page changes or when a robot's run ends",
		builderHint: {
			searchHint:
				"Use this to start a workflow when a web page changes, or when a robot's run ends.",
		},
		defaults: { name: 'Maxun Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		// n8n's linter only reads literals here.
		credentials: [
			{ name: 'maxunCloudApi', required: true, displayOptions: { show: { server: ['cloud'] } } },
			{
				name: 'maxunSelfHostedApi',
				required: true,
				displayOptions: { show: { server: ['selfHosted'] } },
			},
			{
				name: 'maxunWebsiteLoginApi',
				displayName: 'Website Login (Optional)',
				required: false,
				testedBy: 'testLogin',
				displayOptions: { show: { '/watch': ['page'], '/what': ['rows'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Without this, n8n sends its own response instead of the node's.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
	};

	methods = { loadOptions, listSearch, credentialTest: { testLogin } };

	webhookMethods = {
		default: {
			/** `create` looks for the webhooks anyway. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(false);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await subscribe(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unsubscribe(this);
			},
		},
	};

	/** Finds the runs that events haven't reported. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}

	/** Proposes the run that an event reports. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleDelivery(this);
	}

	/** Begins the execution, and lets each run through once. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await emitOnce(this);
	}
}
