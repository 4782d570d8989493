import { EventEmitter, once } from 'node:events';
import { parse, stringify } from 'flatted';
import type { IRun, IRunExecutionData } from 'n8n-workflow';
import { PATIENCE } from '../until.mts';

export type Status = 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';

/** One execution as in n8n's database. */
export interface StoredExecution {
	id: string;
	status: Status;
	waitTill?: Date;
	/** How often the engine has run it. */
	lives: number;
	/** The engine's latest result. */
	run?: IRun;
}

type Change = Partial<Omit<StoredExecution, 'id'>> & { data?: IRunExecutionData };

/** The executions in n8n's database. It returns copies of their data, as a database does. */
export class ExecutionStore {
	private readonly executions = new Map<string, StoredExecution>();
	private readonly data = new Map<string, string>();
	private readonly events = new EventEmitter().setMaxListeners(100);

	create(data: IRunExecutionData): string {
		const id = String(this.executions.size + 1);
		this.executions.set(id, { id, status: 'running', lives: 0 });
		this.data.set(id, stringify(data));
		return id;
	}

	find(id: string): StoredExecution | undefined {
		return this.executions.get(id);
	}

	/** @throws if there is no such execution */
	of(id: string): StoredExecution {
		const execution = this.find(id);
		if (execution === undefined) throw new Error(`No execution ${id}`);
		return execution;
	}

	/** A copy of the execution's data. */
	load(id: string): IRunExecutionData {
		this.of(id);
		return parse(this.data.get(id) ?? '[]');
	}

	/** Changes an execution if its status is the required one. @returns whether it was */
	update(id: string, { data, ...fields }: Change, required?: (status: Status) => boolean): boolean {
		const execution = this.of(id);
		if (required && !required(execution.status)) return false;
		Object.assign(execution, fields);
		if (data) this.data.set(id, stringify(data));
		this.events.emit('stored');
		return true;
	}

	/** Waits until an execution has one of the statuses. */
	async reaches(id: string, statuses: Status[], milliseconds = PATIENCE): Promise<StoredExecution> {
		const signal = AbortSignal.timeout(milliseconds);
		for (;;) {
			const execution = this.of(id);
			if (statuses.includes(execution.status)) return execution;
			await once(this.events, 'stored', { signal }).catch(() => {
				throw new Error(`After ${milliseconds} ms execution ${id} is ${execution.status}`);
			});
		}
	}
}
