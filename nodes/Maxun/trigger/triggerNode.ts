import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { z } from 'zod';
import type { ConnectionOptions } from '../http/connectionOptions';
import { isPollCursor } from '../n8n/internals';
import { connectServer, INITIAL_KIND, serverKindOf } from '../servers';
import type { Login } from '../servers/definition';
import { readLogin } from '../servers/login';
import type { MaxunServer } from '../servers/types';

/** A trigger node, as n8n's context shows it. Only the entry files and this file use the context. */
export type TriggerNode = ReturnType<typeof readTriggerNode>;

type TriggerContext = IExecuteFunctions | IHookFunctions | IPollFunctions | IWebhookFunctions;

const Hooks = z.object({
	url: z.string().optional(),
	/** The robots that have or may have the trigger's webhook. */
	robots: z.array(z.string()),
	/** Whether all watched robots have the trigger's webhook. */
	isComplete: z.boolean(),
	/** Whether a sample event has reached the trigger. */
	isReached: z.boolean(),
	/** When the workflow was last unpublished, in milliseconds of n8n's clock. */
	removedAt: z.number().optional(),
	/** Robot IDs by name. n8n may not have saved the cursor yet. */
	names: z.record(z.string(), z.string()).optional(),
	/** When the page's robot last ran before its settings changed, in milliseconds of the server's clock. */
	startedAfter: z.number().optional(),
});
export type Hooks = z.output<typeof Hooks>;

export const NO_HOOKS: Hooks = { robots: [], isComplete: false, isReached: false };

/**
 * Reads a trigger node from n8n's context.
 *
 * @param isTest whether this is a test in the editor. The mode doesn't always show this: n8n removes test webhooks in
 * production mode
 */
export function readTriggerNode(context: TriggerContext, isTest = !context.getWorkflow().active) {
	const node = context.getNode();
	// n8n would look for a node's own data under its name.
	const cursorKey = `maxun:${node.id}`;
	const hooksKey = `maxun:${node.id}:webhooks`;
	const read = (key: string) => copyOf(context.getWorkflowStaticData('global')[key]);
	const write = (key: string, values: IDataObject): void => {
		const data = context.getWorkflowStaticData('global');
		const text = JSON.stringify(values);
		// n8n changes the objects in its data.
		if (JSON.stringify(data[key]) !== text) data[key] = JSON.parse(text);
	};
	/** Throws n8n's own error if an expression fails. */
	const parameter = (name: string, fallback?: string | null): unknown =>
		'getInputSourceData' in context
			? context.getNodeParameter(name, 0, fallback)
			: context.getNodeParameter(name, fallback);
	return {
		node,
		/** Identifies the trigger within this process. A test in the editor counts as another trigger. */
		key: `${isTest} ${context.getWorkflow().id} ${node.id}`,
		isTest,
		/**
		 * Whether n8n activates the trigger because n8n starts or has a new leader, not because somebody publishes the
		 * workflow.
		 */
		isStart: ['init', 'leadershipChange'].includes(context.getActivationMode?.() ?? ''),
		workflow: context.getWorkflow(),
		instanceId: context.getInstanceId(),
		timezone: context.getTimezone(),
		parameter,
		hooks: (): Hooks => Hooks.catch(NO_HOOKS).parse(read(hooksKey)),
		saveHooks: (hooks: Hooks): void => write(hooksKey, hooks),
		/** The saved cursors. A durable cursor, which only polls see, comes first. */
		cursors(): unknown[] {
			const data = context.getWorkflowStaticData('node');
			return [isPollCursor(data) ? { ...data } : undefined, read(cursorKey)];
		},
		/** Whether n8n stores the cursor after each poll, even if the poll finds nothing. */
		hasDurableCursor: (): boolean => isPollCursor(context.getWorkflowStaticData('node')),
		/**
		 * Saves the cursor, always in both places, because n8n loses a durable cursor that a publication's first poll
		 * saves.
		 */
		saveCursor(values: IDataObject): void {
			write(cursorKey, values);
			const data = context.getWorkflowStaticData('node');
			if (isPollCursor(data)) Object.assign(data, values);
		},
		/** The login for the steps of a page's robot. */
		login: async (): Promise<Login> => await readLogin(context),
		connect: async (options: ConnectionOptions): Promise<MaxunServer> =>
			await connectServer(context, serverKindOf(parameter('server', INITIAL_KIND)), options),
		/** Stores data as an n8n file. Only executions do this, because n8n never deletes other files. */
		async toBinary(data: Buffer, name: string): Promise<IBinaryData> {
			if (!('prepareBinaryData' in context.helpers)) throw new Error('No files in a hook');
			return await context.helpers.prepareBinaryData(data, name);
		},
		/** Sends a body as a server sends an event. */
		post: async (url: string, body: object): Promise<unknown> =>
			await context.helpers.httpRequest({ method: 'POST', url, body }),
		warn: (message: string): void => context.logger.warn(`${node.name}: ${message}`),
		info: (message: string): void => context.logger.info(`${node.name}: ${message}`),
	};
}

/** A copy without the hidden field that n8n adds to static data. */
const copyOf = (value: unknown): unknown =>
	value === undefined ? undefined : JSON.parse(JSON.stringify(value));
