import { randomUUID } from 'node:crypto';
import { chain, maxunNode, node } from './nodes.mts';
import type { Execution, WorkflowSource } from './rest.mts';
import type { Stage } from './stage.mts';

/** The trigger that `N8nRest.run` starts, and the next node. */
export const BUTTON = 'Start';
export const ACTION = 'Maxun';

/** A server has whole seconds. Runs that end in the same second as a publication come before it. */
export const NEW_SECOND = 1_500;

export const doing = (resource: string, operation: string, parameters: Record<string, unknown>) =>
	chain(`${resource} ${operation} ${randomUUID()}`, [
		node(BUTTON, 'n8n-nodes-base.manualTrigger', 1, {}),
		maxunNode(ACTION, 'selfHosted', resource, operation, parameters),
	]);

export async function execute(
	{ rest }: Pick<Stage, 'rest'>,
	workflow: WorkflowSource,
	limit?: number,
): Promise<Execution> {
	const { id } = await rest.createWorkflow(workflow);
	return await rest.finished(await rest.run(id, BUTTON), limit);
}
