import type { IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';
import { useProcessedData } from '../../helpers/engine/deduplication.mts';
import { core, workflow as library } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import type { Start } from './calls.mts';
import { SMALL_TABLE } from './database.mts';
import type { N8n } from './host.mts';
import { open, type StoredWorkflow } from './workflows.mts';

/** Executions that a trigger has started, up to what it emits. */
export class Emissions {
	private count = 0;

	constructor(private readonly n8n: N8n) {}

	/** Runs a stored execution, unless its process is killed first. Without workers, the process that stored it runs it. */
	run(start: Start, stored: StoredWorkflow): void {
		const { clock, random, workers } = this.n8n;
		const process = workers[Math.floor(random() * workers.length)] ?? start.process;
		start.executor = process;
		const workflow = open(stored, start.process);
		const { call, additional } = this.n8n.newCall('execution', stored.id, start.process);
		call.start = start;
		const emit = async () => {
			await this.emit(start, workflow, { ...additional, executionId: `${++this.count}` }, process);
			await this.n8n.save(stored, workflow);
		};
		clock.after(1, () => void emit().catch(() => undefined), process);
	}

	private async emit(
		start: Start,
		workflow: Workflow,
		additional: IWorkflowExecuteAdditionalData,
		process: N8nProcess,
	): Promise<void> {
		const { items, trigger, workflowId } = start;
		const { clock, database } = this.n8n;
		const type = process.node('maxunTrigger');
		if (!type.execute) throw new Error('The trigger has no execute()');
		const node = workflow.getNode(trigger.name) ?? trigger;
		const processed = database.processedOf(workflowId);
		useProcessedData(workflow, processed, async () => await this.record(start));
		const data = { main: [items] };
		const context = new core.ExecuteContext(
			workflow,
			node,
			additional,
			'webhook',
			library.createRunExecutionData(),
			0,
			items,
			data,
			{ node, data, source: null },
			[],
		);
		const output = await type.execute.call(context);
		const [emitted = []] = Array.isArray(output) ? output : [];
		start.emission = { items: emitted ?? [], at: clock.now };
	}

	private async record(start: Start): Promise<void> {
		const { clock, database } = this.n8n;
		const from = clock.now;
		try {
			await database.access(SMALL_TABLE);
		} catch (error) {
			start.tableFailed = true;
			throw error;
		} finally {
			start.accesses.push({ from, to: clock.now });
		}
	}
}
