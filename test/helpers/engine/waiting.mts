import { EventEmitter, once } from 'node:events';
import { stringify } from 'flatted';
import { WorkflowExecute } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	IConnection,
	IDataObject,
	INode,
	INodeExecutionData,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { newExecutionData } from './execution-data.mts';
import { endOf, ExecutionStore, type Status, type StoredExecution } from './execution-store.mts';
import { loadPackage, type LoadedPackage } from './package.mts';
import { PATIENCE } from '../until.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface WaitingOptions extends NodeSetup {
	mode?: WorkflowExecuteMode;
	start?: Partial<INode>;
}

const TOKEN = 'a'.repeat(64);

/** The part of n8n's server that pauses executions. It stores them, and resumes them by time like `WaitTracker`. */
export class WaitingHost {
	readonly store = new ExecutionStore();
	/** Happens after a node has ended or asked for a pause, before n8n stores that. */
	beforeStoring: () => Promise<void> = async () => {};
	private readonly changes = new EventEmitter().setMaxListeners(100);

	private constructor(
		private readonly loaded: LoadedPackage,
		readonly options: WaitingOptions,
	) {
		this.store.observe = () => this.changes.emit('status');
	}

	static async start(options: WaitingOptions): Promise<WaitingHost> {
		return new WaitingHost(await loadPackage(), options);
	}

	private get mode(): WorkflowExecuteMode {
		return this.options.mode ?? 'trigger';
	}

	start(items: IDataObject[]): string {
		const { workflow, start } = this.build();
		const input = items.map((json) => ({ json }));
		const data = newExecutionData([{ node: start, data: { main: [input] }, source: null }], TOKEN);
		const id = this.create(data);
		this.engage(id, workflow, data);
		return id;
	}

	create(data: IRunExecutionData, status: Status = 'running'): string {
		const fields = { workflowId: 'engine-test', mode: this.mode };
		const id = this.store.create(fields, stringify(data));
		this.store.update(id, { status });
		return id;
	}

	async reaches(id: string, statuses: Status[], milliseconds = PATIENCE): Promise<StoredExecution> {
		const signal = AbortSignal.timeout(milliseconds);
		for (;;) {
			const execution = this.of(id);
			if (statuses.includes(execution.status)) return execution;
			await once(this.changes, 'status', { signal }).catch(() => {
				throw new Error(`After ${milliseconds} ms execution ${id} is ${execution.status}`);
			});
		}
	}

	resumeByTimer(id: string): void {
		this.resume(id, this.store.load(id));
	}

	/**
	 * Moves the times that a paused execution has stored back. @param milliseconds by how much; by default, up to its
	 * resume time
	 */
	expire(id: string, milliseconds?: number): void {
		const data = this.store.load(id);
		const { pause } = data.executionData?.contextData['node:Maxun'] ?? {};
		const by = milliseconds ?? pause.until - Date.now();
		pause.until -= by;
		if (milliseconds !== undefined) {
			for (const state of pause.state.states.flat()) {
				if (state.begunAt) state.begunAt -= by;
				if (state.run) state.run.startedAt -= by;
			}
			pause.state.lastActivity -= by;
		}
		this.store.update(id, { data: stringify(data) });
	}

	/** Changes what the node has stored, as if another version of the package had written it. */
	changePause(id: string, change: (pause: IDataObject) => void): void {
		const data = this.store.load(id);
		change(data.executionData?.contextData['node:Maxun']?.pause);
		this.store.update(id, { data: stringify(data) });
	}

	output(id: string, node = 'Maxun'): INodeExecutionData[][] {
		const runs = this.of(id).run?.data.resultData.runData[node] ?? [];
		if (runs.length > 1) throw new Error(`${node} has ${runs.length} runs`);
		return (runs[0]?.data?.main ?? []).map((items) => items ?? []);
	}

	hints(id: string): string[] {
		const [run] = this.of(id).run?.data.resultData.runData.Maxun ?? [];
		return (run?.hints ?? []).map(({ message }) => message);
	}

	of(id: string): StoredExecution {
		return this.store.of(id);
	}

	/** A start node, the node under test, and a node for each of its outputs. */
	private build() {
		const { workflow: plain, node, start } = buildWorkflow(this.loaded, this.options);
		const first = { ...start, ...this.options.start, name: start.name };
		const ends = ['After', 'Errors'].map((name) => ({ ...start, id: name, name }));
		const to = ({ name }: INode): IConnection[] => [{ node: name, type: 'main', index: 0 }];
		// n8n drops parameters that a node type doesn't declare, and the types here declare none.
		const { parameters } = first;
		const workflow = new Workflow({
			id: plain.id,
			name: plain.name ?? '',
			active: true,
			nodeTypes: this.loaded.nodeTypes,
			nodes: [first, node, ...ends],
			connections: { [first.name]: { main: [to(node)] }, [node.name]: { main: ends.map(to) } },
			settings: plain.settings,
		});
		Object.assign(workflow.getNode(first.name) ?? {}, { parameters });
		return { workflow, start: workflow.getNode(first.name) ?? first };
	}

	private additional(executionId: string) {
		const { mode, options } = this;
		return additionalData(this.loaded, options.credentials, { mode, executionId });
	}

	/** Runs a paused execution. @throws if another process has resumed it */
	private resume(id: string, data: IRunExecutionData): void {
		const fields = { status: 'running' as const, waitTill: undefined, data: stringify(data) };
		if (!this.store.update(id, fields, (status) => status === 'waiting')) {
			throw new Error('Execution is already being resumed by another process');
		}
		this.engage(id, this.build().workflow, data);
	}

	private engage(id: string, workflow: Workflow, data: IRunExecutionData): void {
		this.of(id).lives++;
		const engine = new WorkflowExecute(this.additional(id), this.mode, data);
		void engine.processRunExecutionData(workflow).then(
			async (run) => {
				await this.beforeStoring();
				this.of(id).run = run;
				this.store.update(id, endOf(run));
			},
			(error: unknown) => {
				console.error(error);
				this.store.update(id, { status: 'crashed' });
			},
		);
	}
}
