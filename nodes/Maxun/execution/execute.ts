import { NodeOperationError } from 'n8n-workflow';
import type { EngineRequest, EngineResponse, IExecuteFunctions, NodeOutput } from 'n8n-workflow';
import { Attempt } from './attempt';
import { isCanceled, isTool } from './caller';
import { pauseOrResume } from './engineRequest';
import { Pausing } from './pause';
import { demandBudget, usedCredits } from './budget';
import {
	hintsIn,
	hasLastError,
	optionsOfAll,
	prepareTasks,
	repeatedPages,
	statesOf,
	type Task,
} from './tasks';
import { Hints } from './hints';
import { ItemOutput } from './itemOutput';
import { Jobs } from './jobs';
import { Names } from './names';
import { ReadPages } from './readPages';
import type { Operation, Resource } from '../operations/operation';
import { generalOptions, type NodeOptions } from '../operations/options';
import { forModel } from './tool';
import type { Budget, ExecutionState } from './state';

interface Execution {
	readonly context: IExecuteFunctions;
	readonly attempt: Attempt;
	readonly options: NodeOptions;
	readonly names: Names;
	readonly tasks: Task[];
	readonly output: ItemOutput;
	readonly jobs: Jobs;
	readonly hints: Hints;
	readonly pages: ReadPages;
	budget?: Budget;
}

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
	const names = new Names(attempt.saved?.names ?? {});
	const hints = new Hints(context);
	const options = optionsOfAll(context);
	const tasks = await prepareTasks(context, operation, attempt, names, pause.fault);
	const properties = [...operation.properties, ...generalOptions];
	const output = new ItemOutput(context, properties, continueOnFail);
	const jobs = new Jobs(tasks, output, operation.parallel, pause.state?.lastActivity);
	const pages = new ReadPages(context);
	const budget = attempt.saved?.budget;
	const execution = { context, attempt, options, names, tasks, output, jobs, hints, pages, budget };
	const pausing = new Pausing(context, pause.obstacle);
	let failure: unknown;
	let { isLast } = attempt;
	try {
		const request = await waitForTasks(execution, pausing, pause.state !== undefined);
		if (request) return request;
		failure = output.failureOf(tasks, isLast);
		isLast ||= failure === undefined;
	} catch (error) {
		failure = error;
		isLast ||= tasks.some(hasLastError);
	}
	const canceled = isCanceled(context);
	isLast ||= canceled;
	attempt.save(stateOf(execution), isLast, failure);
	if (isLast) await jobs.discard(canceled);
	if (failure !== undefined) throw hints.addTo(failure, output.sentencesOn(tasks), tasks);
	for (const note of [...(await notesOf(execution)), ...pausing.notes]) hints.hint(...note);
	hints.show();
	const items = output.itemsOf(tasks);
	if (!isTool(context)) return [items];
	const { maxTextLength: maxText } = options;
	return [forModel(items, { maxText, allFields: returnsAllFields(context) })];
}

/** Returns a request to pause; undefined if all tasks have ended. */
async function waitForTasks(
	execution: Execution,
	pausing: Pausing,
	isResumed: boolean,
): Promise<EngineRequest | undefined> {
	const { tasks, output, jobs, options, hints, pages } = execution;
	const skipped = isResumed ? [] : await pages.skip(tasks);
	for (const note of skipped) hints.hint(...note);
	await jobs.poll();
	await jobs.failImpossible();
	if (!isResumed) execution.budget = await demandBudget(tasks, options, output, execution.budget);
	for (;;) {
		await jobs.startWhatFits();
		if (jobs.isDone) return undefined;
		const request = pausing.request(stateOf(execution), options.pauseAfter, jobs.nextDeadline);
		if (request) return request;
		await jobs.sleep();
		await jobs.poll();
	}
}

const stateOf = ({ tasks, names, attempt, budget, jobs }: Execution): ExecutionState => ({
	states: statesOf(tasks),
	names: names.ids,
	attempts: attempt.earlier,
	budget: budget && { ...budget, started: budget.started + jobs.started },
	lastActivity: jobs.lastActivity,
});

async function notesOf({ context, tasks, output, pages, budget }: Execution) {
	const { maxun } = tasks.at(0)?.context ?? {};
	const { credits } = budget ?? {};
	const isCounted = maxun && credits !== undefined && !isTool(context);
	return [
		...(isCounted ? await usedCredits(maxun, credits) : []),
		...(await pages.remember(tasks)),
		...hintsIn(tasks),
		...repeatedPages(tasks),
		...output.hintsOf(tasks),
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
