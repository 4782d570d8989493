import { randomUUID } from 'node:crypto';
import { WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { useProcessedData } from './deduplication.mts';
import { newExecutionData } from './execution-data.mts';
import { loadAgain, TRIGGER_NODE, type LoadedPackage } from './package.mts';
import { StaticData } from './static-data.mts';
import { callHook, callPoll, callWebhook, register, type HookName } from './trigger-calls.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface TriggerSetup extends Omit<NodeSetup, 'staticData' | 'active'> {
	/** The data that the workflow saved earlier. */
	staticData?: StaticData;
	/** Whether n8n calls the hooks before the first poll, as it did until 2.39. Later versions do both at the same time. */
	hooksFirst?: boolean;
	/** Whether n8n's durable cursors are on. Older engines don't have them. */
	durable?: boolean;
}

export interface PollSetup {
	activation?: WorkflowActivateMode;
	budget?: number;
	/** Whether it is a publication's first poll, which n8n repeats if it fails. */
	isFirst?: boolean;
	/** Whether n8n drops the result because another process has polled in the meantime. Only with durable cursors. */
	discarded?: boolean;
}

/** The items of a poll that the trigger let through. */
export interface Poll {
	emitted: INodeExecutionData[][];
}

type Opened = ReturnType<typeof buildWorkflow>;

/** The node's webhook: n8n's base URL, and the path below `/webhook/`. */
export interface Address {
	origin: string;
	path: string;
}

const DURABLE = process.env.TEST_DURABLE_CURSORS === 'true';

/**
 * One workflow with a trigger in one n8n process, which calls its hooks, polls, passes events to it and runs its
 * executions. A test in the editor has its own, empty data.
 */
export class TriggerWorkflow {
	readonly staticData: StaticData;
	private readonly workflowId = newId();
	private origin: string | undefined;
	/** What a publication's hooks and polls share, saved or not. */
	private published: Opened | undefined;
	private test = new StaticData();

	constructor(
		private loaded: LoadedPackage,
		public setup: TriggerSetup,
	) {
		this.staticData = setup.staticData ?? new StaticData();
	}

	/** A new copy of the workflow with its saved data, as n8n opens it for a call. */
	open(isTest = false) {
		return buildWorkflow(this.loaded, {
			type: TRIGGER_NODE,
			workflowId: this.workflowId,
			...this.setup,
			active: !isTest,
			staticData: this.storeOf(isTest).load(),
		});
	}

	storeOf(isTest: boolean): StaticData {
		return isTest ? this.test : this.staticData;
	}

	edit({ name, parameters }: Pick<Partial<INode>, 'name' | 'parameters'>): void {
		const { setup } = this;
		this.setup = {
			...setup,
			parameters: { ...setup.parameters, ...parameters },
			node: { ...setup.node, ...(name !== undefined && { name }) },
		};
	}

	/**
	 * Calls the hooks and polls for the first time, and saves what they change (WorkflowTriggerActivator).
	 * @returns the first poll; null if it doesn't start an execution
	 * @throws what a hook or the first poll throws
	 */
	async publish(address: Address, activation: WorkflowActivateMode): Promise<Poll | null> {
		this.origin = address.origin;
		this.published = this.open();
		const hooks = async () =>
			await register(async (method) => await this.hook(method, address, activation));
		const { workflow } = this.published;
		if (this.setup.hooksFirst) await hooks();
		const polling = this.polls ? this.poll({ activation, isFirst: true }) : Promise.resolve(null);
		const [polled, hooked] = await Promise.allSettled([
			polling,
			this.setup.hooksFirst ? undefined : hooks(),
		]);
		this.staticData.save(workflow);
		if (polled.status === 'rejected') throw polled.reason;
		if (hooked.status === 'rejected') throw hooked.reason;
		return polled.value;
	}

	/** Repeats the first poll, and saves what the publication has changed. */
	async repeatFirstPoll(): Promise<Poll | null> {
		const poll = await this.poll({ isFirst: true });
		if (this.published) this.staticData.save(this.published.workflow);
		return poll;
	}

	/** Starts the process again. With durable cursors, n8n doesn't poll then. @returns the first poll */
	async restart(): Promise<Poll | null> {
		this.loaded = await loadAgain();
		this.published = this.open();
		const polls = this.polls && !this.isDurable;
		const poll = polls ? await this.poll({ activation: 'init', isFirst: true }) : null;
		this.staticData.save(this.published.workflow);
		return poll;
	}

	/** Ends the publication's polls. n8n 2 drops what a poll returns afterwards; n8n 1 uses it. */
	unpublish(): void {
		if (!this.setup.hooksFirst) this.published = undefined;
	}

	listen(): void {
		this.test = new StaticData();
	}

	async hook(
		method: HookName,
		{ origin, path }: Address,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const isTest = activation === 'manual';
		const store = this.storeOf(isTest);
		const shared = method === 'delete' || isTest ? undefined : this.published;
		const { workflow, node } = shared ?? this.open(isTest);
		const additional = this.additional(isTest ? 'manual' : 'trigger', origin);
		return await callHook({ workflow, node, additional, path }, method, activation, async () =>
			store.save(workflow),
		);
	}

	/** Calls the node with an event. */
	async receive(
		isTest: boolean,
		{ origin, path }: Address,
		exchange: object,
		start: () => Promise<void>,
	): Promise<IWebhookResponseData> {
		const { workflow, node } = this.open(isTest);
		const store = this.storeOf(isTest);
		const additional = this.additional(isTest ? 'manual' : 'webhook', origin);
		Object.assign(additional, exchange);
		const save = async () => store.save(workflow);
		// Like n8n's LiveWebhooks. Versions before 2 have no isolates.
		await workflow.expression.acquireIsolate?.();
		try {
			const called = { workflow, node, additional, path };
			return await callWebhook(called, isTest, { start, save });
		} finally {
			await workflow.expression.releaseIsolate?.();
		}
	}

	/**
	 * One poll, and the execution that it starts. n8n saves a poll's changes only if the poll emits items or uses a
	 * durable cursor.
	 *
	 * @returns null if no execution starts
	 * @throws what the poll or the execution throws, and what the poll reports
	 */
	async poll({
		activation = 'activate',
		budget,
		isFirst = false,
		discarded = false,
	}: PollSetup = {}): Promise<Poll | null> {
		const { isDurable } = this;
		// With durable cursors, all polls except the first open the workflow themselves.
		const shares = !isDurable || isFirst;
		const published = (this.published ??= this.open());
		const { workflow, node } = shares ? published : this.open();
		const cursor = isDurable ? this.cursorOf(workflow, node) : undefined;
		const reported: Error[] = [];
		const onError = (error: Error) => void reported.push(error);
		const called = { workflow, node, additional: this.additional('trigger', this.origin) };
		const items = await callPoll(called, activation, { onError, cursor, budget });
		const isOver = this.published !== published && !this.setup.hooksFirst;
		if (isOver || (cursor && discarded)) return null;
		// If the first poll doesn't find anything, n8n doesn't commit anything.
		if (cursor && (items || !isFirst)) {
			this.staticData.cursors.set(node.id, JSON.stringify(cursor));
		}
		// n8n opens the workflow for the execution before it has saved the poll's data.
		const opened = this.open();
		if (items) this.staticData.save(workflow);
		if (reported[0]) throw reported[0];
		return items && { emitted: await this.execute(items, 'trigger', { opened }) };
	}

	/** Runs the workflow with the items of a poll or an event. @returns what its trigger outputs */
	async execute(
		items: INodeExecutionData[][],
		mode: 'manual' | 'webhook' | 'trigger',
		{ opened = this.open(mode === 'manual'), origin }: { opened?: Opened; origin?: string } = {},
	): Promise<INodeExecutionData[][]> {
		const { workflow, node } = opened;
		useProcessedData(workflow, this.staticData.processed);
		// The database stores them as JSON.
		const main: INodeExecutionData[][] = JSON.parse(JSON.stringify(items));
		const data = newExecutionData([{ node, data: { main }, source: null }]);
		const additional = this.additional(mode, origin, randomUUID());
		const run = await new WorkflowExecute(additional, mode, data).processRunExecutionData(workflow);
		this.storeOf(mode === 'manual').save(workflow);
		const { error, runData } = run.data.resultData;
		if (error) throw error;
		const [task] = runData[node.name] ?? [];
		return (task?.data?.main ?? []).map((output) => output ?? []);
	}

	get isDurable(): boolean {
		return this.setup.durable ?? DURABLE;
	}

	private get polls(): boolean {
		return this.open().nodeType.poll !== undefined;
	}

	/** A copy of a node's durable cursor, which begins with the node's static data. */
	private cursorOf(workflow: Workflow, node: INode): IDataObject {
		const { cursors } = this.staticData;
		const stored = cursors.get(node.id) ?? JSON.stringify(workflow.getStaticData('node', node));
		cursors.set(node.id, stored);
		return JSON.parse(stored);
	}

	private additional(
		mode: WorkflowExecuteMode,
		origin?: string,
		executionId?: string,
	): IWorkflowExecuteAdditionalData {
		return additionalData(this.loaded, this.setup.credentials, { mode, origin, executionId });
	}
}

const newId = () => `engine-test-${randomUUID()}`;
