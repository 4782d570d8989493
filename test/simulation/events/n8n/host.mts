import type {
	ICredentialDataDecryptedObject,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { serverData } from '../../../helpers/engine/additional-data.mts';
import type { Clock } from '../../clock.mts';
import type { Network } from '../../network.mts';
import { N8nProcess, type NodeCode } from '../../process.mts';
import type { Call, Start, Test } from './calls.mts';
import { AccountCredentials } from './credentials.mts';
import { Database, SPREAD_OF_SMALL_TABLES } from './database.mts';
import { Executions } from './executions.mts';
import { Poller } from './poller.mts';
import { Publisher, type Publication } from './publisher.mts';
import { Receiver } from './receiver.mts';
import { Tester } from './tester.mts';
import type { StoredWorkflow } from './workflow.mts';

export interface HostSettings {
	/** Where this n8n instance is. */
	origin: string;
	/** The URL that it believes to have. */
	publicUrl: string;
	/** Number of webhook processors. With none, the main process receives the events. */
	processors: number;
	/** The longest time that n8n takes to store an execution, in seconds. */
	storing: number;
	/** Seconds between two polls. */
	pollInterval: number;
	/** The probability that n8n can't store an execution. */
	notStored: number;
	/** Whether n8n keeps poll cursors in its database and commits them with the execution. */
	durableCursors: boolean;
	/** Whether each start of n8n calls the hooks of all triggers, as n8n did until 2.39. */
	hooksAtStart: boolean;
}

/**
 * The part of n8n around triggers: it publishes workflows, polls, receives events, and saves static data as n8n does: as a
 * whole, late, and only on some paths. Follows TriggerExecutionContextFactory, WorkflowTriggerActivator, LiveWebhooks,
 * TestWebhooks and executeWebhook of n8n.
 */
export class TriggerHost {
	readonly starts: Start[] = [];
	readonly calls: Call[] = [];
	readonly tests: Test[] = [];
	/** The fields of the credentials, by account. */
	readonly credentials = new Map<string, ICredentialDataDecryptedObject>();
	/** Called when a publication has succeeded. */
	onPublished: (publication: Publication) => void = () => {};
	readonly workflows = new Map<string, StoredWorkflow>();
	/** When n8n could not store an execution. Epoch milliseconds. */
	readonly failedStores: number[] = [];
	/** When n8n was off, or a part of it. Epoch milliseconds. */
	readonly outages: Array<{ from: number; to: number }> = [];
	readonly database: Database;
	readonly executions: Executions;
	readonly publisher: Publisher;
	readonly poller: Poller;
	readonly tester: Tester;
	main: N8nProcess;
	processors: N8nProcess[];
	isOff = false;

	constructor(
		readonly clock: Clock,
		network: Network,
		readonly random: () => number,
		code: NodeCode,
		readonly settings: HostSettings,
	) {
		const named = (name: string) => new N8nProcess(name, code);
		this.main = named('main');
		const { processors } = settings;
		this.processors = Array.from({ length: processors }, (_, index) => named(`processor ${index}`));
		this.database = new Database(clock, random);
		const workers = processors > 0 ? ['worker 0', 'worker 1'].map(named) : [];
		const access = async () => await this.database.access(SPREAD_OF_SMALL_TABLES);
		this.executions = new Executions(clock, random, access, workers);
		this.publisher = new Publisher(this);
		this.poller = new Poller(this);
		this.tester = new Tester(this);
		const receiver = new Receiver(this);
		network.serve(settings.origin, async (request) => await receiver.receive(request));
	}

	/** Whether people and programs can use n8n's editor and API now. */
	get isUsable(): boolean {
		return !this.isOff && this.main.alive;
	}

	/** Kills processes and starts them again after some milliseconds. */
	kill(which: 'main' | 'processors' | 'all', restartAfter: number): void {
		if (which !== 'processors' || this.processors.length === 0) this.main.kill();
		if (which !== 'main') for (const process of this.processors) process.kill();
		const from = this.clock.now;
		this.outages.push({ from, to: from + restartAfter });
		this.clock.after(restartAfter, () => this.restart(), null);
	}

	/** Stops n8n for some milliseconds. */
	stop(milliseconds: number): void {
		this.isOff = true;
		this.kill('all', milliseconds);
	}

	private restart(): void {
		this.isOff = false;
		const wasMainKilled = !this.main.alive;
		this.main = this.main.restarted();
		this.processors = this.processors.map((process) => process.restarted());
		if (wasMainKilled) this.publisher.restart();
	}

	/** Saves the static data of a workflow as a whole, if it was changed (WorkflowStaticDataService). */
	async save(stored: StoredWorkflow, { staticData }: Workflow): Promise<void> {
		if (staticData.__dataChanged !== true) return;
		const text = JSON.stringify(staticData);
		await this.database.access();
		stored.staticData = text;
		staticData.__dataChanged = false;
	}

	/** A call of a node, and what n8n passes to the node. */
	newCall(
		kind: Call['kind'],
		workflowId: string,
		process: N8nProcess,
	): { call: Call; additional: IWorkflowExecuteAdditionalData } {
		const sender = `${this.settings.origin} ${this.calls.length}`;
		const call: Call = { kind, sender, workflowId, process, began: this.clock.now };
		this.calls.push(call);
		const credentials = new AccountCredentials(this.credentials, sender);
		return { call, additional: serverData(credentials, this.settings.publicUrl) };
	}

	/** Notes that a call starts a workflow. Other calls may have begun since. */
	startOf(call: Call, fields: Omit<Start, 'host' | 'accesses'>): Start {
		const start: Start = { host: this, accesses: [], ...fields };
		this.starts.push(start);
		call.start = start;
		return start;
	}

	/** Stores the execution of a start. @throws Error if n8n can't */
	async store(start: Start): Promise<void> {
		await this.clock.pause(this.random() ** 2 * this.settings.storing * 1000);
		if (this.random() < this.settings.notStored) {
			this.failedStores.push(this.clock.now);
			throw new Error('The database is not ready');
		}
		await this.database.access();
		start.stored = this.clock.now;
	}
}
