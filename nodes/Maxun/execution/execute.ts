import { NodeOperationError } from 'n8n-workflow';
import type {
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOutput,
} from 'n8n-workflow';
import { Attempt } from './attempt';
import { isCanceled, isTool } from './caller';
import { pauseOrResume } from './engineRequest';
import { Pausing, showProgress } from './pause';
import { demandBudget, usedCredits } from './budget';
import { optionsOfFirst, prepareEntries } from './entries';
import { Hints } from './hints';
import { ItemOutput } from './itemOutput';
import { Jobs } from './jobs';
import type { Operation, Resource } from '../operations/operation';
import { forModel } from './tool';
import type { Memory } from './state';

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
	const operation = selectedOperation(context, resources);
	const pause = await pauseOrResume(context, response);
	if (pause.output) return pause.output;
	const attempt = Attempt.of(context, pause.state);
	const hints = new Hints(context, attempt.memory?.leftovers);
	const options = optionsOfFirst(context);
	const entries = await prepareEntries(context, operation, attempt, hints, pause.fault);
	const output = new ItemOutput(context, operation.properties, continueOnFail);
	const jobs = new Jobs(entries, output, operation.parallel, pause.state?.progress);
	const memory = (): Memory => ({
		states: jobs.states,
		leftovers: hints.leftovers,
		attempts: attempt.earlier,
		credits,
	});
	let credits = pause.state?.credits;
	let failure: unknown;
	try {
		await jobs.failImpossible();
		// After a pause, runs have started.
		if (!pause.state) credits = await demandBudget(entries, options, output);
		const pausing = new Pausing(context, response, hints.hint, pause.obstacle);
		for (;;) {
			await jobs.poll();
			await jobs.startWhatFits();
			if (jobs.isDone) break;
			const request = pausing.request(jobs, options.pauseAfter, memory());
			if (request) return request;
			await jobs.sleep();
		}
	} catch (error) {
		failure = error;
	}
	const { items } = jobs;
	const canceled = isCanceled(context);
	const isEnough = failure === undefined ? !isTriedAgain(items) : canceled;
	if (attempt.leave(memory(), failure, isEnough)) await jobs.discard(canceled);
	if (failure !== undefined) throw hints.addTo(failure);
	const [first] = entries;
	if (credits !== undefined && first.context && !isTool(context)) {
		const used = await usedCredits(first.context.maxun, credits);
		if (used) hints.hint(used);
	}
	hints.show(jobs.states);
	if (pause.state) showProgress(context, jobs);
	if (!isTool(context)) return [items];
	const { maxTextLength: maxText } = options;
	return [forModel(items, { maxText, allFields: returnsAllFields(context) })];
}

/** Whether n8n runs a node with this output again if Retry On Fail is on. Runs of Maxun Cloud contain an empty error. */
const isTriedAgain = ([first]: INodeExecutionData[]) => Boolean(first?.json.error);

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
