import { parse, stringify } from 'flatted';
import type { IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import type { Clock } from '../clock.mts';

export type Status = 'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';

const FINAL: Status[] = ['success', 'error', 'canceled', 'crashed'];

/** One execution as n8n stores it. */
export interface StoredExecution {
	readonly id: string;
	readonly workflowId: string;
	readonly mode: WorkflowExecuteMode;
	status: Status;
	finished: boolean;
	/** Epoch milliseconds. */
	waitTill?: number;
	/** Its data, serialized. */
	data: string;
	/** How often the engine has run it. */
	lives: number;
	/** Whether n8n's database failed while n8n stored its end or pause, so that n8n has lost it. */
	wasNotStored?: boolean;
	/** Whether a cancellation reached no engine. If n8n was just starting or resuming the execution, it continues. */
	wasCanceledUnnoticed?: boolean;
	/** The node that has started and not ended, according to n8n's event log. */
	runningNode?: string;
	/** Its earlier statuses, with the time of each in epoch milliseconds. */
	readonly trail: Array<{ status: Status; at: number }>;
}

/** n8n's database, which outlives its processes. Each access takes time. */
export class Database {
	/** Called when an execution has a new status. */
	observe: (execution: StoredExecution) => void = () => {};
	private readonly executions = new Map<string, StoredExecution>();
	private trouble = { slowUntil: 0, failsUntil: 0 };

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	async create(
		fields: Pick<StoredExecution, 'workflowId' | 'mode'>,
		data: IRunExecutionData,
	): Promise<string> {
		const stored = stringify(data);
		await this.access();
		const id = String(this.executions.size + 1);
		const start = { id, status: 'new' as const, finished: false, lives: 0, trail: [] };
		this.executions.set(id, { ...fields, ...start, data: stored });
		return id;
	}

	/** Lets the database become slow, and then fail. Both in seconds. */
	break(slow: number, failing: number): void {
		const slowUntil = this.clock.now + slow * 1000;
		this.trouble = { slowUntil, failsUntil: slowUntil + failing * 1000 };
	}

	/** A copy of an execution with its data. */
	async find(id: string): Promise<(StoredExecution & { read(): IRunExecutionData }) | undefined> {
		await this.access();
		const found = this.executions.get(id);
		return found && { ...found, read: (): IRunExecutionData => parse(found.data) };
	}

	/** Changes an execution. @returns whether its status allowed that */
	async update(
		id: string,
		{
			data,
			...changes
		}: Partial<Omit<StoredExecution, 'id' | 'data'>> & { data?: IRunExecutionData },
		isAllowed: (status: Status) => boolean = () => true,
	): Promise<boolean> {
		const stored = data && stringify(data);
		await this.access();
		const found = this.executions.get(id);
		if (!found || !isAllowed(found.status)) return false;
		Object.assign(found, changes, stored && { data: stored });
		if (changes.status) this.mark(found, changes.status);
		return true;
	}

	/** An execution as it is stored now, without an access that takes time. */
	get(id: string): StoredExecution {
		const found = this.executions.get(id);
		if (!found) throw new Error(`No execution ${id}`);
		return found;
	}

	/** Stores a failure instead of the data, as n8n does if a worker is gone. */
	fail(id: string): void {
		const found = this.get(id);
		const data: IRunExecutionData = parse(found.data);
		Object.assign(data.resultData, { error: { message: 'Workflow did not finish' } });
		found.data = stringify(data);
		this.mark(found, 'error');
	}

	/**
	 * Marks an execution as crashed (ExecutionRecoveryService). The node that was running gets an error, unless the stored
	 * data has a log entry of it, for example from before a pause.
	 */
	crash(execution: StoredExecution): void {
		const { runningNode } = execution;
		const data: IRunExecutionData = parse(execution.data);
		if (runningNode !== undefined && data.resultData.runData[runningNode] === undefined) {
			const error = { message: 'Workflow did not finish, possible out-of-memory issue' };
			Object.assign(data.resultData, { error, lastNodeExecuted: runningNode });
			execution.data = stringify(data);
		}
		this.mark(execution, 'crashed');
	}

	mark(execution: StoredExecution, status: Status): void {
		execution.status = status;
		execution.trail.push({ status, at: this.clock.now });
		this.observe(execution);
	}

	get all(): StoredExecution[] {
		return [...this.executions.values()];
	}

	/** @throws an error while the database fails */
	private async access(): Promise<void> {
		const { slowUntil, failsUntil } = this.trouble;
		const isSlow = this.clock.now < slowUntil;
		await this.clock.pause(
			1 + Math.floor(this.random() ** (isSlow ? 1 : 6) * (isSlow ? 15_000 : 300)),
		);
		if (this.clock.now > slowUntil && this.clock.now < failsUntil) {
			throw new Error('The database does not respond');
		}
	}
}

export const isFinal = ({ status }: StoredExecution) => FINAL.includes(status);
