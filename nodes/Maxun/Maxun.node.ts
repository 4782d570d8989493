import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	EngineResponse,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
	NodeOutput,
} from 'n8n-workflow';
import { execute } from './engine/execute';
import { propertiesOf } from './engine/properties';
import { serverField } from './fields/server';
import { listSearch } from './lookups/listSearch';
import { loadOptions } from './lookups/loadOptions';
import { resourceMapping } from './lookups/resourceMapping';
import { RESUME_PATH } from './n8n/internals';
import { resources } from './operations';
import { handleResumeCall } from './runs/pause/resume';

export class Maxun implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Maxun',
		name: 'maxun',
		icon: { light: 'file:../../icons/maxun.svg', dark: 'file:../../icons/maxun.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Run web data-extraction robots and get their data',
		defaults: { name: 'Maxun' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'maxunCloudApi', required: true, displayOptions: { show: { server: ['cloud'] } } },
			{
				name: 'maxunSelfHostedApi',
				required: true,
				displayOptions: { show: { server: ['selfHosted'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: RESUME_PATH,
				isFullPath: true,
				restartWebhook: true, // resumes paused executions instead of starting the workflow
			},
		],
		properties: propertiesOf(resources, serverField, 'run'),
	};

	methods = { listSearch, loadOptions, resourceMapping };

	// Paused executions register their own webhooks, so these hooks do nothing.
	webhookMethods = {
		default: {
			async checkExists(): Promise<boolean> {
				return true;
			},
			async create(): Promise<boolean> {
				return true;
			},
			async delete(): Promise<boolean> {
				return true;
			},
		},
	};

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
		return await execute(this, resources, response, this.continueOnFail());
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleResumeCall(this);
	}
}
