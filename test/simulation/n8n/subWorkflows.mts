import { parse, stringify } from 'flatted';
import type {
	ExecuteWorkflowData,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	RelatedExecution,
} from 'n8n-workflow';
import type { N8nProcess } from '../process.mts';
import type { N8n } from './host.mts';

/** Runs other workflows within an execution (n8n's executeWorkflow and startExecution). */
export const subWorkflows =
	(n8n: N8n, process: N8nProcess): IWorkflowExecuteAdditionalData['executeWorkflow'] =>
	async ({ id: workflowId = '' }, _additional, options): Promise<ExecuteWorkflowData> => {
		const { inputData = [{ json: {} }], parentExecution } = options;
		const data = n8n.executions.dataFor(
			n8n.workflow(workflowId).trigger,
			inputData,
			parentExecution,
		);
		const id = await n8n.database.create({ workflowId, mode: 'integrated' }, data);
		await n8n.database.update(id, { status: 'running' });
		const run = await n8n.executions.engage(process, id, data);
		if (run.finished !== true && run.status !== 'waiting') {
			throw run.data.resultData.error ?? new Error('The sub-workflow failed');
		}
		return { executionId: id, data: lastData(run)?.main ?? [null], waitTill: run.waitTill };
	};

/** The data of the last executed node (getLastExecutedNodeData). */
function lastData({ data: { resultData } }: IRun) {
	return resultData.runData[resultData.lastNodeExecuted ?? '']?.at(-1)?.data;
}

/** Resumes the parent that waits for this execution (WaitTracker, updateParentExecutionWithChildResults). */
export async function resumeParent(n8n: N8n, child: string, run: IRun): Promise<void> {
	const { parentExecution } = run.data;
	if (!parentExecution || run.status === 'waiting') return;
	if (n8n.database.executions.of(child).lives < 2) return; // The parent is still running and gets the result itself.
	await resume(n8n, parentExecution, child, run);
}

async function resume(
	n8n: N8n,
	{ executionId }: RelatedExecution,
	child: string,
	run: IRun,
): Promise<void> {
	const { error } = run.data.resultData;
	const output = lastData(run);
	if (!error && !output) return;
	const parent = await n8n.database.find(executionId);
	if (parent?.status !== 'waiting') return;
	const data: IRunExecutionData = parse(parent.data);
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	if (!entry) return;
	const awaited = entry.metadata?.waitingChildExecutionIds;
	if (awaited?.length && !awaited.includes(child)) return;
	if (error) entry.metadata = { ...entry.metadata, resumeError: error };
	else if (output) entry.data = output;
	await n8n.database.update(executionId, { data: stringify(data) });
	await n8n.executions.run(executionId, data, 'waiting');
}
