import { ExecuteContext, RoutingNode } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	IExecuteData,
	INode,
	INodeCredentialTestResult,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { credentialReferences, TestCredentials } from './credentials.mts';
import { newExecutionData } from './execution-data.mts';
import { nodeType, pass } from './node-type.mts';
import { loadPackage } from './package.mts';
import { additionalData } from './workflow.mts';

/** n8n tests a credential with an artificial node, whose only property sends the request. */
const nodeFor = (type: string, { request }: ICredentialTestRequest): INodeType =>
	nodeType(pass, {
		credentials: [{ name: type, required: true }],
		properties: [
			{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing: { request } },
		],
	});

async function send(type: string, data: ICredentialDataDecryptedObject, tested: INodeType) {
	const loaded = await loadPackage();
	const nodeTypes: INodeTypes = {
		getKnownTypes: () => ({}),
		getByName: () => tested,
		getByNameAndVersion: () => tested,
	};
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'temp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: credentialReferences({ [type]: data }),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const executeData: IExecuteData = { node, data: {}, source: null };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData(loaded, { [type]: data }, { mode: 'internal' }),
		'internal',
		newExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		executeData,
		[],
	);
	const decrypted = { id: type, name: type, type, data };
	return await new RoutingNode(context, tested, decrypted).runNode();
}

/** The text that n8n's dialog shows for an error. */
function wordsFor(thrown: unknown, { rules = [] }: ICredentialTestRequest): string {
	if (!(thrown instanceof Error)) return String(thrown);
	const { cause } = thrown;
	if (cause instanceof Error && 'response' in cause && isAnswer(cause.response)) {
		const { status, statusText } = cause.response;
		for (const { type, properties } of rules) {
			if (type === 'responseCode' && properties.value === status) return properties.message;
		}
		return statusText === '' ? `Received HTTP status code: ${status}` : statusText;
	}
	if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
		return cause.code;
	return thrown.message;
}

function isAnswer(value: unknown): value is { status: number; statusText: string } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'status' in value &&
		typeof value.status === 'number' &&
		'statusText' in value &&
		typeof value.statusText === 'string'
	);
}

/**
 * Tests a credential with its `test.request`, like the Save button in n8n's credential dialog. Steps and texts are
 * those of `CredentialsTester` in n8n's server package.
 */
export async function credentialTest(
	type: string,
	values: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const loaded = await loadPackage();
	const { test } = loaded.credentialType(type);
	if (test === undefined) throw new Error(`'${type}' has no test request`);
	const data = new TestCredentials(loaded, {}).withDefaults(type, values);
	try {
		const output = await send(type, data, nodeFor(type, test));
		const body = output?.[0]?.[0]?.json;
		for (const rule of test.rules ?? []) {
			if (rule.type !== 'responseSuccessBody') continue;
			const { key, value, message } = rule.properties;
			if (body?.[key] === value) return { status: 'Error', message };
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (thrown) {
		return { status: 'Error', message: wordsFor(thrown, test) };
	}
}
