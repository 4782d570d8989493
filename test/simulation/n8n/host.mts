import type {
	IDataObject,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Clock } from '../clock.mts';
import { core, workflow as library } from '../engine.mts';
import type { Network } from '../network.mts';
import { N8nProcess, type NodeCode } from '../process.mts';
import { SimulatedCredentials } from './credentials.mts';
import { Database, type Status } from './database.mts';
import { WaitTracker } from './waitTracker.mts';
import { waitingWebhooks } from './waitingWebhooks.mts';
import { build, type WorkflowPlan } from './workflows.mts';

export const N8N_ORIGIN = 'https://n8n.test';

export interface HostSettings {
	/** Processes that run executions; with one, the main process does everything (regular mode). */
	workers: number;
}

/** What an execution cancels. */
interface Active {
	process: N8nProcess;
	cancel(): void;
}

/**
 * The part of n8n around its engine: it stores executions, runs and resumes them in its processes, and cancels them.
 * Follows the steps of n8n's own classes, whose names are in the comments. The engine itself is n8n's.
 */
export class N8n {
	readonly database: Database;
	main: N8nProcess;
	workers: N8nProcess[];
	private readonly workflows = new Map<string, WorkflowPlan>();
	private readonly active = new Map<string, Active>();

	constructor(
		readonly clock: Clock,
		network: Network,
		private readonly random: () => number,
		private readonly code: NodeCode,
		{ workers }: HostSettings,
	) {
		this.database = new Database(clock, random);
		this.main = new N8nProcess('main', code);
		this.workers =
			workers > 1
				? Array.from({ length: workers }, (_, index) => new N8nProcess(`worker ${index}`, code))
				: [this.main];
		network.serve(N8N_ORIGIN, waitingWebhooks(this));
		clock.as(this.main, () => new WaitTracker(this).start());
	}

	/** Starts a workflow (WorkflowRunner). Belongs to the main process. */
	start(plan: WorkflowPlan, items: IDataObject[], mode: WorkflowExecuteMode): void {
		this.workflows.set(plan.id, plan);
		this.clock.as(this.main, () => void this.begin(plan, items, mode));
	}

	workflowOf(workflowId: string): WorkflowPlan {
		const plan = this.workflows.get(workflowId);
		if (!plan) throw new Error(`No workflow ${workflowId}`);
		return plan;
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
		const living = this.workers.filter(({ alive }) => alive);
		const worker = living[Math.floor(this.random() * living.length)];
		if (worker) this.clock.as(worker, () => void this.engage(worker, id, data));
		return true;
	}

	/** Cancels an execution as the stop button does (ExecutionService). */
	cancel(id: string): void {
		this.clock.as(this.main, () => {
			const active = this.active.get(id);
			if (active?.process.alive) this.clock.as(active.process, () => active.cancel());
			void this.storeCancellation(id);
		});
	}

	/** Kills the processes, and starts them again after a while. Executions that ran are lost. */
	kill(processes: N8nProcess[], restartAfter: number): void {
		for (const process of processes) process.kill();
		this.clock.after(restartAfter, () => this.restart(), null);
	}

	/** What n8n passes to the engine and the nodes of an execution. */
	additionalData(
		id: string,
		plan: WorkflowPlan,
		mode: WorkflowExecuteMode,
		sender: string,
	): IWorkflowExecuteAdditionalData {
		const unavailable = async (): Promise<never> =>
			await Promise.reject(new Error('Not simulated'));
		return {
			credentialsHelper: new SimulatedCredentials(sender),
			externalSecretsProxy: new core.ExternalSecretsProxy(),
			hooks: this.hooks(id, plan, mode),
			executionId: id,
			workflowId: plan.id,
			currentNodeExecutionIndex: 0,
			variables: {},
			instanceBaseUrl: `${N8N_ORIGIN}/`,
			restApiUrl: `${N8N_ORIGIN}/rest`,
			webhookBaseUrl: `${N8N_ORIGIN}/webhook`,
			webhookTestBaseUrl: `${N8N_ORIGIN}/webhook-test`,
			webhookWaitingBaseUrl: `${N8N_ORIGIN}/webhook-waiting`,
			formBaseUrl: `${N8N_ORIGIN}/form`,
			formTestBaseUrl: `${N8N_ORIGIN}/form-test`,
			formWaitingBaseUrl: `${N8N_ORIGIN}/form-waiting`,
			mcpBaseUrl: `${N8N_ORIGIN}/mcp`,
			mcpTestBaseUrl: `${N8N_ORIGIN}/mcp-test`,
			logAiEvent: () => {},
			executeWorkflow: unavailable,
			getRunExecutionData: unavailable,
			getRuntimeCredential: unavailable,
			startRunnerTask: unavailable,
		};
	}

	private async begin(plan: WorkflowPlan, items: IDataObject[], mode: WorkflowExecuteMode) {
		const start = build(plan, this.main).getNode('Start');
		if (!start) throw new Error('No start node');
		const input = items.map((json) => ({ json }));
		const data = library.createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: start, data: { main: [input] }, source: null }],
			},
			resumeToken: 'a'.repeat(64),
		});
		const id = await this.database.create({ workflowId: plan.id, mode }, data);
		await this.run(id, data, 'new');
	}

	private async engage(process: N8nProcess, id: string, data: IRunExecutionData): Promise<void> {
		const execution = this.database.executions.get(id);
		if (!execution) throw new Error(`No execution ${id}`);
		execution.lives++;
		execution.process = process.name;
		const plan = this.workflowOf(execution.workflowId);
		const { mode } = execution;
		const engine = new core.WorkflowExecute(this.additionalData(id, plan, mode, id), mode, data);
		const running = engine.processRunExecutionData(build(plan, process));
		this.active.set(id, { process, cancel: () => running.cancel() });
		await running.catch((error: unknown) => {
			if (!running.isCanceled) throw error;
		});
	}

	private async storeCancellation(id: string): Promise<void> {
		const data = (await this.database.find(id))?.read();
		if (!data) return;
		data.resultData.error = new library.ManualExecutionCancelledError(id);
		await this.database.update(id, { data, status: 'canceled', waitTill: undefined });
	}

	/** Stores what an execution ends or pauses with (hookFunctionsSave). */
	private hooks(id: string, plan: WorkflowPlan, mode: WorkflowExecuteMode) {
		const stored: IWorkflowBase = {
			id: plan.id,
			name: plan.id,
			active: true,
			isArchived: false,
			activeVersionId: null,
			createdAt: new Date(0),
			updatedAt: new Date(0),
			nodes: [],
			connections: {},
		};
		const hooks = new core.ExecutionLifecycleHooks(mode, id, stored);
		hooks.addHandler('workflowExecuteAfter', async (run) => {
			const changes = {
				data: run.data,
				status: statusOf(run),
				finished: run.finished ?? false,
				waitTill: run.waitTill?.getTime(),
			};
			await this.database.update(id, changes, (status) => status !== 'canceled');
			this.active.delete(id);
		});
		return hooks;
	}

	/** Starts killed processes again. Executions that they ran count as crashed (ExecutionRecoveryService). */
	private restart(): void {
		const fresh = (process: N8nProcess) =>
			process.alive ? process : new N8nProcess(process.name, this.code);
		const isRegular = this.workers.includes(this.main);
		const wasMainKilled = !this.main.alive;
		this.main = fresh(this.main);
		this.workers = isRegular ? [this.main] : this.workers.map(fresh);
		for (const execution of this.database.all) {
			const process = this.active.get(execution.id)?.process;
			if (execution.status === 'running' && process?.alive === false) execution.status = 'crashed';
		}
		if (wasMainKilled) this.clock.as(this.main, () => new WaitTracker(this).start());
	}
}

/** The final status of an execution (determineFinalExecutionStatus). */
function statusOf({ status, waitTill, data }: IRun): Status {
	if (waitTill) return 'waiting';
	if (status === 'canceled' || status === 'crashed') return status;
	return status === 'error' || data.resultData.error ? 'error' : 'success';
}
