import type { INode, Workflow, WorkflowActivateMode } from 'n8n-workflow';
import { callHook, register, type HookName } from '../../helpers/engine/trigger-calls.mts';
import { pathOf } from './exchange.mts';
import type { N8n } from './host.mts';
import { open, type StoredWorkflow } from './workflows.mts';

/** How often n8n tries to call the hooks, and to poll for the first time. */
const ATTEMPTS = 5;

/** After how many milliseconds n8n 1 retries a failed start. */
const RESTARTED = 60_000;

/** How often n8n tries to remove an earlier version's webhooks. */
const REMOVALS = 3;

/** When n8n begins an interrupted publication again, in milliseconds. */
const LEASE = 120_000;

/** A workflow's publication, as its user sees it. Times are epoch milliseconds. */
export interface Publication {
	host: N8n;
	workflowId: string;
	trigger: INode;
	hasOtherPoll: boolean;
	/** When the user publishes it. */
	began: number;
	/** When n8n has called all hooks, and the first poll has ended. */
	succeeded?: number;
	/** When n8n gave up, and why. */
	failed?: { at: number; reason: string };
	/** When the user unpublishes it or publishes another version. */
	ended?: { at: number; by: 'unpublish' | 'publish' };
	/** Whether n8n was killed before all hooks were called. n8n then shows the workflow as published. */
	wasInterrupted?: boolean;
}

/** Changes a workflow before it is published again. */
export type Change = (stored: StoredWorkflow) => void;

/** Publishes and unpublishes workflows (WorkflowTriggerActivator). */
export class Publisher {
	readonly publications: Publication[] = [];
	private readonly live = new Map<string, Publication>();
	/** Publications that haven't removed the old trigger yet. After a kill, n8n begins them again. */
	private readonly removing = new Map<string, Publication>();

	/** Workflows between the removal of the old trigger and the addition of the new trigger. */
	private readonly between = new Set<string>();

	/** Workflows that are being published. n8n begins a publication only when the previous one has ended. */
	private readonly activating = new Set<string>();

	constructor(private readonly n8n: N8n) {}

	/** Whether n8n has stored a workflow's webhook. */
	isListening(id: string): boolean {
		return this.live.has(id) && !this.between.has(id);
	}

	publicationOf(id: string): Publication | undefined {
		return this.live.get(id);
	}

	/** Whether n8n polls for a publication. Before n8n calls the hooks of unpublishing, later versions stop polling. */
	polls(publication: Publication): boolean {
		const isEnded = publication.ended !== undefined && this.n8n.settings.hooks !== 'first';
		return this.live.get(publication.workflowId) === publication && !isEnded;
	}

	/** Saves a workflow, and publishes it in the main process. */
	publish(stored: StoredWorkflow): void {
		const { clock, main, isUsable, workflows } = this.n8n;
		workflows.set(stored.id, stored);
		if (!isUsable || this.live.has(stored.id)) return;
		const publication = this.begin(stored);
		clock.after(0, () => void this.activate(stored, publication, 'activate'), main);
	}

	unpublish(id: string): void {
		const { clock, main, isUsable, workflows } = this.n8n;
		const stored = workflows.get(id);
		const publication = this.live.get(id);
		if (!stored || !publication || !isUsable) return;
		publication.ended ??= { at: clock.now, by: 'unpublish' };
		const trigger = structuredClone(stored.trigger);
		clock.after(0, () => void this.deactivate(stored, publication, trigger), main);
	}

	/** Publishes a changed version: removes the old trigger, then adds the new trigger. */
	republish(id: string, change: Change): void {
		const { clock, isUsable, workflows } = this.n8n;
		const stored = workflows.get(id);
		const former = this.live.get(id);
		if (!stored || !former || !isUsable || this.activating.has(id)) return;
		former.ended ??= { at: clock.now, by: 'publish' };
		const { trigger } = stored;
		change(stored);
		const publication = this.begin(stored);
		this.replace(stored, publication, { former, trigger });
	}

	/** Continues when the main process has started again. */
	restart(): void {
		const { clock, workflows, main, settings } = this.n8n;
		this.activating.clear();
		for (const [id, publication] of this.live) {
			const stored = workflows.get(id);
			if (!stored) continue;
			const former = this.removing.get(id);
			if (former) {
				const again = () => {
					if (this.live.get(id) !== publication || this.removing.get(id) !== former) return;
					this.replace(stored, publication, { former, trigger: former.trigger });
				};
				clock.after(LEASE, again, main);
			} else {
				const callsHooks = settings.hooks !== 'not at start';
				publication.wasInterrupted ||= !callsHooks && publication.succeeded === undefined;
				clock.after(0, () => void this.activate(stored, publication, 'init'), main);
			}
		}
	}

	private begin(stored: StoredWorkflow): Publication {
		const { id: workflowId, trigger, others } = stored;
		const publication: Publication = {
			host: this.n8n,
			workflowId,
			trigger: structuredClone(trigger),
			hasOtherPoll: others.length > 0,
			began: this.n8n.clock.now,
		};
		this.publications.push(publication);
		this.activating.add(workflowId);
		this.live.set(workflowId, publication);
		return publication;
	}

	private replace(
		stored: StoredWorkflow,
		publication: Publication,
		{ former, trigger }: { former: Publication; trigger: INode },
	): void {
		const { clock, main } = this.n8n;
		const run = async () => {
			this.removing.set(stored.id, former);
			await this.removeHooks({ ...stored, trigger }, stored);
			this.between.add(stored.id);
			this.removing.delete(stored.id);
			await this.activate(stored, publication, 'update');
		};
		clock.after(0, () => void run(), main);
	}

	/** Calls the hooks and polls for the first time, with one copy of the workflow, and saves what they change. */
	private async activate(
		stored: StoredWorkflow,
		publication: Publication,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const { clock, settings } = this.n8n;
		const isInOne = settings.hooks === 'first';
		let opened: Promise<Workflow> | undefined;
		const share = async () => await (opened ??= this.open(stored, stored));
		const attempts = isInOne ? 1 : ATTEMPTS;
		this.activating.add(stored.id);
		try {
			for (const parts of this.partsOf(stored, publication, activation, share)) {
				await all(parts.map(async (part) => await this.attempt(part, attempts)));
			}
			publication.succeeded ??= clock.now;
		} catch (error) {
			if (activation !== 'init') this.fail(publication, String(error));
			else if (isInOne)
				clock.after(RESTARTED, () => this.again(stored, publication), this.n8n.main);
		}
		const saving = opened?.then(async (workflow) => await this.n8n.save(stored, workflow));
		// If the database fails, n8n only logs this.
		await saving?.catch(() => undefined);
		this.activating.delete(stored.id);
		const isNew = activation !== 'init' && publication.succeeded !== undefined;
		if (isNew) this.n8n.onPublished(publication);
	}

	/**
	 * What n8n does for a publication or when it starts, in order. It does some parts at the same time, and retries each
	 * part that fails.
	 */
	private partsOf(
		stored: StoredWorkflow,
		publication: Publication,
		activation: WorkflowActivateMode,
		share: () => Promise<Workflow>,
	): Array<Array<() => Promise<void>>> {
		const { poller, settings, random } = this.n8n;
		const hooks = async () => {
			const workflow = await share();
			// n8n stores the webhook before it calls the hooks.
			this.between.delete(stored.id);
			try {
				await register(async (method) => await this.hook(workflow, stored, method, activation));
			} catch (error) {
				await this.remove(stored, stored).catch(() => undefined);
				throw error;
			}
		};
		const polls = async () =>
			await poller.add({ stored, publication, shared: await share(), activation });
		if (settings.hooks === 'first') return [[async () => await hooks().then(polls)]];
		if (activation === 'init' && settings.hooks === 'not at start') return [[polls]];
		const orders = [[[hooks], [polls]], [[polls], [hooks]], [[hooks, polls]]];
		return orders[Math.floor(random() * orders.length)] ?? [];
	}

	private async attempt(part: () => Promise<void>, attempts: number): Promise<void> {
		for (let attempt = 1; ; attempt++) {
			try {
				await part();
				return;
			} catch (error) {
				if (attempt >= attempts) throw error;
				await this.n8n.clock.pause(1000 * 2 ** (attempt - 1));
			}
		}
	}

	/** n8n 1 tries to start a workflow until it succeeds. */
	private again(stored: StoredWorkflow, publication: Publication): void {
		if (this.live.get(stored.id) === publication) void this.activate(stored, publication, 'init');
	}

	private fail(publication: Publication, reason: string): void {
		publication.failed = { at: this.n8n.clock.now, reason };
		const { workflowId } = publication;
		if (this.live.get(workflowId) === publication) this.live.delete(workflowId);
	}

	private async deactivate(
		stored: StoredWorkflow,
		publication: Publication,
		trigger: INode,
	): Promise<void> {
		await this.removeHooks({ ...stored, trigger }, stored);
		if (this.live.get(stored.id) === publication) this.live.delete(stored.id);
	}

	/** @param former the version whose hooks are called @param stored the version that gets what the hooks save */
	private async removeHooks(former: StoredWorkflow, stored: StoredWorkflow): Promise<void> {
		const attempts = this.n8n.settings.hooks === 'first' ? 1 : REMOVALS;
		await this.attempt(async () => await this.remove(former, stored), attempts).catch(
			() => undefined,
		);
	}

	/** Calls `delete` with the data saved at this moment, and saves what it changes. */
	private async remove(former: StoredWorkflow, stored: StoredWorkflow): Promise<void> {
		const workflow = await this.open(former, stored);
		await this.hook(workflow, former, 'delete', 'update');
		await this.n8n.save(stored, workflow);
	}

	private async open(version: StoredWorkflow, { staticData }: StoredWorkflow): Promise<Workflow> {
		const { main, database } = this.n8n;
		await database.access();
		return open(version, main, staticData);
	}

	private async hook(
		workflow: Workflow,
		{ id, trigger }: StoredWorkflow,
		method: HookName,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const node = workflow.getNode(trigger.name);
		if (!node) throw new Error('No trigger');
		const { webhooks } = workflow.nodeTypes.getByNameAndVersion(node.type).description;
		if (!webhooks) return true;
		const { additional } = this.n8n.newCall('hook', id, this.n8n.main);
		const called = { workflow, node, additional, path: pathOf(node) };
		return await callHook(called, method, activation, async () => undefined);
	}
}

/** Waits for all, even if one fails. @throws the first error */
async function all(promises: Array<Promise<void>>): Promise<void> {
	const results = await Promise.allSettled(promises);
	for (const result of results) if (result.status === 'rejected') throw result.reason;
}
