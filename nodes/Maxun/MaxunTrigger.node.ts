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
import { subscribe, unsubscribe } from './trigger/activation';
import { triggerProperties } from './trigger/settings';
import { handleDelivery } from './trigger/delivery';
import { emitOnce } from './trigger/emission';
import { poll } from './trigger/polling';
import { loadOptions } from './lookups/loadOptions';
import { credentialTest } from './lookups/credentialTests';
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
			'={{ $parameter["events"].join(", ").replace("run_changed", "run_found changes").replaceAll("run_", "run ").toTitleCase() }}',
		description: "Starts the workflow when a robot's run ends or finds changes",
		builderHint: {
			searchHint:
				"Use this to start a workflow when a robot's run ends or finds changes. To watch a web page without a robot, use Web: Get Changes of the Maxun node.",
		},
		defaults: { name: 'Maxun Trigger' },
		eventTriggerDescription: 'Waiting for a run to end in Maxun',
		activationMessage:
			"The workflow now starts when a robot's run ends. If Maxun can't reach n8n, it starts at the next poll.",
		triggerPanel: {
			header: 'Try the trigger',
			executionsHelp: {
				inactive:
					'<b>Fetch Test Event</b> shows what the workflow will get from the latest run.<br /><br /><b>Publish</b> the workflow to start it with each new run.',
				active:
					'<b>Fetch Test Event</b> shows what the workflow gets from the latest run.<br /><br />The workflow starts with each new run. See the <a data-key="executions">executions list</a>.',
			},
			activationHint: 'Publish the workflow to start it with each new run',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		// n8n's linter only reads literals here.
		credentials: [
			{
				name: 'maxunCloudApi',
				required: true,
				testedBy: 'cloud',
				displayOptions: { show: { server: ['cloud'] } },
			},
			{
				name: 'maxunSelfHostedApi',
				required: true,
				testedBy: 'selfHosted',
				displayOptions: { show: { server: ['selfHosted'] } },
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

	methods = { loadOptions, listSearch, credentialTest };

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
