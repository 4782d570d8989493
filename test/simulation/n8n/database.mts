import { parse, stringify } from 'flatted';
import type { IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import type { ProcessedData } from '../../helpers/engine/deduplication.mts';
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

/** How long accesses take. */
interface Speed {
	/** The longest access, in milliseconds. */
	longest: number;
	/** How rare long accesses are: with 1, each length is as likely as the others. */
	spread: number;
}

/** Most accesses take 1 ms. */
export const QUIET: Speed = { longest: 300, spread: 6 };

/** One of a hundred accesses to a small table takes more than 50 ms. */
export const SMALL_TABLE: Speed = { longest: 300, spread: 200 };

/** A time in which the database is slow, and in which it may fail in the end. Epoch milliseconds. */
interface Trouble extends Speed {
	from: number;
	/** When it begins to fail. */
	failsFrom: number;
	to: number;
}

/** n8n's database, which outlives its processes. Each access takes time (ExecutionRepository, ProcessedDataRepository). */
export class Database {
	/** Called when an execution has a new status. */
	observe: (execution: StoredExecution) => void = () => {};
	readonly troubles: Trouble[] = [];
	private readonly executions = new Map<string, StoredExecution>();
	private readonly processed = new Map<string, ProcessedData>();

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/**
	 * Lets accesses take longer for some seconds.
	 *
	 * @param after in how many seconds that begins
	 * @param failing for how many seconds the database fails in the end
	 */
	break(speed: Speed, seconds: number, { after = 0, failing = 0 } = {}): void {
		const from = this.clock.now + after * 1000;
		const to = from + seconds * 1000;
		this.troubles.push({ ...speed, from, to, failsFrom: to - failing * 1000 });
	}

	/** Takes as long as an access. @throws Error while the database fails */
	async access(usual = QUIET): Promise<void> {
		const { now } = this.clock;
		const { longest, spread } =
			this.troubles.find(({ from, to }) => from <= now && now < to) ?? usual;
		await this.clock.pause(1 + Math.floor(this.random() ** spread * longest));
		const end = this.clock.now;
		if (this.troubles.some(({ failsFrom, to }) => failsFrom <= end && end < to)) {
			throw new Error('The database does not respond');
		}
	}

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

	/** The table of processed items, for one workflow. */
	processedOf(workflowId: string): ProcessedData {
		const data = this.processed.get(workflowId) ?? new Map();
		this.processed.set(workflowId, data);
		return data;
	}
}

export const isFinal = ({ status }: StoredExecution) => FINAL.includes(status);
