import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { finishRun } from '../runs/finish';
import { discard } from '../runs/temporary';
import { waitForRuns, type Awaited } from '../runs/wait';
import { apiFor } from './api';
import { mapConcurrently } from './concurrency';
import { toNodeError } from './errors';
import { Options, type RequestOptions } from './options';
import type { Api, Item, Job, Operation } from './operation';
import { forModel } from './tool';
import { connect } from './transport';

/** One input item: what is to be done for it, and what came of it. */
interface Task {
	itemIndex: number;
	options: RequestOptions;
	api: Api;
	job: Job;
}

/** Runs the chosen operation for all input items; every output item is paired with its input. */
export async function execute(
	context: IExecuteFunctions,
	table: Operation[],
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context, table);
	const output: INodeExecutionData[][] = context.getInputData().map(() => []);

	/** Does work for an item. A fault becomes the item's output where the node may go on, else it ends the node. */
	async function attempt<T>(itemIndex: number, work: () => Promise<T>): Promise<T | undefined> {
		return await work().catch((error: unknown) => {
			const failure = toNodeError(context.getNode(), error, itemIndex, operation.properties);
			if (!context.continueOnFail()) throw failure;
			// These two keys alone: an item with others would not reach the error output.
			const json = { error: failure.message, details: failure.description };
			output[itemIndex] = [{ json, pairedItem: { item: itemIndex } }];
			return undefined;
		});
	}
	async function settle({ itemIndex }: Task, work: () => Promise<Item[]>) {
		const items = await attempt(itemIndex, work);
		if (items)
			output[itemIndex] = items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
	}

	const tasks = await prepareAll(context, operation, attempt);
	// The items go out together, so that the first one speaks for all in this.
	const { concurrency, maxTextLength } = tasks[0]?.options ?? Options.parse({}).options;
	const runs = new Set<Awaited & { task: Task }>();
	try {
		await mapConcurrently(tasks, operation.sideBySide ? concurrency : 1, async (task) => {
			const { api, job } = task;
			if ('perform' in job) return await settle(task, async () => await job.perform(api));
			const run = await attempt(task.itemIndex, async () => await job.start(api));
			if (!run) return;
			runs.add({ ...run, task, api, settings: job.settings, since: Date.now() });
		});
		await waitForRuns([...runs], async (run, outcome) => {
			runs.delete(run);
			await settle(run.task, async () => await finishRun(run, outcome));
		});
	} finally {
		// Cancelled, or ended by the fault of another item: nothing is left behind on the service.
		await Promise.all([...runs].map(async (run) => await discard(run)));
	}
	const items = output.flat();
	return [context.isToolExecution() ? forModel(items, maxTextLength) : items];
}

/** Reads all parameters before anything is sent, so that a wrong one costs nothing. */
async function prepareAll(
	context: IExecuteFunctions,
	operation: Operation,
	attempt: <T>(itemIndex: number, work: () => Promise<T>) => Promise<T | undefined>,
): Promise<Task[]> {
	const connecting = connect(context);
	connecting.catch(() => 'told by each item that needs it');
	const prepared = context.getInputData().map(
		async (_, itemIndex) =>
			await attempt(itemIndex, async () => {
				const parameters = Object.fromEntries(
					[...operation.parameterNames, 'options'].map((name) => [
						name,
						context.getNodeParameter(name, itemIndex, null) ?? undefined, // hidden fields have no value
					]),
				);
				const { options } = Options.parse(parameters);
				const job = operation.prepare('cloud', parameters);
				const api = apiFor(context, await connecting, options, itemIndex);
				return { itemIndex, options, api, job };
			}),
	);
	return (await Promise.all(prepared)).filter((task): task is Task => task !== undefined);
}

function chosenOperation(context: IExecuteFunctions, table: Operation[]): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const value = context.getNodeParameter('operation', 0);
	const operation = table.find((entry) => entry.resource === resource && entry.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`This version of the node has no operation '${String(value)}' for '${String(resource)}'`,
		{ description: 'Choose the resource and the operation again' },
	);
}
