import type {
	INodeExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Clock } from '../clock.mts';
import { additionalData } from '../n8n/additionalData.mts';
import type { Network, Request, Response } from '../network.mts';
import { N8nProcess, type NodeCode } from '../process.mts';
import { deliveryContext, hookContext, pollContext } from './contexts.mts';
import { Executions } from './executions.mts';
import { WebhookResponse } from './response.mts';
import { open, pollingNodesOf, type StoredWorkflow } from './workflow.mts';

/** n8n's attempts to publish a workflow. */
const ATTEMPTS = 5;

/** When n8n begins an interrupted publication again, in milliseconds. */
const LEASE = 120_000;

/** How long n8n's database takes at most, in milliseconds. */
const LONGEST_ACCESS = 300;

/** The trigger looks for its records again after 100 ms. docs/reliability.md says what happens if n8n takes longer. */
const LONGEST_RECORD = 45;

export interface HostSettings {
	origin: string;
	/** Number of webhook processors. With none, the main process receives the deliveries. */
	processors: number;
	/** The longest time that n8n takes to store an execution, in seconds. */
	storing: number;
	/** Seconds between two polls. */
	pollInterval: number;
	/** The probability that n8n can't store an execution. */
	notStored: number;
	/** The time zone in the credential of the self-hosted server. */
	timezone: string;
}

/** Items that start a workflow. Times are epoch milliseconds. */
export interface Start {
	host: TriggerHost;
	workflowId: string;
	trigger: string;
	isPoll: boolean;
	process: N8nProcess;
	items: INodeExecutionData[];
	/** When the delivery arrived or the poll began. */
	began: number;
	/** When n8n stored the execution. */
	stored?: number;
	/** When n8n saved the static data. */
	saved?: number;
	/** What the trigger emitted at the beginning of the execution. */
	emission?: { items: INodeExecutionData[] };
}

/** One call of a node, and how many requests it sent. */
export interface Call {
	kind: 'delivery' | 'poll' | 'hook';
	sender: string;
	workflowId: string;
	process: N8nProcess;
	began: number;
	start?: Start;
}

interface Publication {
	process: N8nProcess;
}

/** Changes a workflow before it is published again. */
type Change = (stored: StoredWorkflow) => StoredWorkflow;

/**
 * The part of n8n around triggers: it publishes workflows, polls, receives deliveries, and saves static data as n8n
 * does: as a whole, late, and only on some paths. Follows TriggerExecutionContextFactory, WorkflowTriggerActivator,
 * LiveWebhooks and executeWebhook of n8n.
 */
export class TriggerHost {
	/** Values that n8n passes to the nodes. */
	readonly variables = {};
	readonly hasCredentials = true;
	/** The time zone of the self-hosted server, according to its credential. */
	timezone: string;
	readonly starts: Start[] = [];
	readonly calls: Call[] = [];
	/** When triggers were registered, in order. */
	readonly registrations: Array<{ workflowId: string; at: number }> = [];
	/** Workflows whose publication failed, and why. */
	readonly refused: string[] = [];
	main: N8nProcess;
	private processors: N8nProcess[];
	private isOff = false;
	/** Workflows whose registration began and didn't end. After a kill, n8n doesn't continue it. */
	private readonly registering = new Set<string>();
	/** Publications that have not yet removed the old trigger. After a kill, n8n begins them again. */
	private readonly removing = new Map<string, Change>();
	private readonly published = new Map<string, Publication>();
	private readonly workflows = new Map<string, StoredWorkflow>();
	private readonly executions: Executions;

	constructor(
		readonly clock: Clock,
		network: Network,
		private readonly random: () => number,
		private readonly code: NodeCode,
		readonly settings: HostSettings,
	) {
		this.timezone = settings.timezone;
		this.main = new N8nProcess('main', code);
		this.processors = Array.from(
			{ length: settings.processors },
			(_, index) => new N8nProcess(`processor ${index}`, code),
		);
		const workers = ['worker 0', 'worker 1'].map((name) => new N8nProcess(name, code));
		this.executions = new Executions(
			clock,
			random,
			async () => await this.access(LONGEST_RECORD),
			settings.processors > 0 ? workers : [],
		);
		network.serve(settings.origin, async (request) => await this.receive(request));
	}

	/** Saves a workflow, and publishes it in the main process. */
	publish(stored: StoredWorkflow): void {
		this.workflows.set(stored.id, stored);
		if (this.isOff || !this.main.alive) return;
		this.clock.after(0, () => void this.activate(stored, 'activate'), this.main);
	}

	unpublish(id: string): void {
		const stored = this.workflows.get(id);
		if (!stored || this.isOff || !this.main.alive) return;
		this.clock.after(0, () => void this.deactivate(stored), this.main);
	}

	/** Publishes a changed version: removes the old trigger, then adds the new one. */
	republish(id: string, change: Change): void {
		const stored = this.workflows.get(id);
		if (!stored || this.isOff || !this.main.alive) return;
		const publishAgain = async () => {
			this.removing.set(id, change);
			if (this.published.has(id)) await this.deactivate(stored);
			this.removing.delete(id);
			const changed = change(stored);
			this.workflows.set(id, changed);
			await this.activate(changed, 'activate');
		};
		this.clock.after(0, () => void publishAgain(), this.main);
	}

	isPublished(id: string): boolean {
		return this.published.has(id);
	}

	/** Whether n8n has called all hooks that publish the workflow. */
	isRegistered(id: string): boolean {
		return this.published.has(id) && !this.registering.has(id);
	}

	workflow(id: string): StoredWorkflow | undefined {
		return this.workflows.get(id);
	}

	get all(): StoredWorkflow[] {
		return [...this.workflows.values()];
	}

	/** Kills processes and starts them again after some milliseconds. */
	kill(which: 'main' | 'processors' | 'all', restartAfter: number): void {
		if (which !== 'processors' || this.processors.length === 0) this.main.kill();
		if (which !== 'main') for (const process of this.processors) process.kill();
		this.clock.after(restartAfter, () => this.restart(), null);
	}

	/** Stops n8n for some milliseconds. */
	stop(milliseconds: number): void {
		this.isOff = true;
		this.kill('all', milliseconds);
	}

	private restart(): void {
		this.isOff = false;
		const fresh = (process: N8nProcess) =>
			process.alive ? process : new N8nProcess(process.name, this.code);
		const wasMainKilled = !this.main.alive;
		this.main = fresh(this.main);
		this.processors = this.processors.map(fresh);
		if (!wasMainKilled) return;
		for (const [id, change] of this.removing) {
			const again = () => this.removing.get(id) === change && this.republish(id, change);
			this.clock.after(LEASE, again, this.main);
		}
		// An ordinary start calls no hooks of webhook triggers.
		for (const id of this.published.keys()) {
			const stored = this.workflows.get(id);
			if (!stored) continue;
			this.published.set(id, { process: this.main });
			this.clock.after(0, () => void this.addPolls(stored, 'init'), this.main);
		}
	}

	private async activate(stored: StoredWorkflow, activation: WorkflowActivateMode): Promise<void> {
		for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
			try {
				this.published.set(stored.id, { process: this.main });
				if (stored.trigger.type === 'maxunTrigger') await this.register(stored, activation);
				await this.addPolls(stored, activation);
				return;
			} catch (error) {
				this.published.delete(stored.id);
				if (attempt === ATTEMPTS) this.refused.push(`${stored.id}: ${String(error)}`);
				await this.hook(stored, 'delete', activation).catch(() => undefined);
				await this.clock.pause(1000 * 2 ** attempt);
			}
		}
	}

	private async register(stored: StoredWorkflow, activation: WorkflowActivateMode): Promise<void> {
		this.registering.add(stored.id);
		const exists = await this.hook(stored, 'checkExists', activation);
		if (!exists) await this.hook(stored, 'create', activation);
		this.registering.delete(stored.id);
		this.registrations.push({ workflowId: stored.id, at: this.clock.now });
	}

	private async deactivate(stored: StoredWorkflow): Promise<void> {
		for (let attempt = 0; attempt < 3; attempt++) {
			try {
				if (stored.trigger.type === 'maxunTrigger') await this.hook(stored, 'delete', 'activate');
				break;
			} catch {
				await this.clock.pause(1000);
			}
		}
		this.published.delete(stored.id);
	}

	/** Calls a hook with the saved data of this moment, and saves what it changes. */
	private async hook(
		stored: StoredWorkflow,
		method: 'checkExists' | 'create' | 'delete',
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		if (stored.trigger.type !== 'maxunTrigger') return true;
		await this.access();
		const workflow = open(stored, this.main);
		const node = workflow.getNode(stored.trigger.name);
		if (!node) throw new Error('No trigger');
		const { additional } = this.newCall('hook', stored.id, this.main);
		const context = hookContext(workflow, node, additional, { stored, activation });
		const run = this.main.node('MaxunTrigger').webhookMethods?.default?.[method];
		if (!run) throw new Error(`No ${method}`);
		try {
			return await run.call(context);
		} finally {
			await this.save(stored, workflow);
		}
	}

	/** Lets the nodes of a workflow poll now and regularly, with one copy of its data until it is published again. */
	private async addPolls(stored: StoredWorkflow, activation: WorkflowActivateMode): Promise<void> {
		const publication = this.published.get(stored.id);
		const names = pollingNodesOf(stored);
		const interval = this.settings.pollInterval * 1000;
		if (names.length === 0 || !publication) return;
		await this.access();
		const workflow = open(stored, this.main);
		const isCurrent = () => this.published.get(stored.id) === publication;
		for (const name of names) {
			await this.poll(stored, workflow, name, activation);
			const again = () => {
				if (!isCurrent()) return;
				void this.poll(stored, workflow, name, activation).catch(() => undefined);
				this.clock.after(interval, again);
			};
			this.clock.after(interval, again);
		}
		await this.save(stored, workflow);
	}

	private async poll(
		stored: StoredWorkflow,
		workflow: Workflow,
		name: string,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const process = this.main;
		const node = workflow.getNode(name);
		if (!node) throw new Error('No node');
		const { call, additional } = this.newCall('poll', stored.id, process);
		const began = this.clock.now;
		const context = pollContext(workflow, node, additional, activation);
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, 1);
		const items = await type.poll?.call(context);
		if (!items) return;
		const start = this.startOf(call, {
			workflowId: stored.id,
			trigger: name,
			isPoll: true,
			process,
			items: items[0] ?? [],
			began,
		});
		// n8n saves the data and stores the execution at the same time.
		void this.save(stored, workflow).then(() => {
			start.saved = this.clock.now;
		});
		start.emission = { items: start.items };
		void this.store(start);
	}

	/** Notes that a call starts a workflow. Other calls may have begun since. */
	private startOf(call: Call, fields: Omit<Start, 'host'>): Start {
		const start: Start = { host: this, ...fields };
		this.starts.push(start);
		call.start = start;
		return start;
	}

	private async store(start: Start): Promise<void> {
		await this.clock.pause(this.random() ** 2 * this.settings.storing * 1000);
		await this.access();
		start.stored = this.clock.now;
	}

	/** A call from outside, such as a delivery. */
	private async receive(request: Request): Promise<Response> {
		const candidates = this.processors.length > 0 ? this.processors : [this.main];
		const process = candidates[Math.floor(this.random() * candidates.length)] ?? this.main;
		if (this.isOff || !process.alive) return { status: 502, body: 'Bad gateway' };
		return await new Promise<Response>((resolve) =>
			this.clock.after(0, () => void this.call(process, request).then(resolve), process),
		);
	}

	private async call(process: N8nProcess, { url, body }: Request): Promise<Response> {
		const began = this.clock.now;
		await this.access();
		const stored = this.all.find(
			({ id, trigger }) =>
				this.published.has(id) && url.pathname === `/webhook/${trigger.webhookId}/webhook`,
		);
		if (!stored) return { status: 404, body: { message: 'Not registered' } };
		const workflow = open(stored, process);
		const node = workflow.getNode(stored.trigger.name);
		const type = process.node('MaxunTrigger');
		if (!node || !type.webhook) return { status: 404, body: '' };
		const response = new WebhookResponse();
		const { call, additional } = this.newCall('delivery', stored.id, process);
		const exchange = { stored, url, body, response };
		const context = deliveryContext(workflow, node, additional, exchange);
		try {
			const result = await type.webhook.call(context);
			if (result.workflowData && !result.noWebhookResponse) {
				const [items = []] = result.workflowData;
				const { id: workflowId } = stored;
				const fields = { workflowId, trigger: node.name, isPoll: false, process, items, began };
				const start = this.startOf(call, fields);
				// The execution opens the workflow itself, and its copy resets the mark of changed data.
				Object.assign(workflow.staticData, { __dataChanged: false });
				if (this.random() < this.settings.notStored) {
					this.starts.splice(this.starts.indexOf(start), 1);
					throw new Error('The database is not ready');
				}
				await this.store(start);
				this.executions.run({ start, workflow: open(stored, process), node, additional });
				const answer = result.webhookResponse;
				await this.save(stored, workflow);
				start.saved = this.clock.now;
				response.json(answer);
			} else {
				response.json(result.webhookResponse);
				await this.save(stored, workflow);
			}
		} catch (error) {
			response.status(500).json({ message: String(error) });
		}
		return { status: response.statusCode, body: response.body };
	}

	/** Saves the static data of a workflow as a whole, if it was changed (WorkflowStaticDataService). */
	private async save(stored: StoredWorkflow, { staticData }: Workflow): Promise<void> {
		if (staticData.__dataChanged !== true) return;
		const text = JSON.stringify(staticData);
		await this.access();
		stored.staticData = text;
		staticData.__dataChanged = false;
	}

	/** A call of a node, and what n8n passes to the node. */
	private newCall(
		kind: Call['kind'],
		workflowId: string,
		process: N8nProcess,
	): {
		call: Call;
		additional: IWorkflowExecuteAdditionalData;
	} {
		const sender = `${this.settings.origin} ${this.calls.length}`;
		const call: Call = { kind, sender, workflowId, process, began: this.clock.now };
		this.calls.push(call);
		return { call, additional: additionalData(this, sender, this.settings.origin) };
	}

	private async access(longest = LONGEST_ACCESS): Promise<void> {
		await this.clock.pause(1 + Math.floor(this.random() ** 6 * longest));
	}
}
