import { expect } from 'vitest';
import { until } from '../helpers/until.mts';
import type { Execution, Workflow } from './rest.mts';
import type { Stage } from './stage.mts';

type Node = Workflow['nodes'][number];

export const BUTTON = 'When clicking ‘Execute workflow’';

export async function runExample(
	stage: Stage,
	example: string,
	trigger = BUTTON,
	output?: Record<string, unknown>,
): Promise<Execution> {
	const id = await stage.rest.run(stage.example(example), trigger, output);
	return succeeded(await stage.rest.finished(id, 90_000));
}

function succeeded(execution: Execution): Execution {
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

/** The result of an example's first automatic execution. */
export async function startedByItself(
	{ rest, example }: Stage,
	name: string,
	limit = 30_000,
): Promise<Execution> {
	const entry = await until('an execution', limit, async () =>
		(await rest.executions(example(name))).find(({ mode }) => mode !== 'manual'),
	);
	return succeeded(await rest.finished(entry.id, 90_000));
}

export async function editExample(
	{ rest, example }: Stage,
	name: string,
	change: (node: Node) => Node,
): Promise<string> {
	const id = example(name);
	const { nodes } = await rest.workflow(id);
	await rest.updateWorkflow(id, { nodes: nodes.map(change) });
	return id;
}
