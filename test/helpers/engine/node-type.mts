import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

export type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

export const pass: Execute = async function () {
	return [this.getInputData()];
};

/** A node type for the nodes around those under test. */
export const nodeType = (
	execute: Execute,
	more: Partial<INodeTypeDescription> = {},
): INodeType => ({
	description: {
		displayName: 'Simulated',
		name: 'simulated',
		description: '',
		defaults: {},
		group: ['transform'],
		version: 1,
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		...more,
	},
	execute,
});

export const TRIGGER: Partial<INodeTypeDescription> = { group: ['trigger'], inputs: [] };
