import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { z } from 'zod';
import { executionLog, isRequestedRun, liveEntry, runsAgain } from '../n8n/internals';
import { executionOrderOf } from '../n8n/olderVersions';
import { MaxunFault } from '../http/fault';
import { ExecutionState } from './state';

/*
 * After a pause, n8n doesn't run the node again, but outputs its input. So this node asks the engine to execute itself
 * (EngineRequest). The inner execution only pauses, without input and output. Then the engine runs the requesting node
 * again for all items. README.md shows the sequence.
 */

const StoredPause = z.object({
	token: z.string(),
	/** `refused` if the inner execution could not pause. */
	stage: z.enum(['requested', 'paused', 'refused']),
	until: z.number(),
	runIndex: z.number(),
	source: z.object({
		previousNode: z.string(),
		previousNodeOutput: z.number().optional(),
		previousNodeRun: z.number().optional(),
	}),
	state: ExecutionState,
});

const KEY = 'pause';

const NOT_SUPPORTED = 'this version of n8n cannot resume the node';

/** Phrased to end a sentence; undefined if the engine can run this node again. */
export function engineObstacle(context: IExecuteFunctions): string | undefined {
	const { source } = context.getExecuteData();
	const isFirst = !source?.main?.[0];
	if (isFirst || !executionLog(context) || !liveEntry(context)) return NOT_SUPPORTED;
	const isLegacy = executionOrderOf(context) !== 'v1';
	return isLegacy ? 'the workflow uses the legacy execution order' : undefined;
}

export function requestPause(
	context: IExecuteFunctions,
	until: Date,
	state: ExecutionState,
): EngineRequest {
	const token = randomUUID();
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	// Otherwise, the engine adds a second entry, which later nodes read. It is empty if a webhook ends the pause.
	executionLog(context)?.[context.getNode().name]?.splice(runIndex);
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
		id: token,
		metadata: {},
	};
	return { actions: [inner], metadata: {} };
}

export interface PastPause {
	output?: INodeExecutionData[][];
	state?: ExecutionState;
	/** Phrased to end a sentence. */
	obstacle?: string;
	/** Why nothing can be restored. Runs must not start again, because the user would pay twice. */
	fault?: MaxunFault;
}

/** Pauses if this is the inner execution. Otherwise, restores the stored state. */
export async function pauseOrResume(
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
): Promise<PastPause> {
	const stored = context.getContext('node');
	if (!(KEY in stored)) return {};
	const pause = StoredPause.safeParse(stored[KEY]).data;
	if (pause?.stage === 'requested' && !runsAgain(context, response)) {
		return { output: await pauseNow(context, pause) };
	}
	delete stored[KEY];
	if (!pause) return { fault: unreadable() };
	// The engine always uses the first output of the previous node as the source of the items.
	const { source, node } = context.getExecuteData();
	if (source?.main?.[0]) Object.assign(source.main[0], pause.source);
	unmark(node);
	return { state: pause.state, obstacle: pause.stage === 'paused' ? undefined : NOT_SUPPORTED };
}

async function pauseNow(
	context: IExecuteFunctions,
	pause: z.output<typeof StoredPause>,
): Promise<INodeExecutionData[][]> {
	const entry = liveEntry(context);
	const canPause = entry && isRequestedRun(context, pause.token);
	context.getContext('node')[KEY] = { ...pause, stage: canPause ? 'paused' : 'refused' };
	if (!canPause) return [[]];
	// A copy, because n8n disables the paused node, and the original runs again.
	entry.node = { ...entry.node, alwaysOutputData: false };
	unmark(entry.node);
	entry.data = { main: [[]] };
	entry.runIndex = pause.runIndex; // The execution's log gets one entry, however often it pauses.
	await context.putExecutionToWait(new Date(pause.until));
	return [[]];
}

/** With the engine's mark, the editor would not show the next node's input. */
function unmark(node: INode): void {
	node.rewireOutputLogTo = undefined;
}

/** For example, after an upgrade. */
const unreadable = () =>
	new MaxunFault(
		'The stored state of this execution could not be read',
		'Its runs may continue in Maxun. Use Run: Get Many to find them, then start the workflow again. Temporary robots are deleted once they have expired',
		{ mayHaveHappened: true },
	);
