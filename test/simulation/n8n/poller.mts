import type {
	IDataObject,
	INode,
	INodeExecutionData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { callPoll } from '../../helpers/engine/trigger-calls.mts';
import type { N8n } from './host.mts';
import type { Publication } from './publisher.mts';
import { open, pollingNodesOf, type StoredWorkflow } from './workflows.mts';

/** After how many milliseconds n8n abandons a poll, if it has durable cursors. */
const BUDGET = 45_000;

/** Polls regularly (ActiveWorkflowTriggers, and n8n's durable scheduler). */
export class Poller {
	constructor(private readonly n8n: N8n) {}

	/** Lets the nodes of a workflow poll now and regularly, with one copy of its data until it is published again. */
	async add(
		stored: StoredWorkflow,
		publication: Publication,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const { clock, database, main, publisher, settings } = this.n8n;
		const names = pollingNodesOf(stored, main);
		if (names.length === 0) return;
		await database.access();
		const workflow = open(stored, main);
		const isCurrent = () => publisher.publicationOf(stored.id) === publication;
		for (const name of names) {
			await this.poll(stored, workflow, name, activation);
			const again = () => {
				if (!isCurrent()) return;
				void this.poll(stored, workflow, name, activation).catch(() => undefined);
				clock.after(settings.pollInterval * 1000, again);
			};
			clock.after(settings.pollInterval * 1000, again);
		}
		await this.n8n.save(stored, workflow);
	}

	private async poll(
		stored: StoredWorkflow,
		shared: Workflow,
		name: string,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const { main: process, clock, settings, database } = this.n8n;
		// What the trigger emits starts the workflow as it is, so the execution isn't simulated.
		const store = async () => await database.access();
		const isDurable = settings.durableCursors && name === stored.trigger.name;
		const workflow = isDurable ? open(stored, process) : shared;
		const node = workflow.getNode(name);
		if (!node) throw new Error('No node');
		const { call, additional } = this.n8n.newCall('poll', stored.id, process);
		call.node = name;
		const { began } = call;
		const cursor = isDurable ? cursorOf(stored, workflow, node) : undefined;
		const budget = isDurable ? BUDGET : undefined;
		const called = { workflow, node, additional };
		const { instanceBaseUrl: instanceId } = additional;
		const items = await callPoll(called, activation, { cursor, budget, instanceId });
		const start =
			items &&
			this.n8n.startOf(call, {
				workflowId: stored.id,
				trigger: stored.trigger,
				isPoll: true,
				process,
				items: items[0] ?? [],
				began,
			});
		if (cursor) {
			// n8n abandons a poll that takes too long, and repeats it.
			const isAbandoned = clock.now - began > BUDGET;
			if (isAbandoned) return;
			if (start) await this.n8n.store(start, store);
			stored.cursors.set(node.id, JSON.stringify(cursor));
			if (start) this.begin(start);
			return;
		}
		if (!start) return;
		// n8n saves the data and stores the execution at the same time.
		const saving = this.n8n.save(stored, workflow).then(() => {
			start.saved = clock.now;
		});
		void saving.catch(() => undefined);
		void this.n8n.store(start, store).then(
			() => this.begin(start),
			() => undefined,
		);
	}

	private begin(start: { items: INodeExecutionData[]; emission?: unknown }): void {
		Object.assign(start, { emission: { items: start.items, at: this.n8n.clock.now } });
	}
}

/** A copy of a node's durable cursor. It begins with the node's static data. */
function cursorOf({ cursors }: StoredWorkflow, workflow: Workflow, node: INode): IDataObject {
	const stored = cursors.get(node.id) ?? JSON.stringify(workflow.getStaticData('node', node));
	return JSON.parse(stored);
}
