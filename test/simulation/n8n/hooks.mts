import type { IRun, WorkflowExecuteMode } from 'n8n-workflow';
import { hooksOf } from '../../helpers/engine/additional-data.mts';
import type { Status } from './database.mts';
import type { N8n } from './host.mts';

/** Stores what an execution ends or pauses with (hookFunctionsSave). */
export function hooksFor({ database, executions }: N8n, id: string, mode: WorkflowExecuteMode) {
	const stored = database.get(id);
	const hooks = hooksOf(mode, id, stored.workflowId);
	hooks.addHandler('nodeExecuteBefore', (node) => void (stored.runningNode = node));
	hooks.addHandler('nodeExecuteAfter', () => void (stored.runningNode = undefined));
	hooks.addHandler('workflowExecuteAfter', async (run) => {
		const changes = {
			data: run.data,
			status: statusOf(run),
			finished: run.finished ?? false,
			waitTill: run.waitTill?.getTime(),
		};
		try {
			await database.update(id, changes, (status) => status !== 'canceled');
		} catch {
			// n8n finds it as running after its next start, and gives it up.
			stored.wasNotStored = true;
			executions.lost.add(id);
			database.crash(stored);
		}
	});
	return hooks;
}

/** The final status of an execution (determineFinalExecutionStatus). */
function statusOf({ status, waitTill, data }: IRun): Status {
	if (waitTill) return 'waiting';
	if (status === 'canceled' || status === 'crashed') return status;
	return status === 'error' || data.resultData.error ? 'error' : 'success';
}
