import { NodeOperationError } from 'n8n-workflow';
import type { EngineResponse, IExecuteFunctions, NodeOutput } from 'n8n-workflow';
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
} from './tasks';
import { Hints } from './hints';
import { ItemOutput } from './itemOutput';
import { Jobs } from './jobs';
import { Names } from './names';
import { ReadPages } from './readPages';
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
	const attempt = Attempt.of(context, pause.state);
	const hints = new Hints(context);
	const hintsAboutWaiting = new Hints(context);
	const options = optionsOfAll(context);
	const names = new Names(attempt.saved?.names ?? {});
	const tasks = await prepareTasks(context, operation, attempt, names, pause.fault);
	const output = new ItemOutput(
		context,
		[...operation.properties, ...generalOptions],
		continueOnFail,
	);
	const jobs = new Jobs(tasks, output, operation.parallel, pause.state?.lastActivity);
	const pages = isTool(context) ? undefined : new ReadPages(context);
	let budget = attempt.saved?.budget;
	const state = (): ExecutionState => ({
		states: statesOf(tasks),
		names: names.ids,
		attempts: attempt.earlier,
		budget: budget && { ...budget, started: budget.started + jobs.started },
		lastActivity: jobs.lastActivity,
	});
	let failure: unknown;
	let isLast = attempt.isLast;
	try {
		const skipped = pause.state ? [] : await pages?.skip(tasks);
		for (const note of skipped ?? []) hints.hint(...note);
		await jobs.poll();
		await jobs.failImpossible();
		if (!pause.state) budget = await demandBudget(tasks, options, output, budget);
		const pausing = new Pausing(context, response, hintsAboutWaiting.hint, pause.obstacle);
		for (;;) {
			await jobs.startWhatFits();
			if (jobs.isDone) break;
			const request = pausing.request(state(), options.pauseAfter, jobs.nextDeadline);
			if (request) return request;
			await jobs.sleep();
			await jobs.poll();
		}
		failure = output.failureOf(tasks, isLast);
		isLast ||= failure === undefined;
	} catch (error) {
		failure = error;
		isLast ||= tasks.some(hasLastError);
	}
	const canceled = isCanceled(context);
	isLast ||= canceled;
	attempt.save(state(), isLast, failure);
	if (isLast) await jobs.discard(canceled);
	if (failure !== undefined) {
		const given = tasks.flatMap((task) => task.hints);
		throw hints.addTo(failure, output.sentencesOn(tasks), given);
	}
	const [first] = tasks;
	if (budget?.credits !== undefined && first.context && !isTool(context)) {
		const used = await usedCredits(first.context.maxun, budget.credits);
		if (used) hints.hint(used);
	}
	const notes = [
		...((await pages?.remember(tasks)) ?? []),
		...hintsIn(tasks),
		...repeatedPages(tasks),
		...output.hintsOf(tasks),
	];
	for (const note of notes) hints.hint(...note);
	hints.show();
	hintsAboutWaiting.show();
	const items = output.itemsOf(tasks);
	if (!isTool(context)) return [items];
	const { maxTextLength: maxText } = options;
	return [forModel(items, { maxText, allFields: returnsAllFields(context) })];
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
