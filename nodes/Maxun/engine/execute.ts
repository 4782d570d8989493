import { NodeOperationError } from 'n8n-workflow';
import type { EngineRequest, EngineResponse, IExecuteFunctions, NodeOutput } from 'n8n-workflow';
import { OwnerExecution } from '../runs/abandoned';
import { isCancelled, isTool } from '../runs/caller';
import { Copies } from '../runs/duplicates';
import { pauseIfRequested } from '../runs/pause/engineRequest';
import { Pausing } from '../runs/pause/pausing';
import { resumedState } from '../runs/pause/savedState';
import { noDataHint, skippedHint } from '../runs/pageHints';
import { PendingRuns } from '../runs/pendingRuns';
import { resultOf } from '../runs/runResult';
import { Try } from '../runs/tries';
import { isNodeFailure } from './errors';
import { Hints } from './hints';
import { ItemOutput } from './itemOutput';
import type { Operation, Resource } from './operation';
import { Options } from './options';
import { resumeRuns } from './resumeRuns';
import { runTasks } from './runTasks';
import { prepareTasks, toWait } from './tasks';
import { forModel } from './tool';
import { takesTurns } from './turns';

/**
 * Runs the selected operation for all input items, and pairs each output item with its input.
 *
 * @param response what n8n passes to a node that it runs again
 * @param continueOnFail whether an item that fails becomes an error item, instead of failing the node
 * @returns the output, or a request to pause the execution and run the node again
 */
export async function execute(
	context: IExecuteFunctions,
	resources: Resource[],
	response: EngineResponse | undefined,
	continueOnFail: boolean,
): Promise<NodeOutput> {
	const inner = await pauseIfRequested(context, response);
	if (inner) return inner;
	const operation = selectedOperation(context, resources);
	const current = Try.of(context, resumedState(context));
	const { state } = current;
	const hints = new Hints(current.remainders);
	const output = new ItemOutput(context, operation.properties, continueOnFail);
	const copies = new Copies(hints);
	const owner = new OwnerExecution(context);
	const runs = new PendingRuns(async (run, outcome) => {
		const writing = output.write(run.itemIndex, async () => await resultOf(run, outcome));
		await writing.finally(() => current.note(run, outcome));
	}, hints);
	const pausing = new Pausing(context, response, runs, current);
	let { options } = Options.parse({});
	const working = async (): Promise<EngineRequest | undefined> => {
		if (state) await pausing.adopt(state);
		const shared = { hints, copies, owner, output };
		const tasks = await prepareTasks(context, operation, shared, state?.counts);
		// These options apply to all items together, so the first item's values count.
		options = tasks[0]?.options ?? options;
		const { pauseAfter } = options;
		let notStarted = state ? await resumeRuns(state, tasks, pausing, output) : tasks;
		current.isRestored = state?.fault === undefined;
		const isOneAtATime = tasks[0]?.context.maxun.runs.oneAtATime ?? false;
		for (let isResumed = runs.size > 0; isResumed || notStarted.length > 0; isResumed = false) {
			const isStarting = notStarted.length > 0 && !(isResumed && isOneAtATime);
			// Runs that take turns are polled while they start.
			const isPolled = isStarting && notStarted.some(takesTurns);
			if (isStarting) {
				const patience = pausing.patience(pauseAfter);
				notStarted = await runTasks(notStarted, operation, runs, output, patience);
			}
			const later = notStarted.map(toWait);
			const request = await pausing.waitFor(output, pauseAfter, later, isPolled);
			if (request) return request;
		}
		return undefined;
	};
	const request = await working().catch(async (error: unknown) => {
		const cancelled = isCancelled(context);
		if (cancelled) current.forget();
		else current.leave(output, runs, error);
		output.remainders.forEach(hints.remains);
		await pausing.clear();
		await runs.discard();
		await copies.clear();
		if (cancelled) hints.log(context);
		else if (isNodeFailure(error)) hints.addTo(error);
		throw error;
	});
	await copies.clear();
	if (request) return request;
	current.leave(output, runs);
	await pausing.clear();
	if (output.skipped.size > 0) hints.hint(skippedHint([...output.skipped]));
	if (output.withoutData.size > 0) hints.hint(noDataHint([...output.withoutData]));
	hints.show(context);
	output.remainders.forEach(hints.remains); // for the next try
	const items = output.items.flat();
	if (!isTool(context)) return [items];
	const { maxTextLength: maxText } = options;
	return [forModel(items, { maxText, allFields: returnsAllFields(context) })];
}

/** Whether the user decides which fields a model gets. */
const returnsAllFields = (context: IExecuteFunctions) =>
	['raw', 'fields'].includes(String(context.getNodeParameter('output', 0, '')));

function selectedOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const value = context.getNodeParameter('operation', 0);
	const operation = resources
		.find((entry) => entry.value === resource)
		?.operations.find((entry) => entry.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`This node version has no operation '${String(value)}' for '${String(resource)}'`,
		{ description: 'Select the resource and the operation again' },
	);
}
