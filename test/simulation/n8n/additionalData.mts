import type { IRun, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';
import { urlsOf } from '../../helpers/engine/urls.mts';
import { core } from '../engine.mts';
import { ORIGINS } from '../origins.mts';
import { SimulatedCredentials } from './credentials.mts';
import type { Status } from './database.mts';
import type { N8n } from './host.mts';

const unavailable = async (): Promise<never> => await Promise.reject(new Error('Not simulated'));

/** What n8n passes to the engine and the nodes, whichever execution it is. */
export const additionalData = (
	n8n: Pick<N8n, 'hasCredentials' | 'timezone' | 'variables'> & { apiKey?: string },
	sender: string,
	origin = ORIGINS.n8n,
): IWorkflowExecuteAdditionalData => ({
	credentialsHelper: new SimulatedCredentials(n8n, sender),
	externalSecretsProxy: new core.ExternalSecretsProxy(),
	currentNodeExecutionIndex: 0,
	variables: { ...n8n.variables },
	instanceBaseUrl: `${origin}/`,
	...urlsOf(origin),
	logAiEvent: () => {},
	executeWorkflow: unavailable,
	getRunExecutionData: unavailable,
	getRuntimeCredential: unavailable,
	startRunnerTask: unavailable,
});

/** Stores what an execution ends or pauses with (hookFunctionsSave). */
export function hooksFor({ database, lost }: N8n, id: string, mode: WorkflowExecuteMode) {
	const stored = database.get(id);
	const { workflowId } = stored;
	const hooks = new core.ExecutionLifecycleHooks(mode, id, {
		id: workflowId,
		name: workflowId,
		active: true,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: [],
		connections: {},
	});
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
			lost.add(id);
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
