import type { IDataObject, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';
import { serverData } from '../../helpers/engine/additional-data.mts';
import type { Clock } from '../clock.mts';
import { ORIGINS } from '../origins.mts';
import { N8nProcess, type NodeCode } from '../process.mts';
import type { Call, Start, Test } from './calls.mts';
import { SimulatedCredentials, type Credentials } from './credentials.mts';
import { Database } from './database.mts';
import { Executions } from './executions.mts';
import { Poller } from './poller.mts';
import { Publisher, type Publication } from './publisher.mts';
import { Receiver } from './receiver.mts';
import { Tester } from './tester.mts';
import { WaitTracker } from './waitTracker.mts';
import type { StoredWorkflow } from './workflows.mts';

const DEFAULTS = {
	origin: ORIGINS.n8n,
	/** The URL that n8n is configured with. */
	publicUrl: ORIGINS.n8n,
	/** The number of workers. If there are none, the main process runs the executions (regular mode). */
	workers: 0,
	/** The number of webhook processors. If there are none, the main process receives the events. */
	processors: 0,
	/** How long n8n takes to store an execution at most, in seconds. */
	storing: 0,
	/** The probability that n8n can't store an execution. */
	notStored: 0,
	/** Seconds between two polls. */
	pollInterval: 300,
	/** Whether n8n keeps poll cursors in its database and commits them with the execution. */
	durableCursors: false,
	/**
	 * When n8n calls hooks. `first`: once, before the first poll (n8n 1). `apart`: up to five times, before, after or during
	 * the first poll. `not at start`: like `apart`, but not when n8n starts.
	 */
	hooks: 'apart',
};

export type HostSettings = Omit<typeof DEFAULTS, 'hooks'> & {
	hooks: 'first' | 'apart' | 'not at start';
};

/**
 * The part of n8n around its engine: its processes, its database, and what runs in them. It follows n8n's own classes,
 * whose names are in the comments. The engine itself is n8n's.
 */
export class N8n {
	readonly settings: HostSettings;
	readonly database: Database;
	main: N8nProcess;
	workers: N8nProcess[];
	processors: N8nProcess[];
	/** Whether somebody has stopped it. */
	isOff = false;
	/** When a part of it was off. Epoch milliseconds. */
	readonly outages: Array<{ from: number; to: number }> = [];
	readonly workflows = new Map<string, StoredWorkflow>();
	readonly credentials: Credentials = new Map();
	/** The values of `$vars`. They can change while an execution is paused. */
	readonly variables: IDataObject = {};
	readonly executions = new Executions(this);
	readonly publisher = new Publisher(this);
	readonly poller = new Poller(this);
	readonly receiver = new Receiver(this);
	readonly tester = new Tester(this);
	/** Called when a publication has succeeded. */
	onPublished: (publication: Publication) => void = () => {};
	readonly starts: Start[] = [];
	readonly calls: Call[] = [];
	/** The workflows whose calls sent requests, by sender. */
	readonly senders = new Map<string, string>();
	readonly tests: Test[] = [];
	/** When n8n could not store an execution. Epoch milliseconds. */
	readonly failedStores: number[] = [];

	constructor(
		readonly clock: Clock,
		readonly random: () => number,
		code: NodeCode,
		settings: Partial<HostSettings>,
		/** Tells n8n instances apart, such as the senders of requests. */
		readonly name = '',
	) {
		this.settings = { ...DEFAULTS, hooks: 'apart', ...settings };
		this.database = new Database(clock, random);
		const processes = (kind: string, length: number) =>
			Array.from({ length }, (_, index) => new N8nProcess(`${kind} ${index}`, code));
		this.main = new N8nProcess('main', code);
		this.workers = processes('worker', this.settings.workers);
		this.processors = processes('processor', this.settings.processors);
		this.track();
	}

	/** Whether people and programs can use n8n's editor and API now. */
	get isUsable(): boolean {
		return !this.isOff && this.main.alive;
	}

	/** Kills processes, and starts them again after some milliseconds. */
	kill(processes: N8nProcess[], restartAfter: number): void {
		for (const process of processes) process.kill();
		const from = this.clock.now;
		this.outages.push({ from, to: from + restartAfter });
		this.executions.loseKilled();
		this.clock.after(restartAfter, () => this.restart(), null);
	}

	/** Stops n8n for some milliseconds. */
	stop(milliseconds: number): void {
		this.isOff = true;
		this.kill([this.main, ...this.processors], milliseconds);
	}

	/** Starts killed processes again. */
	private restart(): void {
		this.isOff = false;
		const wasMainKilled = !this.main.alive;
		this.main = this.main.restarted();
		this.workers = this.workers.map((process) => process.restarted());
		this.processors = this.processors.map((process) => process.restarted());
		this.executions.restart();
		if (!wasMainKilled) return;
		this.track();
		this.publisher.restart();
	}

	private track(): void {
		this.clock.after(0, () => new WaitTracker(this).start(), this.main);
	}

	workflow(id: string): StoredWorkflow {
		const found = this.workflows.get(id);
		if (!found) throw new Error(`No workflow ${id}`);
		return found;
	}

	/** Saves a workflow's whole static data if it was changed (WorkflowStaticDataService). */
	async save(stored: StoredWorkflow, { staticData }: Pick<Workflow, 'staticData'>): Promise<void> {
		if (staticData.__dataChanged !== true) return;
		const text = JSON.stringify(staticData);
		await this.database.access();
		stored.staticData = text;
		staticData.__dataChanged = false;
	}

	/**
	 * A call of a node, and what n8n passes to the node (WorkflowExecuteAdditionalData). @param sender of the call's
	 * requests
	 */
	newCall(
		kind: Call['kind'],
		workflowId: string,
		process: N8nProcess,
		sender = `${this.name}call ${this.calls.length}`,
	): { call: Call; additional: IWorkflowExecuteAdditionalData } {
		const call: Call = { kind, sender, workflowId, process, began: this.clock.now };
		this.calls.push(call);
		this.senders.set(sender, workflowId);
		const credentials = new SimulatedCredentials(this.credentials, sender);
		const variables = { ...this.variables };
		const own = { variables, instanceBaseUrl: this.settings.origin };
		return { call, additional: serverData(credentials, this.settings.publicUrl, own) };
	}

	/** Records that a call starts a workflow. Other calls may have begun since. */
	startOf(call: Call, fields: Omit<Start, 'host' | 'accesses'>): Start {
		const start: Start = { host: this, accesses: [], ...fields };
		this.starts.push(start);
		call.start = start;
		return start;
	}

	/** Stores a start's execution. @returns what `create` returns @throws Error if n8n can't store it */
	async store<T>(start: Start, create: () => Promise<T>): Promise<T> {
		await this.clock.pause(this.random() ** 2 * this.settings.storing * 1000);
		if (this.random() < this.settings.notStored) {
			this.failedStores.push(this.clock.now);
			throw new Error('The database is not ready');
		}
		const created = await create();
		start.stored = this.clock.now;
		return created;
	}
}
