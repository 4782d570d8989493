import { createHash } from 'crypto';
import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { inTurn } from '../http/concurrency';
import type { ConnectionOptions } from '../http/context';
import { isPollCursor } from '../n8n/internals';
import { connectServer, INITIAL_KIND, serverKindOf } from '../servers';
import type { Login } from '../servers/definition';
import { readLogin } from '../servers/login';
import type { MaxunServer } from '../servers/types';
import { memoryOf, type TriggerMemory } from './memory';
import { readRecord, type TriggerRecord } from './record';

/** A trigger node, as n8n's context shows it. Only the entry files and this file use the context. */
export type TriggerNode = ReturnType<typeof readTriggerNode>;

type TriggerContext = IExecuteFunctions | IHookFunctions | IPollFunctions | IWebhookFunctions;

/**
 * Reads a trigger node from n8n's context.
 *
 * @param isTest whether this is a test in the editor. The mode doesn't always show this: n8n removes test webhooks in
 * production mode
 */
export function readTriggerNode(context: TriggerContext, isTest = !context.getWorkflow().active) {
	const node = context.getNode();
	// n8n would look for a node's own data under its name. A copy of the workflow may have the original's data.
	const cursorKey = `maxun:${context.getWorkflow().id} ${node.id}`;
	const recordKey = `${cursorKey} record`;
	const read = (name: string): unknown => context.getWorkflowStaticData('global')[name];
	const write = (name: string, values: IDataObject): void => {
		const data = context.getWorkflowStaticData('global');
		const text = JSON.stringify(values);
		// n8n changes the objects in its data.
		if (JSON.stringify(data[name]) !== text) data[name] = JSON.parse(text);
	};
	const record = (): TriggerRecord => readRecord(read(recordKey));
	const address = context.getInstanceBaseUrl();
	const key = `${isTest} ${context.getWorkflow().id} ${node.id}`;
	const warn = (message: string): void => context.logger.warn(`${node.name}: ${message}`);
	/** Throws n8n's own error if an expression fails. */
	const parameter = (name: string, fallback?: string | null): unknown =>
		'getInputSourceData' in context
			? context.getNodeParameter(name, 0, fallback)
			: context.getNodeParameter(name, fallback);
	return {
		node,
		/** Identifies the trigger within this process. A test in the editor counts as another trigger. */
		key,
		isTest,
		/** What this process remembers. A publication that has ended had another memory. */
		get memory(): TriggerMemory {
			return memoryOf(key);
		},
		/**
		 * Whether n8n activates the trigger because n8n starts or has a new leader, not because somebody publishes the
		 * workflow.
		 */
		isStart: ['init', 'leadershipChange'].includes(context.getActivationMode?.() ?? ''),
		workflow: context.getWorkflow(),
		instanceId: context.getInstanceId(),
		timezone: context.getTimezone(),
		parameter,
		/** n8n's own address. */
		address,
		/** Identifies this trigger in this n8n instance. */
		owner: hashOf([context.getWorkflow().id, node.id, context.getInstanceId(), address].join(' ')),
		/** What the trigger has in Maxun. */
		record,
		saveRecord: (changes: Partial<TriggerRecord>): void =>
			write(recordKey, { ...record(), ...changes }),
		/** n8n's copy of the static data. All polls of a publication share it, unless they have durable cursors. */
		publication: (): object => context.getWorkflowStaticData('global'),
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
		/** Sends a sample event. @returns the response; undefined if nothing accepts it */
		sendSample: async (url: string): Promise<unknown> =>
			await context.helpers
				.httpRequest({ method: 'POST', url, body: { event_type: 'webhook_test' }, timeout: 10_000 })
				.catch(() => undefined),
		warn,
		/** Logs a state of a subject once, until the state changes. @returns whether it is news */
		tell(subject: string, message: string): boolean {
			const { told } = memoryOf(key);
			const isNews = told.get(subject) !== message;
			told.set(subject, message);
			if (isNews && message !== '') warn(message);
			return isNews;
		},
		/** Changes something in Maxun after all earlier changes, because hooks and polls do this at the same time. */
		inTurn: async <T>(what: 'robots' | 'webhooks', change: () => Promise<T>): Promise<T> =>
			await inTurn(`${what} of ${key}`, change),
		info: (message: string): void => context.logger.info(`${node.name}: ${message}`),
	};
}

/** Eight digits that identify a text. */
export const hashOf = (text: string): string =>
	createHash('sha256').update(text).digest('hex').slice(0, 8);
