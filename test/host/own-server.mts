import { randomUUID } from 'node:crypto';
import { SERVER_CREDENTIAL_NAME } from './demo.mts';
import type { WorkflowSource } from './rest.mts';

/** The trigger that `N8nRest.run` starts, and the next node. */
export const BUTTON = 'Start';
export const ACTION = 'Maxun';
/** The automatic trigger of a workflow. */
export const TRIGGER = 'Watch';

type Parameters = Record<string, unknown>;

/** A robot in the editor's format. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function node(name: string, type: string, parameters: Parameters, position: number) {
	const own = type.startsWith('n8n-nodes-maxun-robots.');
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion: 1,
		position: [position, 0],
		parameters: own ? { server: 'selfHosted', ...parameters } : parameters,
		...(own && {
			credentials: { maxunSelfHostedApi: { id: null, name: SERVER_CREDENTIAL_NAME } },
		}),
	};
}

/** A workflow with a manual trigger and one operation on the self-hosted server. */
export function doing(resource: string, operation: string, parameters: Parameters): WorkflowSource {
	return {
		name: `${resource} ${operation} ${randomUUID()}`,
		nodes: [
			node(BUTTON, 'n8n-nodes-base.manualTrigger', {}, 0),
			node(ACTION, 'n8n-nodes-maxun-robots.maxun', { resource, operation, ...parameters }, 200),
		],
		connections: { [BUTTON]: { main: [[{ node: ACTION, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** A workflow that starts when a run on the self-hosted server ends. */
export function watching(
	type: 'maxunTrigger' | 'maxunPollingTrigger',
	robotIds: string[],
	parameters: Parameters = {},
): WorkflowSource & { webhookId: string } {
	const webhookId = randomUUID();
	const events = ['run_completed', 'run_failed'];
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const watch = node(
		TRIGGER,
		`n8n-nodes-maxun-robots.${type}`,
		{ events, robotIds, ...(type === 'maxunPollingTrigger' && { pollTimes }), ...parameters },
		0,
	);
	return {
		name: `Watching ${webhookId}`,
		nodes: [{ ...watch, webhookId }, node('Done', 'n8n-nodes-base.noOp', {}, 200)],
		connections: { [TRIGGER]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		webhookId,
	};
}
