import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	IRun,
	NodeExecutionHint,
	WorkflowExecuteMode,
	WorkflowSettingsBinaryMode,
} from 'n8n-workflow';
import { loadPackage } from './package.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface ExecuteOptions extends NodeSetup {
	/** The input's `json`; one empty item when left out. */
	items?: IDataObject[];
	/** Input with binaries or pairing of its own, instead of `items`. */
	input?: INodeExecutionData[];
	/** `manual` when left out, as with a click in the editor; `trigger` and `webhook` are production. */
	mode?: WorkflowExecuteMode;
	binaryMode?: WorkflowSettingsBinaryMode;
	/** Cancels the execution as the editor's stop button does. */
	signal?: AbortSignal;
	/** Where n8n is reached, for resume addresses. */
	origin?: string;
}

export interface Execution {
	/** The node's items by output: the first is its data, the second its error output where it has one. */
	items: INodeExecutionData[][];
	/** Why the workflow ended with an error; undefined when it did not. */
	error?: ExecutionError;
	hints: NodeExecutionHint[];
	/** All that n8n would store of the execution. */
	run: IRun;
}

/** Runs the node under test in n8n's engine, behind a node that hands it the items. */
export async function execute(options: ExecuteOptions): Promise<Execution> {
	const { items = [{}], mode = 'manual', signal, credentials, origin, binaryMode } = options;
	const input = options.input ?? items.map((json) => ({ json }));
	const loaded = await loadPackage();
	const settings = { ...options.settings, ...(binaryMode && { binaryMode }) };
	const { workflow, node, start } = buildWorkflow(loaded, { ...options, settings });
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node: start, data: { main: [input] }, source: null }] },
	});
	const engine = new WorkflowExecute(
		additionalData(loaded, credentials, { mode, origin }),
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
