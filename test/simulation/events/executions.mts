import type { INode, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';
import { useProcessedData, type ProcessedData } from '../../helpers/engine/deduplication.mts';
import { newExecutionData } from '../../helpers/engine/execution-data.mts';
import type { Clock } from '../clock.mts';
import { core } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import type { Start } from './host.mts';

/** An execution that a trigger has started. */
interface Execution {
	start: Start;
	/** The copies of the call that stored it. */
	workflow: Workflow;
	node: INode;
	additional: IWorkflowExecuteAdditionalData;
}

/** Executions of the workflows of one n8n, up to what their trigger emits. */
export class Executions {
	/** The entries of n8n's deduplication, by workflow. */
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
		this.clock.after(1, () => void this.emit(execution, process), process);
	}

	private async emit(execution: Execution, process: N8nProcess): Promise<void> {
		const { start, workflow, node, additional } = execution;
		const type = process.node('MaxunTrigger');
		const { items } = start;
		// Earlier versions of the trigger emit all items.
		if (!type.execute) {
			start.emission = { items };
			return;
		}
		const { access } = this;
		useProcessedData(workflow, this.dataOf(workflow.id), access);
		const data = { main: [items] };
		const context = new core.ExecuteContext(
			workflow,
			node,
			{ ...additional, executionId: `${start.workflowId} ${++this.count}` },
			'webhook',
			newExecutionData(),
			0,
			items,
			data,
			{ node, data, source: null },
			[],
		);
		const output = await type.execute.call(context);
		const [emitted = []] = Array.isArray(output) ? output : [];
		start.emission = { items: emitted ?? [] };
	}

	private dataOf(workflowId: string): ProcessedData {
		const data = this.processedData.get(workflowId) ?? new Map();
		this.processedData.set(workflowId, data);
		return data;
	}
}
