import type { INode, WorkflowActivateMode } from 'n8n-workflow';
import { callHook, register, type HookName } from '../../helpers/engine/trigger-calls.mts';
import { pathOf } from './exchange.mts';
import type { N8n } from './host.mts';
import { open, type StoredWorkflow } from './workflows.mts';

/** n8n's attempts to publish a workflow. */
const ATTEMPTS = 5;

/** n8n's attempts to remove the webhooks of an earlier version. */
const REMOVALS = 3;

/** When n8n begins an interrupted publication again, in milliseconds. */
const LEASE = 120_000;

/** One publication of a workflow, as its user sees it. Times are epoch milliseconds. */
export interface Publication {
	host: N8n;
	workflowId: string;
	/** The trigger that is published. */
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
	/** Whether n8n was killed before all hooks were called. It then shows the workflow as published. */
	wasInterrupted?: boolean;
}

/** Changes a workflow before it is published again. */
export type Change = (stored: StoredWorkflow) => void;

/** Publishes workflows and unpublishes them (WorkflowTriggerActivator). */
export class Publisher {
	readonly publications: Publication[] = [];
	/** The current publication of each workflow. */
	private readonly live = new Map<string, Publication>();
	/** Publications that have not yet removed the old trigger. After a kill, n8n begins them again. */
	private readonly removing = new Map<string, Publication>();

	/** Workflows whose old trigger is removed and whose new one isn't added yet. */
	private readonly between = new Set<string>();

	constructor(private readonly n8n: N8n) {}

	/** Whether n8n knows the webhook of a workflow. */
	isListening(id: string): boolean {
		return this.live.has(id) && !this.between.has(id);
	}

	publicationOf(id: string): Publication | undefined {
		return this.live.get(id);
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

	/** Publishes a changed version: removes the old trigger, then adds the new one. */
	republish(id: string, change: Change): void {
		const { clock, isUsable, workflows } = this.n8n;
		const stored = workflows.get(id);
		const former = this.live.get(id);
		if (!stored || !former || !isUsable) return;
		former.ended ??= { at: clock.now, by: 'publish' };
		const { trigger } = stored;
		change(stored);
		const publication = this.begin(stored);
		this.replace(stored, publication, { former, trigger });
	}

	/** Continues after the main process has started again. */
	restart(): void {
		const { clock, workflows, main, settings } = this.n8n;
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
			} else if (settings.hooksAtStart) {
				clock.after(0, () => void this.activate(stored, publication, 'init'), main);
			} else {
				// An ordinary start calls no hooks of webhook triggers.
				publication.wasInterrupted ||= publication.succeeded === undefined;
				const poll = async () => await this.n8n.poller.add(stored, publication, 'init');
				clock.after(0, () => void poll().catch(() => undefined), main);
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

	private async activate(
		stored: StoredWorkflow,
		publication: Publication,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const { clock, poller } = this.n8n;
		for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
			try {
				// n8n knows the webhook before it calls the hooks.
				this.between.delete(stored.id);
				await register((method) => this.hook(stored, stored, method, activation));
				await poller.add(stored, publication, activation);
				publication.succeeded ??= clock.now;
				this.n8n.onPublished(publication);
				return;
			} catch (error) {
				await this.hook(stored, stored, 'delete', activation).catch(() => undefined);
				// A start of n8n repeats this until it succeeds.
				if (attempt === ATTEMPTS && activation !== 'init') this.fail(publication, String(error));
				await clock.pause(1000 * 2 ** attempt);
			}
		}
		if (activation === 'init') await this.activate(stored, publication, activation);
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
		for (let attempt = 0; attempt < REMOVALS; attempt++) {
			try {
				await this.hook(former, stored, 'delete', 'update');
				return;
			} catch {
				await this.n8n.clock.pause(1000);
			}
		}
	}

	/** Calls a hook with the saved data of this moment, and saves what it changes. */
	private async hook(
		version: StoredWorkflow,
		stored: StoredWorkflow,
		method: HookName,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		if (version.trigger.type !== 'maxunTrigger') return true;
		const { main, database } = this.n8n;
		await database.access();
		const workflow = open(version, main, stored.staticData);
		const node = workflow.getNode(version.trigger.name);
		if (!node) throw new Error('No trigger');
		const { additional } = this.n8n.newCall('hook', stored.id, main);
		const called = { workflow, node, additional, path: pathOf(node) };
		return await callHook(
			called,
			method,
			activation,
			async () => await this.n8n.save(stored, workflow),
		);
	}
}
