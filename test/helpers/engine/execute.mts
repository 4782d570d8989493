import { WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	IRun,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { useProcessedData, type ProcessedData } from './deduplication.mts';
import { newExecutionData } from './execution-data.mts';
import { loadPackage } from './package.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface ExecuteOptions extends NodeSetup {
	/** The `json` of the input items; by default, one empty item. */
	items?: IDataObject[];
	/** Input with binary data or pairing, instead of `items`. */
	input?: INodeExecutionData[];
	/** By default `manual`, as in the editor. `trigger` and `webhook` mean production. */
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal;
	executionId?: string;
	/** The database's deduplication entries. Without them, the database can't be reached. */
	processedData?: ProcessedData;
	times?: number;
}

export interface Execution {
	/** The node's items by output: first its data, then its error output if there is an error output. */
	items: INodeExecutionData[][];
	error?: ExecutionError;
	hints: NodeExecutionHint[];
	/** Everything that n8n stores about the execution. */
	run: IRun;
}

/** Runs the node under test in n8n's engine, after a node that outputs the items. */
export async function execute(options: ExecuteOptions): Promise<Execution> {
	const { items = [{}], mode = 'manual', times = 1 } = options;
	const { signal, credentials, executionId = '1' } = options;
	const input = options.input ?? items.map((json) => ({ json }));
	const loaded = await loadPackage();
	const { workflow, node, start } = buildWorkflow(loaded, options);
	if (options.processedData) useProcessedData(workflow, options.processedData);
	const data = newExecutionData(
		Array.from({ length: times }, () => ({ node: start, data: { main: [input] }, source: null })),
	);
	const engine = new WorkflowExecute(
		additionalData(loaded, credentials, { mode, executionId }),
		mode,
		data,
	);
	const running = engine.processRunExecutionData(workflow);
	const cancel = () => running.cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	const run = await running.finally(() => signal?.removeEventListener('abort', cancel));
	const [task] = run.data.resultData.runData[node.name] ?? [];
	return {
		items: (task?.data?.main ?? []).map((output) => output ?? []),
		error: run.data.resultData.error,
		hints: task?.hints ?? [],
		run,
	};
}
