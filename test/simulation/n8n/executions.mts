import { parse, stringify } from 'flatted';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { useProcessedData } from '../../helpers/engine/deduplication.mts';
import {
	isFinal,
	type Status,
	type StoredExecution,
} from '../../helpers/engine/execution-store.mts';
import { core, workflow as library } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import type { Start } from './calls.mts';
import { SMALL_TABLE } from './database.mts';
import { hooksFor } from './hooks.mts';
import type { N8n } from './host.mts';
import { resumeParent, subWorkflows } from './subWorkflows.mts';
import { open } from './workflows.mts';

/** Seconds until n8n finds that a worker is lost. */
const STALLED = 60;

/** Starts executions, runs and resumes them in n8n's processes, and cancels them. */
export class Executions {
	/** Executions that a kill interrupted. */
	readonly lost = new Set<string>();
	/** The process that runs each execution, and a function that cancels it there. */
	private readonly active = new Map<string, { process: N8nProcess; cancel?: () => void }>();

	constructor(private readonly n8n: N8n) {}

	/** Starts a stored workflow at its first node (WorkflowRunner). */
	start(workflowId: string, items: IDataObject[], mode: WorkflowExecuteMode): void {
		const { main, clock, database } = this.n8n;
		if (!main.alive) return;
		const input = items.map((json) => ({ json }));
		const data = this.dataFor(this.n8n.workflow(workflowId).trigger, input);
		const create = async () => {
			const id = await database.create({ workflowId, mode }, data);
			await this.run(id, data, 'new');
		};
		// If the database fails, n8n reports that it could not start the workflow.
		clock.after(0, () => void create().catch(() => {}), main);
	}

	/**
	 * Stores and runs the execution for a trigger's items (WorkflowExecutionService). @param store what n8n stores with
	 * it
	 */
	async begin(
		start: Start,
		mode: 'trigger' | 'webhook' | 'manual',
		store: () => void = () => {},
	): Promise<void> {
		const { database } = this.n8n;
		const { workflowId, trigger, items } = start;
		const data = this.dataFor(trigger, items);
		const id = await this.n8n.store(start, async () => {
			const created = await database.create({ workflowId, mode }, data);
			store();
			return created;
		});
		await this.run(id, data, 'new', start);
	}

	/** The data that an execution starts with. */
	dataFor(
		trigger: INode,
		input: INodeExecutionData[],
		parentExecution?: IRunExecutionData['parentExecution'],
	): IRunExecutionData {
		return library.createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{ node: structuredClone(trigger), data: { main: [input] }, source: null },
				],
			},
			resumeToken: 'a'.repeat(64),
			parentExecution,
		});
	}

	/** The header with which an execution's requests identify it. */
	senderOf(id: string): string {
		return this.n8n.name + id;
	}

	/**
	 * Runs a stored execution with this data (WorkflowRunner, ActiveExecutions, JobProcessor).
	 * @param start the trigger's start
	 * @returns false if it has another status, because another process was faster
	 */
	async run(
		id: string,
		data: IRunExecutionData,
		expected: Status,
		start?: Start,
	): Promise<boolean> {
		const { clock, database, random } = this.n8n;
		const changes = { data: stringify(data), waitTill: undefined, status: 'running' as const };
		const isOurs = await database.update(id, changes, (status) => status === expected);
		if (!isOurs) return false;
		const { main, workers } = this.n8n;
		const process = workers[Math.floor(random() * workers.length)] ?? main;
		this.active.set(id, { process });
		if (start) start.executor = process;
		clock.after(1, () => void this.engage(process, id, data, start), process);
		return true;
	}

	/** Runs an execution with n8n's engine in a process, until it ends or pauses. */
	async engage(
		process: N8nProcess,
		id: string,
		data: IRunExecutionData,
		start?: Start,
	): Promise<IRun> {
		const stored = this.n8n.database.executions.of(id);
		const { workflowId, mode } = stored;
		stored.lives++;
		const hooks = hooksFor(this.n8n, id, start);
		const additional = { ...this.additionalData(id, process, start), hooks };
		const workflow = this.n8n.workflow(workflowId);
		// n8n stores the workflow with the execution, so later changes don't affect it.
		const { trigger = workflow.trigger } = start ?? {};
		// Workers read the static data when they begin.
		const staticData = this.n8n.workers.length > 0 ? undefined : start?.staticData;
		const opened = open({ ...workflow, trigger }, process, staticData);
		this.useTable(opened, workflowId, start);
		const engine = new core.WorkflowExecute(additional, mode, data);
		const running = engine.processRunExecutionData(opened);
		this.active.set(id, { process, cancel: () => running.cancel() });
		try {
			const run = await running;
			// If the database fails, the parent waits forever, as in n8n.
			void resumeParent(this.n8n, id, run).catch(() => {});
			return run;
		} finally {
			this.active.delete(id);
		}
	}

	/** Lets an execution use the table of processed items. */
	private useTable(opened: Workflow, workflowId: string, start?: Start): void {
		const { clock, database } = this.n8n;
		useProcessedData(opened, database.processedOf(workflowId), async () => {
			const from = clock.now;
			try {
				await database.access(SMALL_TABLE);
			} catch (error) {
				if (start) start.tableFailed = true;
				throw error;
			} finally {
				start?.accesses.push({ from, to: clock.now });
			}
		});
	}

	private additionalData(
		id: string,
		process: N8nProcess,
		start?: Start,
	): IWorkflowExecuteAdditionalData {
		const { workflowId } = this.n8n.database.executions.of(id);
		const { call, additional } = this.n8n.newCall(
			'execution',
			workflowId,
			process,
			this.senderOf(id),
		);
		call.start = start;
		return {
			...additional,
			executionId: id,
			streamingEnabled: this.streams(id),
			executeWorkflow: subWorkflows(this.n8n, process),
			getRunExecutionData: async (other) => {
				const found = await this.n8n.database.find(other);
				// n8n stores the data of an execution in the editor when it ends.
				const isHidden = found?.mode === 'manual' && !isFinal(found);
				return isHidden || !found ? undefined : parse(found.data);
			},
		};
	}

	/** Cancels an execution, like the stop button (ExecutionService). */
	cancel(id: string): void {
		const { main, clock, database } = this.n8n;
		if (!main.alive) return;
		const active = this.active.get(id);
		if (active?.process.alive && active.cancel) {
			clock.after(0, active.cancel, active.process);
		} else database.executions.of(id).wasCanceledUnnoticed = true;
		clock.after(0, () => void this.storeCancellation(id).catch(() => {}), main);
	}

	private async storeCancellation(id: string): Promise<void> {
		const { database } = this.n8n;
		const found = await database.find(id);
		if (!found || !['new', 'running', 'waiting'].includes(found.status)) return;
		const data: IRunExecutionData = parse(found.data);
		data.resultData.error = new library.ManualExecutionCancelledError(id);
		const change = { data: stringify(data), status: 'canceled' as const, waitTill: undefined };
		await database.update(id, change);
	}

	/** Records what killed processes were running. */
	loseKilled(): void {
		for (const [id, { process }] of this.active) if (!process.alive) this.lost.add(id);
	}

	/** Called when killed processes have started again. Their executions are lost. */
	restart(): void {
		const { clock, database, workers } = this.n8n;
		const isLost = ({ id, status }: StoredExecution) =>
			['new', 'running'].includes(status) && !this.isRunning(id);
		const lost = database.executions.all.filter(isLost);
		const delay = workers.length > 0 ? STALLED * 1000 : 0;
		clock.after(delay, () => this.giveUp(lost.filter(isLost)), null);
	}

	/**
	 * Gives up executions whose process was killed. In regular mode, they are marked as crashed. In queue mode, their
	 * jobs fail (ScalingService).
	 */
	private giveUp(executions: StoredExecution[]): void {
		const { database, workers } = this.n8n;
		for (const execution of executions) {
			this.lost.add(execution.id);
			if (workers.length > 0) database.executions.fail(execution.id);
			else database.executions.crash(execution.id);
		}
	}

	private streams(id: string): boolean {
		const { trigger } = this.n8n.workflow(this.n8n.database.executions.of(id).workflowId);
		return trigger.parameters.responseMode === 'streaming';
	}

	private isRunning(id: string): boolean {
		return this.active.get(id)?.process.alive ?? false;
	}
}
