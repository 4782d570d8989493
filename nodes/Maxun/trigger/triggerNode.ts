import type {
	IDataObject,
	IHookFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { ConnectionOptions } from '../http/connection';
import { connectServer, serverKindOf } from '../servers';
import type { MaxunServer } from '../servers/types';

/** A trigger node, as n8n's context shows it. Only the entry files and this one use the context. */
export interface TriggerNode {
	readonly node: INode;
	/** Identifies the trigger within this process. Renaming the node doesn't change it. */
	readonly id: string;
	/** Like `id`, but different during a test in the editor, which has its own URL and static data. */
	readonly key: string;
	readonly isTest: boolean;
	/** Throws n8n's own error if an expression fails. */
	parameter(name: string, fallback?: string): unknown;
	/** The node's static data, which n8n saves with the workflow. */
	staticData(): IDataObject;
	/** The static data of the workflow, which all its nodes share. */
	workflowData(): IDataObject;
	connect(options: ConnectionOptions): Promise<MaxunServer>;
	/** Writes to n8n's log. */
	warn(message: string): void;
	logError(message: string): void;
}

/**
 * Reads a trigger node from n8n's context.
 *
 * @param isTest whether this is a test in the editor. The mode doesn't always show this: n8n removes test webhooks in
 * production mode
 */
export function readTriggerNode(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	isTest = !context.getWorkflow().active,
): TriggerNode {
	const node = context.getNode();
	const id = `${context.getWorkflow().id} ${node.id}`;
	const parameter = (name: string, fallback?: string): unknown =>
		context.getNodeParameter(name, fallback);
	return {
		node,
		id,
		key: `${isTest} ${id}`,
		isTest,
		parameter,
		staticData: () => context.getWorkflowStaticData('node'),
		workflowData: () => context.getWorkflowStaticData('global'),
		connect: async (options) =>
			await connectServer(context, serverKindOf(parameter('server', 'cloud')), options),
		warn: (message) => context.logger.warn(`${node.name}: ${message}`),
		logError: (message) => context.logger.error(`${node.name}: ${message}`),
	};
}
