import { stringify } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import type { ProcessedData } from '../../helpers/engine/deduplication.mts';
import {
	ExecutionStore,
	type Change,
	type Status,
	type StoredExecution,
} from '../../helpers/engine/execution-store.mts';
import type { Clock } from '../clock.mts';

/** How long accesses take. */
interface Speed {
	/** The longest access, in milliseconds. */
	longest: number;
	/** How rare long accesses are. With 1, all lengths are equally likely. */
	spread: number;
}

/** Most accesses take 1 ms. */
export const QUIET: Speed = { longest: 300, spread: 6 };

/** One of a hundred accesses to a small table takes more than 50 ms. */
export const SMALL_TABLE: Speed = { longest: 300, spread: 200 };

/** A period in which the database is slow, and may fail in the end. Epoch milliseconds. */
interface Trouble extends Speed {
	from: number;
	/** When it begins to fail. */
	failsFrom: number;
	to: number;
}

/**
 * n8n's database, which outlives its processes. Each access takes time (ExecutionRepository, ProcessedDataRepository).
 */
export class Database {
	/** Its executions as stored now. Reading them doesn't take time. */
	readonly executions: ExecutionStore;
	readonly troubles: Trouble[] = [];
	private readonly processed = new Map<string, ProcessedData>();

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {
		this.executions = new ExecutionStore(() => clock.now);
	}

	/**
	 * Makes accesses slower for a few seconds.
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
		return this.executions.create(fields, stored);
	}

	/** A copy of an execution. */
	async find(id: string): Promise<StoredExecution | undefined> {
		await this.access();
		const found = this.executions.find(id);
		return found && { ...found };
	}

	/** Changes an execution. @returns whether its status allowed the change */
	async update(
		id: string,
		change: Change,
		isAllowed?: (status: Status) => boolean,
	): Promise<boolean> {
		await this.access();
		return this.executions.update(id, change, isAllowed);
	}

	/** A workflow's table of processed items. */
	processedOf(workflowId: string): ProcessedData {
		const data = this.processed.get(workflowId) ?? new Map();
		this.processed.set(workflowId, data);
		return data;
	}
}
