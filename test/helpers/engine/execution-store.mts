import { parse, stringify } from 'flatted';
import type { IRun, IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

const FINAL = ['success', 'error', 'canceled', 'crashed'] as const;

export type Status = 'new' | 'running' | 'waiting' | (typeof FINAL)[number];

/** An execution as n8n stores it (ExecutionEntity). */
export interface StoredExecution {
	readonly id: string;
	readonly workflowId: string;
	readonly mode: WorkflowExecuteMode;
	status: Status;
	finished: boolean;
	waitTill?: number;
	data: string;
	/** How often the engine has run it. */
	lives: number;
	/** The engine's latest result, for engine tests. */
	run?: IRun;
	/** Its earlier statuses, and when each status began in epoch milliseconds. */
	readonly trail: Array<{ status: Status; at: number }>;
	/** The node that is running, according to n8n's event log. */
	runningNode?: string;
	/** Whether n8n lost the execution, because its database failed while n8n stored the end or the pause. */
	wasNotStored?: boolean;
	/** Whether no engine noticed its cancellation. If n8n was just starting or resuming the execution, it continues. */
	wasCanceledUnnoticed?: boolean;
	/** Whether it was canceled after its node had paused it, but before n8n had stored the pause. */
	wasCanceledWhilePausing?: boolean;
}

export type Change = Partial<Omit<StoredExecution, 'id' | 'trail'>>;

/** What n8n stores when an execution ends or pauses (hookFunctionsSave, determineFinalExecutionStatus). */
export const endOf = ({ status, waitTill, data, finished = false }: IRun) => ({
	status: statusOf(status, waitTill, data),
	waitTill: waitTill?.getTime(),
	finished,
	data: stringify(data),
});

function statusOf(
	status: IRun['status'],
	waitTill: IRun['waitTill'],
	{ resultData }: IRunExecutionData,
): Status {
	if (waitTill) return 'waiting';
	if (status === 'canceled' || status === 'crashed') return status;
	return status === 'error' || resultData.error ? 'error' : 'success';
}

export const isFinal = ({ status }: StoredExecution): boolean =>
	FINAL.some((final) => final === status);

export class ExecutionStore {
	observe: (execution: StoredExecution) => void = () => {};
	private readonly executions = new Map<string, StoredExecution>();

	constructor(private readonly now: () => number = Date.now) {}

	create(fields: Pick<StoredExecution, 'workflowId' | 'mode'>, data: string): string {
		const id = String(this.executions.size + 1);
		const start = { id, status: 'new' as const, finished: false, lives: 0, trail: [] };
		this.executions.set(id, { ...fields, ...start, data });
		return id;
	}

	get all(): StoredExecution[] {
		return [...this.executions.values()];
	}

	find(id: string): StoredExecution | undefined {
		return this.executions.get(id);
	}

	of(id: string): StoredExecution {
		const found = this.find(id);
		if (!found) throw new Error(`No execution ${id}`);
		return found;
	}

	load(id: string): IRunExecutionData {
		return parse(this.of(id).data);
	}

	/** Changes an execution. @returns whether its status allowed the change */
	update(id: string, change: Change, isAllowed: (status: Status) => boolean = () => true): boolean {
		const found = this.find(id);
		if (!found || !isAllowed(found.status)) return false;
		Object.assign(found, change);
		if (change.status) this.mark(found, change.status);
		return true;
	}

	fail(id: string): void {
		const data = this.load(id);
		Object.assign(data.resultData, { error: { message: 'Workflow did not finish' } });
		this.update(id, { data: stringify(data), status: 'error' });
	}

	/**
	 * Marks an execution as crashed (ExecutionRecoveryService). The node that was running gets an error, unless the
	 * stored data has a log entry for it, for example from before a pause.
	 */
	crash(id: string): void {
		const { runningNode } = this.of(id);
		const data = this.load(id);
		if (runningNode !== undefined && data.resultData.runData[runningNode] === undefined) {
			const error = { message: 'Workflow did not finish, possible out-of-memory issue' };
			Object.assign(data.resultData, { error, lastNodeExecuted: runningNode });
			this.update(id, { data: stringify(data) });
		}
		this.update(id, { status: 'crashed' });
	}

	private mark(execution: StoredExecution, status: Status): void {
		execution.trail.push({ status, at: this.now() });
		this.observe(execution);
	}
}
