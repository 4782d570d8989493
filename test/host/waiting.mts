import { CREDENTIAL_NAME } from './demo.mts';
import type { WorkflowSource } from './rest.mts';

/**
 * A workflow that is started by a call `{robotId}` at `/webhook/<path>`, runs that robot, waits, and hands the result
 * on to a node called `After`.
 * @param parkAfter seconds until the execution waits in the database; 0 for never
 * @param waitFor minutes until it gives up
 */
export function parkingWorkflow(
	name: string,
	path: string,
	{ parkAfter, waitFor = 10 }: { parkAfter: number; waitFor?: number },
): WorkflowSource {
	const robotId = { __rl: true, mode: 'id', value: '={{ $json.body.robotId }}' };
	return {
		name,
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: path,
				parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
			},
			{
				id: 'wait',
				name: 'Run and wait',
				type: 'n8n-nodes-maxun-robots.maxun',
				typeVersion: 1,
				position: [220, 0],
				parameters: {
					server: 'cloud',
					resource: 'run',
					operation: 'runAndWait',
					robotId,
					waitFor,
					options: { parkAfter },
				},
				credentials: { maxunApi: { id: null, name: CREDENTIAL_NAME } },
			},
			{
				id: 'after',
				name: 'After',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [440, 0],
				parameters: {},
			},
		],
		connections: {
			Start: { main: [[{ node: 'Run and wait', type: 'main', index: 0 }]] },
			'Run and wait': { main: [[{ node: 'After', type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}
