import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express from 'express';
import type { Request, Response } from 'express';
import { parse, stringify } from 'flatted';
import { WebhookContext, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';
import { PATIENCE } from '../until.mts';
import { loadPackage, type LoadedPackage } from './package.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface WaitingOptions extends NodeSetup {
	/** URL of this n8n if it is not the server's, without a final slash. */
	origin?: string;
	mode?: 'trigger' | 'webhook' | 'manual' | 'integrated';
	/** Parameters of the workflow's first node. */
	startParameters?: INodeParameters;
}

/** One execution as in n8n's database. */
export interface StoredExecution {
	id: string;
	status: 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';
	waitTill?: Date;
	/** How often the engine has run it. */
	lives: number;
	run?: IRun;
}

const TOKEN = 'a'.repeat(64);

/**
 * The part of n8n's server that pauses executions: it stores them, processes calls to their resume URLs
 * as `WaitingWebhooks` does, and resumes them by call or time.
 */
export class WaitingHost {
	readonly executions = new Map<string, StoredExecution>();
	/** Called after the engine pauses and before n8n stores the execution, like a slow database. */
	beforeStoring: () => Promise<void> = async () => {};
	/** Response status of each call to a resume URL. */
	readonly answers: number[] = [];
	private readonly data = new Map<string, string>();
	private readonly events = new EventEmitter();
	private readonly aborts = new Map<string, () => void>();

	private constructor(
		private readonly loaded: LoadedPackage,
		readonly options: WaitingOptions,
		private readonly server: Server,
		private readonly port: number,
	) {}

	static async start(options: WaitingOptions): Promise<WaitingHost> {
		const loaded = await loadPackage();
		const app = express();
		const server = createServer(app);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const address = server.address();
		if (address === null || typeof address === 'string') throw new Error('No TCP port');
		const host = new WaitingHost(loaded, options, server, address.port);
		app.use(express.json({ limit: '16mb' }));
		app.post('/webhook-waiting/:id', async (request, response) => {
			await host.answer(String(request.params.id), request, response);
			host.answers.push(response.statusCode);
		});
		return host;
	}

	get origin(): string {
		return this.options.origin ?? `http://127.0.0.1:${this.port}`;
	}

	/** Starts an execution. Resolves with its ID at once. */
	start(items: IDataObject[]): string {
		const id = String(this.executions.size + 1);
		this.executions.set(id, { id, status: 'running', lives: 0 });
		const { workflow, start } = this.build();
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{
						node: start,
						data: { main: [items.map((json) => ({ json }))] },
						source: null,
					},
				],
			},
			resumeToken: TOKEN,
		});
		this.engage(id, workflow, data);
		return id;
	}

	/** Waits until an execution is in one of the states. */
	async reaches(
		id: string,
		states: Array<StoredExecution['status']>,
		milliseconds = PATIENCE,
	): Promise<StoredExecution> {
		const signal = AbortSignal.timeout(milliseconds);
		for (;;) {
			const execution = this.of(id);
			if (states.includes(execution.status)) return execution;
			await once(this.events, 'stored', { signal }).catch(() => {
				throw new Error(`After ${milliseconds} ms execution ${id} is ${execution.status}`);
			});
		}
	}

	/** Resumes a waiting execution as if its time had come. */
	resumeByTimer(id: string): void {
		const { workflow } = this.build();
		this.of(id).status = 'running';
		this.engage(id, workflow, this.load(id));
	}

	/** Moves a waiting execution's stored times back. @param milliseconds by how much; up to its resume time by default */
	expire(id: string, milliseconds?: number): void {
		const execution = this.of(id);
		const data = this.load(id);
		const { pause } = data.executionData?.contextData['node:Maxun'] ?? {};
		const by = milliseconds ?? pause.until - Date.now();
		pause.until -= by;
		if (milliseconds !== undefined) for (const run of pause.state.runs) run.since -= by;
		this.data.set(execution.id, stringify(data));
	}

	/** Replaces what the node has stored, as another version of the package may have written it. */
	replaceState(id: string, state: unknown): void {
		const data = this.load(id);
		const { pause } = data.executionData?.contextData['node:Maxun'] ?? {};
		pause.state = state;
		this.data.set(this.of(id).id, stringify(data));
	}

	/** Cancels an execution as the stop button does. A waiting one is only marked. */
	cancel(id: string): void {
		this.aborts.get(id)?.();
		this.of(id).status = 'canceled';
	}

	/** Ends a waiting execution as if n8n was killed right after the resume. Stored data remains. */
	crash(id: string): void {
		this.of(id).status = 'crashed';
	}

	/** The output of a node's only run. */
	output(id: string, node = 'Maxun'): INodeExecutionData[][] {
		const runs = this.of(id).run?.data.resultData.runData[node] ?? [];
		if (runs.length > 1) throw new Error(`${node} has ${runs.length} runs`);
		return (runs[0]?.data?.main ?? []).map((items) => items ?? []);
	}

	hints(id: string): string[] {
		const [run] = this.of(id).run?.data.resultData.runData.Maxun ?? [];
		return (run?.hints ?? []).map(({ message }) => message);
	}

	async close(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
		this.server.closeAllConnections();
		await closed;
	}

	/** An execution's stored data. */
	of(id: string): StoredExecution {
		const execution = this.executions.get(id);
		if (execution === undefined) throw new Error(`No execution ${id}`);
		return execution;
	}

	private load(id: string): IRunExecutionData {
		return parse(this.data.get(id) ?? '[]');
	}

	/** A start node, the node under test, and one node after each of its outputs. */
	private build() {
		const { workflow: plain, node, start, nodeType } = buildWorkflow(this.loaded, this.options);
		const behind = ['After', 'Errors'].map((name) => ({ ...start, id: name, name }));
		const workflow = new Workflow({
			id: plain.id,
			name: plain.name ?? '',
			active: true,
			nodeTypes: this.loaded.nodeTypes,
			nodes: [start, node, ...behind],
			connections: {
				...plain.connectionsBySourceNode,
				[node.name]: {
					main: behind.map(({ name }) => [{ node: name, type: 'main', index: 0 }]),
				},
			},
			settings: plain.settings,
		});
		const first = workflow.getNode(start.name) ?? start;
		first.parameters = this.options.startParameters ?? {}; // any node type
		return { workflow, node, start: first, nodeType };
	}

	private additional(id: string) {
		const { credentials, mode = 'trigger' } = this.options;
		const data = additionalData(this.loaded, credentials, { mode, origin: this.origin });
		return Object.assign(data, { executionId: id });
	}

	private engage(id: string, workflow: Workflow, data: IRunExecutionData): void {
		const execution = this.of(id);
		execution.lives++;
		const { mode = 'trigger' } = this.options;
		const engine = new WorkflowExecute(this.additional(id), mode, data);
		const running = engine.processRunExecutionData(workflow);
		this.aborts.set(id, () => running.cancel());
		void running.then(
			async (run) => await this.store(execution, run),
			(error: unknown) => {
				console.error(error);
				execution.status = 'crashed';
				this.events.emit('stored');
			},
		);
	}

	private async store(execution: StoredExecution, run: IRun): Promise<void> {
		await this.beforeStoring();
		this.data.set(execution.id, stringify(run.data));
		const { status } = run;
		if (execution.status !== 'canceled' && isState(status)) execution.status = status;
		execution.waitTill = run.waitTill ?? undefined;
		execution.run = run;
		this.aborts.delete(execution.id);
		this.events.emit('stored');
	}

	/** The steps and texts of n8n's `WaitingWebhooks` and `executeWebhook`. */
	private async answer(id: string, request: Request, response: Response): Promise<void> {
		const execution = this.executions.get(id);
		const say = (status: number, message: string) => response.status(status).json({ message });
		if (!execution) return void say(404, `The execution "${id}" does not exist.`);
		if (request.query.signature !== TOKEN)
			return void response.status(401).json({ error: 'Invalid token' });
		const { status } = execution;
		if (status === 'running') return void say(409, `The execution "${id}" is running already.`);
		if (status === 'error' || status === 'canceled') {
			return void say(409, `The execution "${id}" has finished with error.`);
		}
		if (status === 'success') return void say(409, `The execution "${id} has finished already.`);
		const data = this.load(id);
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		if (entry === undefined) throw new Error('Nothing waits');
		entry.node.disabled = true;
		data.waitTill = undefined;
		preserveInputOverride(data.resultData.runData[data.resultData.lastNodeExecuted ?? ''] ?? []);
		const { workflow, node, nodeType } = this.build();
		const additional = this.additional(id);
		additional.httpRequest = request;
		additional.httpResponse = response;
		const [webhookDescription] = nodeType.description.webhooks ?? [];
		if (webhookDescription === undefined) throw new Error('The node has no webhook');
		const webhookData = {
			httpMethod: 'POST' as const,
			node: node.name,
			path: '',
			webhookDescription,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: additional,
		};
		const context = new WebhookContext(
			workflow,
			node,
			additional,
			'trigger',
			webhookData,
			[],
			data,
		);
		const result = await nodeType.webhook?.call(context);
		if (!response.headersSent) {
			response.json(result?.webhookResponse ?? { message: 'Workflow was started' });
		}
		if (result?.workflowData === undefined) return;
		// n8n resumes an execution only once, whoever is first.
		if (execution.status !== 'waiting') return;
		execution.status = 'running';
		entry.data.main = result.workflowData;
		entry.metadata = { ...entry.metadata, ...{ forwardAllOutputs: true } };
		this.engage(id, workflow, data);
	}
}

/** Like the function of this name in n8n 2.20 and later: replaces an entry from an engine request with a placeholder. */
function preserveInputOverride(entries: ITaskData[]): void {
	const entry = entries.pop();
	if (!entry?.inputOverride) return;
	const { source, inputOverride } = entry;
	entries.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
}

const STATES = ['waiting', 'success', 'error', 'canceled', 'crashed'] as const;
const isState = (status: string): status is (typeof STATES)[number] =>
	STATES.some((state) => state === status);
