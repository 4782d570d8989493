import { expect } from 'vitest';
import { until } from '../helpers/until.mts';
import { chooseModel, startModel } from './model.mts';
import { type Execution, jsonOf, type Workflow } from './rest.mts';
import type { Stage } from './stage.mts';

type Node = Workflow['nodes'][number];

export const BUTTON = 'When clicking ‘Execute workflow’';

/** A Schedule Trigger's parameters. */
export const EVERY_FEW_SECONDS = {
	rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] },
};

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

/** The result of a workflow's first automatic execution. */
export async function startedByItself(
	{ rest }: Stage,
	workflowId: string,
	limit = 30_000,
): Promise<Execution> {
	const entry = await until('an execution', limit, async () =>
		(await rest.executions(workflowId)).find(({ mode }) => mode !== 'manual'),
	);
	return succeeded(await rest.finished(entry.id, 90_000));
}

/** Lets a model read a page with the example of an AI agent. */
export async function readByAgent(stage: Stage) {
	const name = 'An AI agent that reads pages';
	const input = { URL: `${stage.sandbox.siteUrl}/articles/oiling-a-desk` };
	const model = await startModel(
		() => ({ tool: 'Read_a_page', input }),
		([page]) => `The page says: ${page}`,
	);
	await chooseModel(stage, stage.example(name), model.url);
	const chatInput = 'How is a desk oiled?';
	const question = { sessionId: 'test', action: 'sendMessage', chatInput };
	const running = runExample(stage, name, 'When a question arrives', question);
	const execution = await running.finally(model.close);
	return { output: jsonOf(execution, 'AI Agent')[0]?.output, asked: model.asked };
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
