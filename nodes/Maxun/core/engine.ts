import { NodeOperationError } from 'n8n-workflow';
import type {
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOutput,
} from 'n8n-workflow';
import { finishRun } from '../runs/finish';
import { Parking, wokenWith, type Waiting, type Woken } from '../runs/parking';
import { discard } from '../runs/temporary';
import { MaxunFault } from '../api/fault';
import { dialectOf, type Dialect } from '../api/service';
import { apiFor } from './api';
import { mapConcurrently } from './concurrency';
import { toNodeError } from './errors';
import { Hints } from './hints';
import { Options, type RequestOptions } from './options';
import type { Api, Item, Job, Operation } from './operation';
import { waitIfAsked } from './suspension';
import { forModel, isTool } from './tool';
import { connect } from './transport';

/** One input item: what is to be done for it, and what came of it. */
interface Task {
	itemIndex: number;
	options: RequestOptions;
	api: Api;
	job: Job;
}

/**
 * Runs the chosen operation for all input items, and tells of each output item which input it comes from.
 *
 * @param response what n8n gives to a node that it runs again
 * @returns the output, or a request to n8n to wait in the database and to run the node again
 */
export async function execute(
	context: IExecuteFunctions,
	table: Operation[],
	response: EngineResponse | undefined,
): Promise<NodeOutput> {
	const inner = await waitIfAsked(context);
	if (inner) return inner;
	const woken = wokenWith(context);
	const dialect = dialectOf(context.getNodeParameter('server', 0, 'cloud'));
	const operation = chosenOperation(context, table);
	const forAgent = isTool(context);
	const hints = new Hints();
	const output: INodeExecutionData[][] = context.getInputData().map(() => []);

	/** Does work for an item. A fault becomes the item's output where the node may go on, else it ends the node. */
	async function attempt<T>(itemIndex: number, work: () => Promise<T>): Promise<T | undefined> {
		return await work().catch((error: unknown) => {
			const failure = toNodeError(context.getNode(), error, itemIndex, operation.properties);
			// A model is told the message alone.
			if (forAgent && failure.description) failure.message += `. ${failure.description}`;
			if (!context.continueOnFail()) throw failure;
			// These two keys alone: an item with others would not reach the error output.
			const json = { error: failure.message, details: failure.description };
			output[itemIndex] = [{ json, pairedItem: { item: itemIndex } }];
			return undefined;
		});
	}
	async function settle(itemIndex: number, work: () => Promise<Item[]>) {
		const items = await attempt(itemIndex, work);
		if (items) output[itemIndex] = items.map((item) => paired(item, itemIndex));
	}

	const tasks = await prepareAll(context, dialect, operation, hints, attempt);
	// The items go out together, so that the first one speaks for all in this.
	const { concurrency, maxTextLength, parkAfter } = tasks[0]?.options ?? Options.parse({}).options;
	const runs = new Set<Waiting>();
	async function start({ itemIndex, api, job }: Task) {
		if ('perform' in job) return await settle(itemIndex, async () => await job.perform(api));
		const since = Date.now();
		const run = await attempt(itemIndex, async () => await job.start(api));
		if (!run) return;
		runs.add({ ...run, started: run, itemIndex, api, settings: job.settings, since });
	}
	const parking = new Parking(context, response, async (run, outcome) => {
		runs.delete(run);
		await settle(run.itemIndex, async () => await finishRun(run, outcome));
	});
	async function resume(wait: Woken) {
		const waited = new Set(wait.runs.map(({ itemIndex }) => itemIndex));
		for (const [itemIndex, items] of wait.outputs.entries()) {
			if (!waited.has(itemIndex)) output[itemIndex] = items;
		}
		for (const run of parking.takeOver(wait, tasks)) {
			runs.add(run);
			waited.delete(run.itemIndex);
		}
		for (const itemIndex of waited) {
			// An item whose parameters or credential cannot be read any more says so already.
			if (output[itemIndex].length > 0) continue;
			await attempt(itemIndex, async () => await Promise.reject(changed()));
		}
	}
	try {
		if (woken) {
			await resume(woken);
		} else {
			await mapConcurrently(tasks, breadthOf(operation, tasks[0], concurrency), start);
		}
		const request = await parking.waitFor(runs, output, parkAfter);
		if (request) return request;
	} finally {
		// Cancelled, or ended by the fault of another item: nothing is left behind on the service.
		await parking.clear();
		await Promise.all([...runs].map(async (run) => await discard(run)));
		hints.show(context);
	}
	const items = output.flat();
	return [forAgent ? forModel(items, maxTextLength) : items];
}

const changed = () =>
	new MaxunFault(
		'The settings of this item changed while it waited for its run',
		'An expression gives something else than before, so that the run is not waited for any more. Run: Get Many finds it',
	);

/** The item with its input. Written out, since to spread tens of thousands of rows takes longer than to parse them. */
function paired({ json, binary }: Item, item: number): INodeExecutionData {
	return binary ? { json, binary, pairedItem: { item } } : { json, pairedItem: { item } };
}

/** How many items may be worked on at once. */
const breadthOf = ({ sideBySide }: Operation, task: Task | undefined, concurrency: number) =>
	(task && 'perform' in task.job ? task.job.atOnce : undefined) ?? (sideBySide ? concurrency : 1);

/** Reads all parameters before anything is sent, so that a wrong one costs nothing. */
async function prepareAll(
	context: IExecuteFunctions,
	dialect: Dialect,
	operation: Operation,
	hints: Hints,
	attempt: <T>(itemIndex: number, work: () => Promise<T>) => Promise<T | undefined>,
): Promise<Task[]> {
	const connecting = connect(context, dialect);
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
				const job = operation.prepare(dialect, parameters);
				const api = apiFor(context, await connecting, options, itemIndex, hints);
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
