import type { EngineResponse, IExecuteFunctions } from 'n8n-workflow';
import { RESUME_PATH } from '../../n8n/internals';
import type { MaxunServer } from '../../servers/types';
import { waitingCaller } from '../caller';
import { engineObstacle } from './engineRequest';

/** The URL that resumes the execution while it is paused at this node. Other nodes that wait ignore it. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)));
	url.pathname += `/${RESUME_PATH}`;
	return url.href;
}

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
	const reason = waitingCaller(context) ?? engineObstacle(context, response);
	if (reason !== undefined) return reason;
	const url = resumeUrlOf(context);
	const problem = maxun.unreachable(url);
	return problem && `Maxun cannot reach n8n: ${new URL(url).origin} ${problem}`;
}
