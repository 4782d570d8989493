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
	/** The process that runs it. */
	process?: string;
}

/** n8n's database, which outlives its processes. Each access takes time. */
export class Database {
	readonly executions = new Map<string, StoredExecution>();

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
		const start = { id, status: 'new' as const, finished: false, lives: 0 };
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
		return true;
	}

	get all(): StoredExecution[] {
		return [...this.executions.values()];
	}

	private async access(): Promise<void> {
		await this.clock.pause(1 + Math.floor(this.random() ** 6 * 300));
	}
}

export const isFinal = ({ status }: StoredExecution) => FINAL.includes(status);
