import type {
	EngineResponse,
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

/**
 * What the nodes assume about n8n beyond its documented API, as verified in n8n 2.41.1. If an assumption turns out to be
 * wrong at run time, the execution polls instead of pausing, and a hint says why.
 */

export const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/** Assumption: n8n's request helpers read the signal from the context they are called on. */
export const withSignal = <T extends object>(context: T, signal: unknown): T =>
	Object.create(context, { [CANCEL_SIGNAL]: { value: () => signal } });

const LogEntries = z.custom<unknown[]>(Array.isArray);

const Internals = z.object({
	runExecutionData: z.object({
		executionData: z.object({ contextData: z.record(z.string(), z.unknown()) }),
		resultData: z.object({ runData: z.record(z.string(), LogEntries) }),
	}),
});

/** Entries by node. Assumption: the context contains the engine's own data, compared below. */
export function executionLog(context: IExecuteFunctions): Record<string, unknown[]> | undefined {
	const documented = context.getContext('node');
	const { executionData, resultData } = Internals.safeParse(context).data?.runExecutionData ?? {};
	const isSame = executionData?.contextData[`node:${context.getNode().name}`] === documented;
	return isSame ? resultData?.runData : undefined;
}

/** Assumption: `getExecuteData` returns the engine's entry itself, compared below. */
export function liveEntry(context: IExecuteFunctions): IExecuteData | undefined {
	const entry = context.getExecuteData();
	const [item] = context.getInputData();
	const isLive = entry === context.getExecuteData() && entry.data.main?.[0]?.[0] === item;
	return isLive ? entry : undefined;
}

/** Assumption: the response or the entry says that the engine runs the node again. */
export const runsAgain = (context: IExecuteFunctions, response: EngineResponse | undefined) =>
	Boolean(response?.actionResponses.length) ||
	context.getExecuteData().metadata?.nodeWasResumed === true;

/** Assumption: the requested execution's input contains the request's ID. */
export const isRequestedRun = (context: IExecuteFunctions, id: string) =>
	context.getInputData()[0]?.json.toolCallId === id;

/** Milliseconds. n8n looks for paused executions once a minute, as for its Wait node. */
export const SHORTEST_PAUSE = 65_000;

/**
 * Whether static data is a copy that n8n stores, or discards, with the execution (durable cursors). Assumption: n8n
 * marks other static data when it changes. If it stopped, runs might start a workflow twice, but would not be lost.
 */
export const isPollCursor = (staticData: IDataObject) => !('__dataChanged' in staticData);

/**
 * n8n stores a failed execution and starts the error workflow. Throwing the error would also keep n8n from starting or
 * from publishing the workflow. Assumption: the context has n8n's own method for this. Otherwise, only the log shows
 * the error. Also read in n8n 1.123.81 and 2.8.4.
 */
export function reportPollError(context: IPollFunctions, error: Error): void {
	try {
		context.__emitError(error);
	} catch {
		// The caller has logged it.
	}
}

const CalledTool = z.object({ parentNode: z.object({ type: z.string() }) });

/** Assumption: a tool's context contains its caller; otherwise, the tool waits. Read in n8n 2.41.1. */
export const toolCaller = (context: IExecuteFunctions): string | undefined =>
	CalledTool.safeParse(context).data?.parentNode.type;
