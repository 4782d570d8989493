import type {
	EngineResponse,
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

/**
 * What the nodes assume about n8n beyond its documented API.
 *
 * Each assumption lists the n8n versions in which it was verified, and how the node notices at run time that it is
 * wrong. In this case, an execution polls instead of pausing, and a hint contains the reason. `npm run test:compat`
 * verifies the assumptions in older versions, too.
 */

export const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/**
 * The context without its cancel signal.
 *
 * Assumption: n8n's request helpers read an execution's signal from the context that they are called on. If n8n cancels
 * a request anyway, its result is lost, as after a network failure. Verified in n8n 2.41.1.
 */
export const withoutCancelSignal = <T extends object>(context: T): T =>
	Object.create(context, { [CANCEL_SIGNAL]: { value: () => undefined } });

const LogEntries = z.custom<unknown[]>(Array.isArray);

const Internals = z.object({
	runExecutionData: z.object({
		executionData: z.object({ contextData: z.record(z.string(), z.unknown()) }),
		resultData: z.object({ runData: z.record(z.string(), LogEntries) }),
	}),
});

/**
 * The execution's log by node, with an entry for each time that a node ran; undefined if the assumption doesn't hold.
 *
 * Assumption: a node's context contains the data with which the engine continues. Compared with the node's own context
 * data, which n8n documents. Verified in n8n 2.41.1.
 */
export function executionLog(context: IExecuteFunctions): Record<string, unknown[]> | undefined {
	const documented = context.getContext('node');
	const { executionData, resultData } = Internals.safeParse(context).data?.runExecutionData ?? {};
	const isSame = executionData?.contextData[`node:${context.getNode().name}`] === documented;
	return isSame ? resultData?.runData : undefined;
}

/**
 * The engine's entry for the node's current run. Changes to it apply when n8n resumes the execution.
 *
 * Assumption: `getExecuteData` returns the entry itself, not a copy. Compared across two calls, and with the node's
 * input. Verified in n8n 2.41.1.
 */
export function liveEntry(context: IExecuteFunctions): IExecuteData | undefined {
	const entry = context.getExecuteData();
	const [item] = context.getInputData();
	const isLive = entry === context.getExecuteData() && entry.data.main?.[0]?.[0] === item;
	return isLive ? entry : undefined;
}

/**
 * Whether the engine can run the node again after a request.
 *
 * Assumption: such an engine passes responses to `execute` and to its context. If a first attempt returned an error
 * item, the engine passes none to the next attempt, but it still handles requests. Verified in n8n 2.41.1.
 */
export const supportsRequests = (
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
) => response !== undefined || 'subNodeExecutionResults' in context;

/**
 * Whether the engine runs the node again after its request.
 *
 * Assumption: the second argument of `execute` contains the responses to the node's requests, and the entry says that
 * the node was resumed. If both are missing, this counts as the requested execution. Verified in n8n 2.41.1.
 */
export const runsAgain = (context: IExecuteFunctions, response: EngineResponse | undefined) =>
	Boolean(response?.actionResponses.length) ||
	context.getExecuteData().metadata?.nodeWasResumed === true;

/**
 * Whether this is the execution that the node requested with an ID.
 *
 * Assumption: the engine passes a request's ID in the input of the requested execution. If it doesn't, that execution
 * doesn't pause. Verified in n8n 2.41.1.
 */
export const isRequestedRun = (context: IExecuteFunctions, id: string) =>
	context.getInputData()[0]?.json.toolCallId === id;

/**
 * The shortest pause after which n8n resumes an execution on time, in milliseconds. n8n looks for paused executions
 * once a minute, and its Wait node has the same limit. Verified in n8n 2.41.1. If a newer n8n needs more, executions
 * resume later.
 */
export const SHORTEST_PAUSE = 65_000;

/**
 * Whether a polling node's static data is a copy that n8n stores in one transaction with the execution (durable
 * cursors). If n8n discards a poll, it discards the copy, too.
 *
 * Assumption: n8n marks other static data when it changes. If n8n stopped marking it, runs might start a workflow
 * twice, but none would be lost. Verified in n8n 2.41.1.
 */
export const isPollCursor = (staticData: IDataObject) => !('__dataChanged' in staticData);

/**
 * Reports a poll's error to n8n, which stores a failed execution and starts the error workflow. Throwing the error
 * would do the same, but would also keep n8n from starting or from publishing the workflow.
 *
 * Assumption: the context has the method that n8n itself calls with these errors. If it doesn't, or if the method
 * fails, the caller must show the error. Read in n8n 1.123.81, 2.8.4 and 2.41.1.
 *
 * @returns whether n8n has received the error
 */
export function reportPollError(context: IPollFunctions, error: Error): boolean {
	try {
		context.__emitError(error);
		return true;
	} catch {
		return false;
	}
}

const CalledTool = z.object({ parentNode: z.object({ type: z.string() }) });

/**
 * The type of the node that calls a tool; undefined if the assumption doesn't hold, so that the tool waits for its
 * result.
 *
 * Assumption: a tool's context contains its caller, even on a worker in queue mode. Read in n8n 2.41.1.
 */
export const toolCaller = (context: IExecuteFunctions): string | undefined =>
	CalledTool.safeParse(context).data?.parentNode.type;
