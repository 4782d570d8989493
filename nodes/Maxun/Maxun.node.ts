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
import { execute } from './core/engine';
import { propertiesOf } from './core/properties';
import { serverField } from './fields/server';
import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/loadOptions';
import { operations, resources } from './operations';
import { handleCallback } from './runs/resume';

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
				path: '',
				isFullPath: true,
				restartWebhook: true, // of waiting executions, not of the workflow
			},
		],
		properties: propertiesOf(operations, serverField, resources, 'run'),
	};

	methods = { listSearch, loadOptions };

	// n8n has nothing to register for the webhook of a waiting execution: the execution does so itself.
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
		return await execute(this, operations, response);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleCallback(this);
	}
}
