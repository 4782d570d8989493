import type {
	IDataObject,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Clock } from '../clock.mts';
import { core, workflow as library } from '../engine.mts';
import { KEYS } from '../origins.mts';
import { N8nProcess, type NodeCode } from '../process.mts';
import { additionalData, hooksFor } from './additionalData.mts';
import { Database, isFinal, type Status, type StoredExecution } from './database.mts';
import { resumeParent, subWorkflows } from './subWorkflows.mts';
import { WaitTracker } from './waitTracker.mts';
import { open, type StoredWorkflow } from './workflows.mts';

export interface HostSettings {
	/** Number of workers. With none, the main process runs the executions (regular mode). */
	workers: number;
}

/** Seconds until n8n notices that a worker is gone. */
const STALLED = 60;

/**
 * The part of n8n around its engine: it stores executions, runs and resumes them in its processes, and cancels them.
 * Follows the steps of n8n's own classes, whose names are in the comments. The engine itself is n8n's.
 */
export class N8n {
	readonly database: Database;
	main: N8nProcess;
	workers: N8nProcess[];
	/** The API key of the credentials, which somebody can replace. */
	apiKey: string = KEYS.own;
	/** Values of `$vars`, which can change while an execution is paused. */
	readonly variables: IDataObject = {};
	/** Whether the credentials still exist. */
	hasCredentials = true;
	/** The time zone of the self-hosted server, according to its credential. */
	readonly timezone: string = 'UTC';
	private readonly workflows = new Map<string, StoredWorkflow>();
	/** Executions that a kill interrupted. */
	readonly lost = new Set<string>();
	/** The process that runs each execution, and what cancels it there. */
	private readonly active = new Map<string, { process: N8nProcess; cancel?: () => void }>();

	constructor(
		readonly clock: Clock,
		private readonly random: () => number,
		code: NodeCode,
		private readonly settings: HostSettings,
		/** Tells several n8n apart, such as the senders of requests. */
		readonly name = '',
	) {
		this.database = new Database(clock, random);
		this.main = new N8nProcess('main', code);
		this.workers = Array.from(
			{ length: settings.workers },
			(_, index) => new N8nProcess(`worker ${index}`, code),
		);
		this.track();
	}

	save(workflow: StoredWorkflow): void {
		this.workflows.set(workflow.id, workflow);
	}

	workflow(id: string): StoredWorkflow {
		const found = this.workflows.get(id);
		if (!found) throw new Error(`No workflow ${id}`);
		return found;
	}

	/** Starts a stored workflow at its first node (WorkflowRunner). */
	start(workflowId: string, items: IDataObject[], mode: WorkflowExecuteMode): void {
		if (!this.main.alive) return;
		const input = items.map((json) => ({ json }));
		const data = this.dataFor(this.workflow(workflowId), input);
		const create = async () => {
			const id = await this.database.create({ workflowId, mode }, data);
			await this.run(id, data, 'new');
		};
		// If the database fails, n8n reports that it could not start the workflow.
		this.clock.after(0, () => void create().catch(() => {}), this.main);
	}

	/** What an execution starts with. */
	dataFor(
		{ nodes: [start] }: StoredWorkflow,
		input: Array<{ json: IDataObject }>,
		parentExecution?: IRunExecutionData['parentExecution'],
	): IRunExecutionData {
		if (!start) throw new Error('The workflow has no nodes');
		return library.createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{ node: structuredClone(start), data: { main: [input] }, source: null },
				],
			},
			resumeToken: 'a'.repeat(64),
			parentExecution,
		});
	}

	/** The header with which an execution's requests identify it. */
	senderOf(id: string): string {
		return this.name + id;
	}

	/**
	 * Runs a stored execution with this data (WorkflowRunner, ActiveExecutions, JobProcessor).
	 *
	 * @returns false if its status isn't the expected one: another process was faster
	 */
	async run(id: string, data: IRunExecutionData, expected: Status): Promise<boolean> {
		const changes = { data, waitTill: undefined, status: 'running' as const };
		const isOurs = await this.database.update(id, changes, (status) => status === expected);
		if (!isOurs) return false;
		const candidates = this.settings.workers > 0 ? this.workers : [this.main];
		const process = candidates.at(Math.floor(this.random() * candidates.length)) ?? this.main;
		this.active.set(id, { process });
		this.clock.after(1, () => void this.engage(process, id, data), process);
		return true;
	}

	/** Lets n8n's engine run an execution in a process, until it ends or pauses. */
	async engage(process: N8nProcess, id: string, data: IRunExecutionData): Promise<IRun> {
		const { workflowId, mode } = this.database.get(id);
		this.database.get(id).lives++;
		const hooks = hooksFor(this, id, mode);
		const additional = { ...this.additionalData(id, process), hooks };
		const engine = new core.WorkflowExecute(additional, mode, data);
		const running = engine.processRunExecutionData(open(this.workflow(workflowId), process));
		this.active.set(id, { process, cancel: () => running.cancel() });
		try {
			const run = await running;
			// If the database fails, the parent waits forever, as in n8n.
			void resumeParent(this, id, run).catch(() => {});
			return run;
		} finally {
			this.active.delete(id);
		}
	}

	/** What n8n passes to the engine and the nodes. */
	additionalData(id: string, process: N8nProcess): IWorkflowExecuteAdditionalData {
		return {
			...additionalData(this, this.senderOf(id)),
			executionId: id,
			streamingEnabled: this.streams(id),
			executeWorkflow: subWorkflows(this, process),
			getRunExecutionData: async (other) => {
				const found = await this.database.find(other);
				// n8n stores the data of an execution in the editor when it ends.
				const isHidden = found?.mode === 'manual' && !isFinal(found);
				return isHidden ? undefined : found?.read();
			},
		};
	}

	/** Cancels an execution as the stop button does (ExecutionService). */
	cancel(id: string): void {
		if (!this.main.alive) return;
		const active = this.active.get(id);
		if (active?.process.alive && active.cancel) {
			this.clock.after(0, active.cancel, active.process);
		} else this.database.get(id).wasCanceledUnnoticed = true;
		this.clock.after(0, () => void this.storeCancellation(id).catch(() => {}), this.main);
	}

	/** Kills processes and starts them again after some milliseconds. */
	kill(processes: N8nProcess[], restartAfter: number): void {
		for (const process of processes) process.kill();
		for (const [id, { process }] of this.active) if (!process.alive) this.lost.add(id);
		this.clock.after(restartAfter, () => this.restart(), null);
	}

	private async storeCancellation(id: string): Promise<void> {
		const found = await this.database.find(id);
		if (!found || !['new', 'running', 'waiting'].includes(found.status)) return;
		const data = found.read();
		data.resultData.error = new library.ManualExecutionCancelledError(id);
		await this.database.update(id, { data, status: 'canceled', waitTill: undefined });
	}

	/** Starts killed processes again. What they ran is lost. */
	private restart(): void {
		const wasMainKilled = !this.main.alive;
		this.main = this.main.restarted();
		this.workers = this.workers.map((process) => process.restarted());
		const isLost = ({ id, status }: StoredExecution) =>
			['new', 'running'].includes(status) && !this.isRunning(id);
		const lost = this.database.all.filter(isLost);
		const delay = this.settings.workers > 0 ? STALLED * 1000 : 0;
		this.clock.after(delay, () => this.giveUp(lost.filter(isLost)), null);
		if (wasMainKilled) this.track();
	}

	/**
	 * Gives up executions whose process was killed. In regular mode, they are marked as crashed. In queue mode, their jobs
	 * fail (ScalingService).
	 */
	private giveUp(executions: StoredExecution[]): void {
		for (const execution of executions) {
			this.lost.add(execution.id);
			if (this.settings.workers > 0) this.database.fail(execution.id);
			else this.database.crash(execution);
		}
	}

	private streams(id: string): boolean {
		const [start] = this.workflow(this.database.get(id).workflowId).nodes;
		return start?.parameters.responseMode === 'streaming';
	}

	private isRunning(id: string): boolean {
		return this.active.get(id)?.process.alive ?? false;
	}

	private track(): void {
		this.clock.after(0, () => new WaitTracker(this).start(), this.main);
	}
}
