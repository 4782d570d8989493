import { NodeOperationError } from 'n8n-workflow';
import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOutput,
} from 'n8n-workflow';
import { Attempt } from './attempt';
import { failImpossible } from './begin';
import { isCanceled, isInLoop, isTool } from './caller';
import { deleteLeftovers } from './leftovers';
import { pauseOrResume, type PastPause } from './engineRequest';
import { Pausing } from './pause';
import { Budget, usedCredits } from './budget';
import { optionsOfAll, prepareTasks, statesOf, withTwins } from './tasks';
import { Hints } from './hints';
import { ItemOutput } from './itemOutput';
import { Jobs } from './jobs';
import { KeptRobots } from './keptRobots';
import { Learning } from './learning';
import { Names } from './names';
import { ReadPages } from './readPages';
import { sentences } from '../http/text';
import type { Operation, Resource } from '../operations/operation';
import { generalOptions } from '../operations/options';
import { forModel } from './tool';
import type { ExecutionState } from './state';

export async function execute(
	context: IExecuteFunctions,
	resources: Resource[],
	response: EngineResponse | undefined,
	continueOnFail: boolean,
): Promise<NodeOutput> {
	const operation = selectedOperation(context, resources);
	const pause = await pauseOrResume(context, response);
	if (pause.output) return pause.output;
	const execution = await prepareExecution(context, operation, pause, continueOnFail);
	const { attempt, tasks, output, jobs, hints, learning, pausing } = execution;
	let failure: unknown;
	let { isLast } = attempt;
	try {
		const request = await waitForTasks(execution);
		if (request) return request;
		failure = output.failureOf(tasks, isLast);
		isLast ||= failure === undefined;
	} catch (error) {
		failure = error;
		isLast ||= tasks.some(({ state }) => state.isLast);
	}
	const canceled = isCanceled(context);
	isLast ||= canceled;
	attempt.save(toSave(execution), isLast, failure);
	const notes = failure === undefined && !canceled ? await finish(execution) : [];
	if (isLast) await deleteLeftovers(jobs.tasks, canceled);
	if (failure !== undefined) throw hints.addTo(failure, output.sentencesOn(tasks), tasks);
	notes.push(
		...learning.hints,
		...tasks.flatMap((task) => task.hints),
		...output.hintsOf(tasks),
		...pausing.notes,
	);
	for (const note of notes) hints.hint(...note);
	hints.show();
	return [outputOf(execution)];
}

type Execution = Awaited<ReturnType<typeof prepareExecution>>;

/** Continues with what was saved before a pause, or by an earlier attempt. */
async function prepareExecution(
	context: IExecuteFunctions,
	operation: Operation,
	{ state, obstacle, fault }: PastPause,
	continueOnFail: boolean,
) {
	const attempt = Attempt.of(context, state);
	const { names: ids = {}, keptRobots = {}, learnt = {}, budget: spent } = attempt.saved ?? {};
	const names = new Names(ids);
	const options = optionsOfAll(context);
	const tasks = await prepareTasks(context, operation, attempt, names, fault);
	const { id } = context.getNode();
	// A copy of the workflow, also in another n8n instance, must not share the memory.
	const owner = [context.getInstanceId(), context.getWorkflow().id, id].join(' ');
	const learning = new Learning(learnt, new KeptRobots(keptRobots, owner, tasks), id);
	const budget = new Budget(options, spent);
	const properties = [...operation.properties, ...generalOptions];
	const output = new ItemOutput(context, properties, continueOnFail, learning);
	const { parallel } = operation;
	const own = { context, attempt, options, names, tasks, learning, budget, output };
	return {
		...own,
		jobs: new Jobs(withTwins(tasks), output, learning, budget, parallel, state?.lastActivity),
		hints: new Hints(context),
		pages: new ReadPages(context),
		pausing: new Pausing(context, obstacle),
		isResumed: state !== undefined,
	};
}

/** A model and a loop need an item, even if there is nothing to return. */
function outputOf({ context, tasks, options, output, hints }: Execution): INodeExecutionData[] {
	const items = output.itemsOf(tasks);
	const isEmpty = items.length === 0 && tasks.length > 0;
	const pairedItem = tasks.map(({ item }) => ({ item }));
	if (!isTool(context)) {
		const needsItem = isEmpty && !context.getNode().alwaysOutputData && isInLoop(context);
		return needsItem ? [{ json: { hasData: false }, pairedItem }] : items;
	}
	const { maxTextLength: maxText } = options;
	const message = sentences(...hints.sentences) || 'There is no data';
	const found = isEmpty ? [{ json: { message }, pairedItem }] : items;
	return forModel(found, { maxText, allFields: returnsAllFields(context) });
}

/** Returns a request to pause; undefined if all tasks have ended. */
async function waitForTasks(execution: Execution): Promise<EngineRequest | undefined> {
	const { tasks, output, jobs, options, hints, pages, learning, budget } = execution;
	if (!execution.isResumed) {
		for (const note of await pages.skip(tasks)) hints.hint(...note);
		const unknown = await learning.keptRobots.recall(jobs.tasks);
		for (const { task, fault } of unknown) output.fail(task, fault);
	}
	await jobs.poll();
	await failImpossible(jobs.tasks, output);
	if (!execution.isResumed) await budget.demand(jobs.tasks, output, learning);
	for (;;) {
		await jobs.startWhatFits();
		if (jobs.isDone) return undefined;
		const request = execution.pausing.request(toSave(execution), options.pauseAfter, jobs);
		if (request) return request;
		await jobs.sleep();
		await jobs.poll();
	}
}

const toSave = ({ tasks, names, attempt, learning, budget, jobs }: Execution): ExecutionState => ({
	states: statesOf(tasks),
	names: names.ids,
	learnt: learning.learnt,
	keptRobots: learning.keptRobots.robots,
	attempts: attempt.earlier,
	budget: budget.state,
	lastActivity: jobs.lastActivity,
});

/** The end of the work, after which nothing may fail. */
async function finish({ context, tasks, pages, learning, budget }: Execution) {
	const { maxun } = tasks.at(0)?.context ?? {};
	const { credits } = budget.state;
	const isCounted = maxun && credits !== undefined && !isTool(context);
	return [
		...(isCounted ? await usedCredits(maxun, credits) : []),
		...(await pages.remember(tasks)),
		...(await learning.keptRobots.remember(tasks)),
	];
}

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
