import type { EngineResponse, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import type { MaxunServer } from '../../servers/types';
import { answersWithLastNode, isTool } from '../caller';
import { engineObstacle } from './engineRequest';

/** Modes of production executions, which may pause. */
const UNATTENDED: WorkflowExecuteMode[] = ['trigger', 'webhook', 'retry', 'error'];

/** The URL that resumes the execution while it is paused. */
export const resumeUrlOf = (context: IExecuteFunctions) =>
	String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));

/**
 * Why the execution can't pause, phrased to end a sentence; undefined if it can.
 *
 * @param response the argument of `execute`
 */
export function pauseObstacle(
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
	maxun: MaxunServer,
): string | undefined {
	if (isTool(context)) return 'it runs for an AI agent';
	// n8n resumes a parent when the first of its sub-workflows ends, and loses the results of the others.
	if (context.getMode() === 'integrated') return 'it is a sub-workflow and its parent may wait';
	if (!UNATTENDED.includes(context.getMode())) return 'it was started manually';
	if (answersWithLastNode(context)) return 'a caller waits for the output of the last node';
	const engine = engineObstacle(context, response);
	if (engine !== undefined) return engine;
	const url = resumeUrlOf(context);
	const problem = maxun.unreachable(url);
	return problem && `Maxun cannot reach n8n: ${new URL(url).origin} ${problem}`;
}
