import type { INode, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';
import { useProcessedData, type ProcessedData } from '../../../helpers/engine/deduplication.mts';
import type { Clock } from '../../clock.mts';
import { core, workflow as library } from '../../engine.mts';
import type { N8nProcess } from '../../process.mts';
import type { Start } from './calls.mts';

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
export class Executions {
	/** The entries of n8n's table of processed items, by workflow. */
	private readonly processedData = new Map<string, ProcessedData>();
	private count = 0;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
		/** Accesses n8n's database. */
		private readonly access: () => Promise<void>,
		/** They share the executions. Without workers, the process that stored an execution runs it. */
		private readonly workers: N8nProcess[],
	) {}

	/** Runs a stored execution, unless its process is killed first. */
	run(execution: Execution): void {
		const worker = this.workers[Math.floor(this.random() * this.workers.length)];
		const process = worker ?? execution.start.process;
		execution.start.executor = process;
		this.clock.after(1, () => void this.emit(execution, process).catch(() => undefined), process);
	}

	private async emit(execution: Execution, process: N8nProcess): Promise<void> {
		const { start, workflow, node, additional, save } = execution;
		const type = process.node('MaxunTrigger');
		const { items } = start;
		if (!type.execute) throw new Error('The trigger has no execute()');
		useProcessedData(workflow, this.dataOf(workflow.id), async () => await this.record(start));
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
		start.emission = { items: emitted ?? [], at: this.clock.now };
		await save();
	}

	private async record(start: Start): Promise<void> {
		const from = this.clock.now;
		try {
			await this.access();
		} catch (error) {
			start.tableFailed = true;
			throw error;
		} finally {
			start.accesses.push({ from, to: this.clock.now });
		}
	}

	private dataOf(workflowId: string): ProcessedData {
		const data = this.processedData.get(workflowId) ?? new Map();
		this.processedData.set(workflowId, data);
		return data;
	}
}
