import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { z } from 'zod';

/*
 * Waiting in n8n's database, after which the node is run once more.
 *
 * n8n by itself never runs a node again that has waited: it passes on what woke it, or, when the time is up, the node's
 * input. But a node may ask the engine to execute a node on its behalf and to be run again afterwards (EngineRequest).
 * So it asks for itself: the second, inner execution does nothing but wait; it has neither input nor output, so that
 * nothing flows on whatever wakes it. Then the engine runs the asking node again, as an ordinary execution of all items
 * with all its means: parameters, errors, the error output, pairing, files, and another wait.
 */

const Suspension = z.object({
	/** Tells the inner execution from all others. */
	token: z.string(),
	stage: z.enum(['asked', 'waiting']),
	/** Epoch milliseconds. */
	until: z.number(),
	runIndex: z.number(),
	source: z.object({
		previousNode: z.string(),
		previousNodeOutput: z.number().optional(),
		previousNodeRun: z.number().optional(),
	}),
	/** What the node wants to know when it is run again. */
	memory: z.unknown(),
});

const KEY = 'suspension';

/** n8n keeps this with the execution: it outlives a restart. */
function read(context: IExecuteFunctions) {
	return Suspension.safeParse(context.getContext('node')[KEY]).data;
}

/** The log of the execution, where the engine has an entry for each time that a node was run. */
const Engine = z.object({
	runExecutionData: z.object({
		resultData: z.object({ runData: z.record(z.custom<unknown[]>(Array.isArray)) }),
	}),
});

/** The entries of all nodes, which the engine itself goes on with; undefined where it keeps none in this place. */
const logOf = (context: IExecuteFunctions) =>
	Engine.safeParse(context).data?.runExecutionData.resultData.runData;

/**
 * Why the engine cannot run this node again after a wait, in words that end a sentence; undefined when it can.
 *
 * @param response the argument of `execute`, which engines give that know requests
 */
export function cannotSuspend(
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
): string | undefined {
	if (!response || !logOf(context))
		return 'this version of n8n cannot run a node again after a wait';
	if (context.getWorkflowSettings().executionOrder !== 'v1') {
		return 'the settings of the workflow ask for the legacy execution order';
	}
	const { source } = context.getExecuteData();
	return source?.main?.[0] ? undefined : 'no other node comes before this one';
}

/**
 * Asks the engine for a wait. The caller returns the request as its output.
 *
 * @param memory JSON; `wake` gives it back
 */
export function suspend(context: IExecuteFunctions, until: Date, memory: unknown): EngineRequest {
	const token = randomUUID();
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	// What is left of an earlier wait. The engine would make another entry for this one, and n8n leaves that behind the
	// node's output, empty, when a call ends the wait; but later nodes and workflows read the last entry.
	logOf(context)?.[context.getNode().name]?.splice(runIndex);
	context.getContext('node')[KEY] = {
		token,
		stage: 'asked',
		until: until.getTime(),
		runIndex,
		source: { ...context.getInputSourceData() },
		memory,
	};
	const inner = {
		actionType: 'ExecutionNodeAction' as const,
		nodeName: context.getNode().name,
		input: {},
		type: NodeConnectionTypes.Main,
		id: token, // the engine hands it on as `toolCallId`
		metadata: {},
	};
	return { actions: [inner], metadata: {} };
}

/** The inner execution: waits where this is it. @returns its empty output, undefined for all other executions */
export async function waitIfAsked(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][] | undefined> {
	const suspension = read(context);
	const [item] = context.getInputData();
	if (suspension?.stage !== 'asked' || item?.json.toolCallId !== suspension.token) return undefined;
	context.getContext('node')[KEY] = { ...suspension, stage: 'waiting' };
	const entry = context.getExecuteData();
	// n8n will disable the node that has waited, which must not be the object that is to be run again.
	entry.node = { ...entry.node, alwaysOutputData: false };
	entry.data = { main: [[]] };
	entry.runIndex = suspension.runIndex; // one place in the execution's log, however often it waits
	await context.putExecutionToWait(new Date(suspension.until));
	return [[]];
}

/** What the node wanted to know, and when it was to be run again; undefined where it has not waited. */
export function wake(context: IExecuteFunctions): { memory?: unknown; until: number } | undefined {
	const suspension = read(context);
	delete context.getContext('node')[KEY];
	if (suspension?.stage !== 'waiting') return undefined;
	// The engine takes the first output of the node before for the source of the items, whichever it was.
	const source = context.getExecuteData().source?.main?.[0];
	if (source) Object.assign(source, suspension.source);
	return suspension;
}

/**
 * What a waiting execution of the node wanted to know, for a call that may wake it, and when it goes on by itself.
 *
 * @returns undefined where the execution does not wait for this node
 */
export function waitOf(
	context: IWebhookFunctions,
): { memory?: unknown; until: number } | undefined {
	const name = JSON.stringify(context.getNode().name);
	const found: unknown = context.evaluateExpression(`{{ $(${name}).context.${KEY} }}`, 0);
	const suspension = Suspension.safeParse(found).data;
	return suspension?.stage === 'waiting' ? suspension : undefined;
}

/** Wakes the execution: the inner one ends with its empty output. */
export const WAKE: { workflowData: INodeExecutionData[][] } = { workflowData: [[]] };
