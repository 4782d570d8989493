import type { INode, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';
import { useProcessedData } from '../../helpers/engine/deduplication.mts';
import { core, workflow as library } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import type { Start } from './calls.mts';
import { SMALL_TABLE } from './database.mts';
import type { N8n } from './host.mts';

/** An execution that a trigger has started. */
export interface Execution {
	start: Start;
	/** The copies of the call that stored it. */
	workflow: Workflow;
	node: INode;
	additional: IWorkflowExecuteAdditionalData;
	/** Saves static data that the execution changed, as a whole, when it ends. */
	save(): Promise<void>;
}

/** Executions of the workflows of one n8n instance, up to what their trigger emits. */
export class Emissions {
	private count = 0;

	constructor(private readonly n8n: N8n) {}

	/** Runs a stored execution, unless its process is killed first. */
	run(execution: Execution): void {
		const { clock, random, workers } = this.n8n;
		const worker = workers[Math.floor(random() * workers.length)];
		const process = worker ?? execution.start.process;
		execution.start.executor = process;
		clock.after(1, () => void this.emit(execution, process).catch(() => undefined), process);
	}

	private async emit(execution: Execution, process: N8nProcess): Promise<void> {
		const { start, workflow, node, additional, save } = execution;
		const type = process.node('maxunTrigger');
		const { items } = start;
		const { clock, database } = this.n8n;
		if (!type.execute) throw new Error('The trigger has no execute()');
		useProcessedData(
			workflow,
			database.processedOf(start.workflowId),
			async () => await this.record(start),
		);
		const data = { main: [items] };
		const context = new core.ExecuteContext(
			workflow,
			node,
			{ ...additional, executionId: `${start.workflowId} ${++this.count}` },
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
		await save();
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
