import type { IDataObject, INode, Workflow, WorkflowActivateMode } from 'n8n-workflow';
import { callPoll } from '../../helpers/engine/trigger-calls.mts';
import type { N8n } from './host.mts';
import type { Publication } from './publisher.mts';
import { open, pollingNodesOf, type StoredWorkflow } from './workflows.mts';

/** A poll's time limit with durable cursors, and when n8n abandons the poll. Both in milliseconds. */
const BUDGET = { told: 36_000, ends: 45_000 };

/** The longest time that n8n with durable cursors waits after a failed poll, in milliseconds. */
const LONGEST_REST = 30 * 60_000;

/** By how many milliseconds a poll can be early or late. */
const INEXACT = 20;

/** What a publication's polls have in common. */
interface Polling {
	stored: StoredWorkflow;
	publication: Publication;
	/** The copy of the workflow that its hooks and polls share, as long as the process and the publication last. */
	shared: Workflow;
	activation: WorkflowActivateMode;
}

/** Polls regularly (ActiveWorkflowTriggers, PollTriggerTaskHandler). */
export class Poller {
	/** With durable cursors: when a node polls again after failures, and how many polls failed, by node ID. */
	private readonly rests = new Map<string, { until: number; failures: number }>();

	constructor(private readonly n8n: N8n) {}

	/** Makes a workflow's nodes poll now and regularly. @throws what a node's first poll throws */
	async add(polling: Polling): Promise<void> {
		const { clock, main, publisher } = this.n8n;
		const { stored, publication } = polling;
		for (const name of pollingNodesOf(stored, main)) {
			// With durable cursors, n8n doesn't poll when it starts.
			if (!(polling.activation === 'init' && this.n8n.settings.durableCursors)) {
				await this.poll(polling, name, true);
			}
			const again = () => {
				if (!publisher.polls(publication)) return;
				// n8n doesn't wait until an earlier poll ends.
				void this.poll(polling, name, false).catch(() => undefined);
				clock.after(this.interval(), again);
			};
			clock.after(this.interval(), again);
		}
	}

	/** The time until the next poll, in milliseconds. Timers are a little early or late. */
	private interval(): number {
		const { settings, random } = this.n8n;
		return settings.pollInterval * 1000 + Math.floor(random() * 2 * INEXACT) - INEXACT;
	}

	private async poll(polling: Polling, name: string, isFirst: boolean): Promise<void> {
		const { main: process, clock, settings, publisher } = this.n8n;
		const { stored, publication, shared } = polling;
		const isDurable = settings.durableCursors;
		// With durable cursors, all polls except the first open the workflow themselves.
		const workflow = isDurable && !isFirst ? open(stored, process) : shared;
		const node = workflow.getNode(name);
		if (!node) throw new Error('No node');
		const rest = this.rests.get(node.id);
		if (isDurable && !isFirst && rest && rest.until > clock.now) return;
		const { call, additional } = this.n8n.newCall('poll', stored.id, process);
		call.node = name;
		const { began } = call;
		const cursor = isDurable ? cursorOf(stored, workflow, node) : undefined;
		const budget = isDurable && !isFirst ? BUDGET.told : undefined;
		const items = await callPoll({ workflow, node, additional }, polling.activation, {
			cursor,
			budget,
		}).catch((error: unknown) => {
			if (isDurable) this.fail(node);
			throw error;
		});
		this.rests.delete(node.id);
		const isAbandoned = isDurable && !isFirst && clock.now - began > BUDGET.ends;
		// n8n 1 uses a poll's result even if its publication has ended.
		const isSuperseded = settings.hooks !== 'first' && !publisher.polls(publication);
		if (isAbandoned || (isSuperseded && !isFirst)) return;
		// If the first poll doesn't find anything, n8n doesn't commit anything.
		if (cursor && !items && !isFirst) stored.cursors.set(node.id, JSON.stringify(cursor));
		if (!items) return;
		const start = this.n8n.startOf(call, {
			workflowId: stored.id,
			trigger: structuredClone(stored.trigger),
			isPoll: true,
			process,
			items: items[0] ?? [],
			began,
			// n8n 1 passes on what the poll has changed. Later versions read the data before it is saved.
			staticData:
				settings.hooks === 'first' ? JSON.stringify(shared.staticData) : stored.staticData,
		});
		const execution = this.n8n.executions.begin(start, 'trigger', () => {
			if (cursor) stored.cursors.set(node.id, JSON.stringify(cursor));
		});
		// n8n saves the data and stores the execution at the same time.
		const saving = this.n8n.save(stored, workflow).then(() => {
			start.saved = clock.now;
		});
		for (const one of [execution, saving]) void one.catch(() => undefined);
	}

	private fail({ id }: INode): void {
		const failures = (this.rests.get(id)?.failures ?? 0) + 1;
		const rest = Math.min(LONGEST_REST, 1000 * 2 ** failures);
		this.rests.set(id, { until: this.n8n.clock.now + rest, failures });
	}
}

/**
 * A copy of a node's durable cursor. The first copy begins with the node's static data. The cursor exists from then on.
 */
function cursorOf({ cursors }: StoredWorkflow, workflow: Workflow, node: INode): IDataObject {
	const stored = cursors.get(node.id) ?? JSON.stringify(workflow.getStaticData('node', node));
	cursors.set(node.id, stored);
	return JSON.parse(stored);
}
