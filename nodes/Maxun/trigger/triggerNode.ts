import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { ConnectionOptions } from '../http/connectionOptions';
import { connectServer, serverKindOf } from '../servers';
import type { RobotFault } from '../servers/eachRobot';
import type { MaxunServer } from '../servers/types';

/** A trigger node, as n8n's context shows it. Only the entry files and this one use the context. */
export type TriggerNode = ReturnType<typeof readTriggerNode>;

/** Limits of requests for a delivery. Its sender waits for the response, and repeats it if necessary. */
export const WHILE_DELIVERING = { maxRetries: 1, maxWait: 3_000, timeout: 7_000 };

type TriggerContext = IExecuteFunctions | IHookFunctions | IPollFunctions | IWebhookFunctions;

/**
 * Reads a trigger node from n8n's context.
 *
 * @param isTest whether this is a test in the editor. The mode doesn't always show this: n8n removes test webhooks in
 * production mode
 */
export function readTriggerNode(context: TriggerContext, isTest = !context.getWorkflow().active) {
	const node = context.getNode();
	// n8n would look for a node's own data under its name.
	const ownKey = `maxun:${node.id}`;
	/** Throws n8n's own error if an expression fails. */
	const parameter = (name: string, fallback?: string): unknown =>
		'getInputSourceData' in context
			? context.getNodeParameter(name, 0, fallback)
			: context.getNodeParameter(name, fallback);
	return {
		node,
		/** Identifies the trigger within this process. A test in the editor counts as another trigger. */
		key: `${isTest} ${context.getWorkflow().id} ${node.id}`,
		isTest,
		parameter,
		/** The node's static data. n8n looks for it under the name of the node. */
		nodeData: (): IDataObject => context.getWorkflowStaticData('node'),
		/** A copy of what the trigger has saved. */
		saved: (): unknown => copyOf(context.getWorkflowStaticData('global')[ownKey]),
		/** Saves data. Only hooks and polls do this: n8n saves what other calls change late and as a whole. */
		save(values: IDataObject): void {
			const data = context.getWorkflowStaticData('global');
			if (JSON.stringify(data[ownKey]) !== JSON.stringify(values)) data[ownKey] = values;
		},
		connect: async (options: ConnectionOptions): Promise<MaxunServer> =>
			await connectServer(context, serverKindOf(parameter('server', 'cloud')), options),
		/** Stores data as an n8n file. Hooks can't. */
		async toBinary(data: Buffer, name: string): Promise<IBinaryData> {
			if (!('prepareBinaryData' in context.helpers)) throw new Error('No files in a hook');
			return await context.helpers.prepareBinaryData(data, name);
		},
		/** Sends a body as a server sends an event. */
		post: async (url: string, body: object): Promise<unknown> =>
			await context.helpers.httpRequest({ method: 'POST', url, body }),
		/** Writes to n8n's log. */
		warn: (message: string): void => context.logger.warn(`${node.name}: ${message}`),
	};
}

/** Whether n8n activates the trigger because it starts or changes its leader, and not because somebody publishes. */
export const startsWithN8n = (context: IHookFunctions | IPollFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/** n8n adds a hidden field to static data, which a copy lacks. */
const copyOf = (value: unknown): unknown =>
	value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** The unreadable robots that this process has last reported, by trigger, so that they aren't logged with each list. */
const reported = new Map<string, string>();

/** Logs robots whose runs can't be listed, once. */
export function warnOfUnreadable({ key, warn }: TriggerNode, unreadable: RobotFault[]): void {
	const robots = unreadable
		.map(({ robotId }) => robotId)
		.sort()
		.join();
	if (robots !== '' && robots !== reported.get(key)) {
		const messages = unreadable.map(({ fault }) => fault.message);
		warn(`${messages.join('. ')}. The trigger continues with its other robots`);
	}
	reported.set(key, robots);
}
