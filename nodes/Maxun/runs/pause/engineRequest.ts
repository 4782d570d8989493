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
 * Pausing an execution in n8n's database so that the node runs again afterwards.
 *
 * n8n itself never runs a node again after a pause: it passes on what resumed it or, when the time is up, the node's
 * input. But a node may request that the engine executes a node and then runs the requesting node again (EngineRequest).
 * So it requests itself. This inner execution only pauses; it has neither input nor output, so nothing flows on when it
 * is resumed. Then the engine runs the requesting node again as an ordinary execution of all items, with parameters,
 * errors, the error output, pairing, files, and the possibility of another pause. README.md draws the sequence.
 */

const Pause = z.object({
	/** Identifies the inner execution. */
	token: z.string(),
	stage: z.enum(['requested', 'paused']),
	/** Epoch milliseconds. */
	until: z.number(),
	runIndex: z.number(),
	source: z.object({
		previousNode: z.string(),
		previousNodeOutput: z.number().optional(),
		previousNodeRun: z.number().optional(),
	}),
	/** What the node needs when it runs again. */
	state: z.unknown(),
});

/** A pause, as the node finds it when it runs again. */
export interface PastPause {
	state?: unknown;
	/** When the timer was to end it, in epoch milliseconds. */
	until: number;
}

const KEY = 'pause';

/** n8n stores this with the execution: it survives a restart. */
function read(context: IExecuteFunctions) {
	return Pause.safeParse(context.getContext('node')[KEY]).data;
}

/** The log of the execution, in which the engine has an entry for each time that a node ran. */
const Engine = z.object({
	runExecutionData: z.object({
		resultData: z.object({ runData: z.record(z.custom<unknown[]>(Array.isArray)) }),
	}),
});

/** The entries of all nodes, which the engine itself continues with; undefined if they aren't kept in this place. */
const logOf = (context: IExecuteFunctions) =>
	Engine.safeParse(context).data?.runExecutionData.resultData.runData;

/**
 * Why the engine can't run this node again after a pause, in words that end a sentence; undefined if it can.
 *
 * @param response the argument of `execute`, which engines that know requests pass
 */
export function engineObstacle(
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
): string | undefined {
	if (!response || !logOf(context)) return 'this version of n8n cannot run a node again';
	if (context.getWorkflowSettings().executionOrder !== 'v1') {
		return 'the workflow uses the legacy execution order';
	}
	const { source } = context.getExecuteData();
	return source?.main?.[0] ? undefined : 'the node has no previous node';
}

/**
 * Requests a pause. The caller returns the request as its output.
 *
 * @param state JSON, which `pastPause` returns
 */
export function requestPause(
	context: IExecuteFunctions,
	until: Date,
	state: unknown,
): EngineRequest {
	const token = randomUUID();
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	// Removes what an earlier pause left. Otherwise the engine adds a second entry, which n8n leaves empty after the node's
	// output if a webhook ends the pause; later nodes and workflows read the last entry.
	logOf(context)?.[context.getNode().name]?.splice(runIndex);
	context.getContext('node')[KEY] = {
		token,
		stage: 'requested',
		until: until.getTime(),
		runIndex,
		source: { ...context.getInputSourceData() },
		state,
	};
	const inner = {
		actionType: 'ExecutionNodeAction' as const,
		nodeName: context.getNode().name,
		input: {},
		type: NodeConnectionTypes.Main,
		id: token, // the engine passes it on as `toolCallId`
		metadata: {},
	};
	return { actions: [inner], metadata: {} };
}

/** Pauses if this is the inner execution. @returns its empty output; undefined for all other executions */
export async function pauseIfRequested(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][] | undefined> {
	const pause = read(context);
	const [item] = context.getInputData();
	if (pause?.stage !== 'requested' || item?.json.toolCallId !== pause.token) return undefined;
	context.getContext('node')[KEY] = { ...pause, stage: 'paused' };
	const entry = context.getExecuteData();
	// n8n disables the node that has paused, which must not be the object that runs again.
	entry.node = { ...entry.node, alwaysOutputData: false };
	entry.data = { main: [[]] };
	entry.runIndex = pause.runIndex; // one entry in the execution's log, however often it pauses
	await context.putExecutionToWait(new Date(pause.until));
	return [[]];
}

/** The pause that the execution was resumed from; undefined if there was none. */
export function pastPause(context: IExecuteFunctions): PastPause | undefined {
	const pause = read(context);
	delete context.getContext('node')[KEY];
	if (pause?.stage !== 'paused') return undefined;
	// The engine takes the first output of the previous node for the source of the items, whichever it was.
	const source = context.getExecuteData().source?.main?.[0];
	if (source) Object.assign(source, pause.source);
	return pause;
}

/** The pause of an execution that a webhook call may resume; undefined if it isn't paused at this node. */
export function currentPause(context: IWebhookFunctions): PastPause | undefined {
	const name = JSON.stringify(context.getNode().name);
	const found: unknown = context.evaluateExpression(`{{ $(${name}).context.${KEY} }}`, 0);
	const pause = Pause.safeParse(found).data;
	return pause?.stage === 'paused' ? pause : undefined;
}

/** Resumes the execution: the inner execution ends with its empty output. */
export const RESUME: { workflowData: INodeExecutionData[][] } = { workflowData: [[]] };
