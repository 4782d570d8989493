import { NodeApiError, sleep as sleepOfN8n } from 'n8n-workflow';
import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

/* What older n8n versions lack. The versions show when a function can be removed. */

/** Before n8n 2.3.4, only a tool's context can be cloned. */
export const isToolExecution = (
	context: Partial<Pick<IExecuteFunctions, 'isToolExecution'>>,
): boolean => context.isToolExecution?.() ?? 'cloneWith' in context;

const WithWorkflow = z.object({
	workflow: z.object({ settings: z.object({ executionOrder: z.string() }).partial() }),
});

/** In n8n 2.0 to 2.3, only the workflow itself contains it. */
export function executionOrderOf(
	context: Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>>,
): string | undefined {
	if (context.getWorkflowSettings) return context.getWorkflowSettings().executionOrder;
	return WithWorkflow.safeParse(context).data?.workflow.settings.executionOrder;
}

/** n8n's own function would add a listener to the signal, and ignores it before n8n 2.34. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	await unlessAborted(sleepOfN8n(milliseconds), signal);
}

/** Node.js warns about more than ten listeners, so each signal has one for everything that waits. */
const waitingFor = new WeakMap<AbortSignal, Set<() => void>>();

/** Only until the signal aborts. The work itself continues. */
export async function unlessAborted<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T> {
	if (!signal) return await work;
	const waiting = waitingFor.get(signal) ?? new Set();
	if (!waitingFor.has(signal)) {
		waitingFor.set(signal, waiting);
		signal.addEventListener('abort', () => waiting.forEach((abort) => abort()), { once: true });
	}
	let abort = () => {};
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal.reason);
		if (signal.aborted) abort();
		else waiting.add(abort);
	});
	return await Promise.race([work, aborted]).finally(() => waiting.delete(abort));
}

/** In milliseconds. Before n8n 2.41, there is no limit, so the limit of newer versions applies. */
export const pollBudget = (context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number =>
	context.getPollBudgetMs?.() ?? 300_000;

/** n8n 2.0 to 2.20 keep it only as the error's `httpCode`. */
export function networkCode(error: Error): string {
	if ('code' in error && typeof error.code === 'string') return error.code;
	return error instanceof NodeApiError ? (error.httpCode ?? '') : '';
}
