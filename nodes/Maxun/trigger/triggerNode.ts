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
import { hashOf } from '../http/hash';
import { isObject } from '../http/values';
import { isPollCursor } from '../n8n/internals';
import { connectServer, INITIAL_KIND, serverKindOf } from '../servers';
import type { MaxunServer } from '../servers/types';
import { memoryOf, type TriggerMemory } from './memory';
import { readRecord, type TriggerRecord } from './record';

/** Only the entry files and this file use n8n's context. */
export type TriggerNode = ReturnType<typeof readTriggerNode>;

type TriggerContext = IExecuteFunctions | IHookFunctions | IPollFunctions | IWebhookFunctions;

/** @param isTest not always what n8n's mode says: n8n removes a test's webhooks in production mode */
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
	const key = `${isTest} ${context.getWorkflow().id} ${node.id}`;
	const warn = (message: string): void => context.logger.warn(`${node.name}: ${message}`);
	const parameter = (name: string, fallback?: string | null): unknown =>
		'getInputSourceData' in context
			? context.getNodeParameter(name, 0, fallback)
			: context.getNodeParameter(name, fallback);
	return {
		node,
		/** Identifies the trigger within this process. A test in the editor counts as another trigger. */
		key,
		isTest,
		/** A publication that has ended had another memory. */
		get memory(): TriggerMemory {
			return memoryOf(key);
		},
		/** Whether n8n starts or has a new leader, so that nobody publishes the workflow. */
		isStart: ['init', 'leadershipChange'].includes(context.getActivationMode?.() ?? ''),
		parameter,
		/** Identifies the n8n instance in its responses. */
		instance: hashOf(context.getInstanceBaseUrl(), 8),
		record,
		saveRecord: (changes: Partial<TriggerRecord>): void =>
			write(recordKey, { ...record(), ...changes }),
		/** n8n's copy of the static data. All polls of a publication share it, unless they have durable cursors. */
		publication: (): object => context.getWorkflowStaticData('global'),
		/** A durable cursor, which only polls see, comes first. */
		cursors(): unknown[] {
			const data = context.getWorkflowStaticData('node');
			return [isPollCursor(data) ? { ...data } : undefined, read(cursorKey)];
		},
		/** Whether n8n stores the cursor after a poll that doesn't find anything. */
		hasDurableCursor: (): boolean => isPollCursor(context.getWorkflowStaticData('node')),
		/**
		 * Saves it in both places: n8n loses a durable cursor that a publication's first poll saves.
		 *
		 * @param durable if the poll has items, n8n stores it together with their execution
		 */
		saveCursor(values: IDataObject, durable: IDataObject): void {
			write(cursorKey, values);
			const data = context.getWorkflowStaticData('node');
			if (isPollCursor(data)) Object.assign(data, durable);
		},
		connect: async (options: ConnectionOptions): Promise<MaxunServer> =>
			await connectServer(context, serverKindOf(parameter('server', INITIAL_KIND)), options),
		/** Only executions store files, because n8n never deletes others. */
		async toBinary(data: Buffer, name: string): Promise<IBinaryData> {
			if (!('prepareBinaryData' in context.helpers)) throw new Error('No files in a hook');
			return await context.helpers.prepareBinaryData(data, name);
		},
		/** Sends a sample event. @returns the response; undefined if it isn't from a Maxun Trigger */
		async sendSample(url: string): Promise<IDataObject | undefined> {
			const body = { event_type: 'webhook_test' };
			const sending = context.helpers.httpRequest({ method: 'POST', url, body, timeout: 10_000 });
			const answer: unknown = await sending.catch(() => undefined);
			return isObject(answer) && answer.n8n !== undefined ? answer : undefined;
		},
		warn,
		/** Logs a subject's state when it changes. @returns whether it has changed */
		tell(subject: string, message: string): boolean {
			const { told } = memoryOf(key);
			const isNews = told.get(subject) !== message;
			told.set(subject, message);
			if (isNews && message !== '') warn(message);
			return isNews;
		},
		/** Hooks and polls change Maxun at the same time. */
		inTurn: async <T>(what: 'names' | 'webhooks', change: () => Promise<T>): Promise<T> =>
			await inTurn(`${what} of ${key}`, change),
		info: (message: string): void => context.logger.info(`${node.name}: ${message}`),
	};
}
