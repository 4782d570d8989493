import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { execute } from './core/engine';
import { propertiesOf } from './core/properties';
import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/loadOptions';
import { operations, resources } from './operations';

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
		credentials: [{ name: 'maxunApi', required: true }],
		properties: propertiesOf(operations, resources, 'run'),
	};

	methods = { listSearch, loadOptions };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, operations);
	}
}
