import { recover } from '../http/fault';
import type { Item } from '../runs/types';
import type { Delivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { attemptAll } from './attempts';
import { byEnd } from './backlog';
import { claimMissed, findMissed, processedUntil, RUNS_PER_DELIVERY } from './catchUp';
import { noteRunFailure, type DeliveryContext } from './deliveryContext';
import { itemsOfEvent, mismatchOf } from './event';
import { endOf } from '../servers/runEnd';
import type { Ledger } from './state/ledger';

/** Items that start the workflow, and what to call when n8n has received them. */
export interface WorkflowItems {
	items: Item[];
	/** Whether more missed runs are left for another delivery. */
	hasMore: boolean;
	/** Call this when n8n has stored the execution. */
	markProcessed(): void;
	/** Call this if n8n could not store it. The next delivery may start the workflow. */
	release(): void;
}

/** No reason to start the workflow, and the sender needn't retry the delivery. */
interface Ignored {
	ignore: string;
}

/** The delivery can't be processed now. The sender should retry it. */
interface Postponed {
	retry: string;
}

/** What to do with a delivery. In each case the trigger's state may have changed. */
export type Decision = WorkflowItems | Ignored | Postponed;

/** The run was processed before, for example because the sender retried the delivery. */
export const REPEAT: Ignored = { ignore: 'run already processed' };

/** Whether a delivery names a processed run. Sends no request. */
export const isRepeat = ({ isTest, runId }: Delivery, ledger: Ledger): boolean =>
	!isTest && runId !== undefined && ledger.isMarked(runId);

/**
 * Decides what to do with a delivery whose secret is correct. The delivery only identifies the run: the API provides
 * everything else. A delivery with no run or an unknown run still starts a catch-up.
 */
export async function decide(delivery: Delivery, context: DeliveryContext): Promise<Decision> {
	return await collectRuns(delivery, context).finally(() => context.claims.releaseAll());
}

async function collectRuns(sent: Delivery, context: DeliveryContext): Promise<Decision> {
	const { state } = context;
	// If too many deliveries name unknown runs, the list of runs shows which ones ended, with fewer requests.
	const delivery = state.mayReadNamed() ? sent : { ...sent, runId: undefined };
	const named = await checkNamedRun(delivery, context);
	if (named && 'retry' in named) return named;
	const backlog = await findMissed(delivery, named !== undefined, context);
	if (!named && !delivery.isTest && !backlog) {
		return { retry: 'the list of runs cannot be read now' };
	}
	const runs = backlog ? await claimMissed(backlog, context) : [];
	const namedRun = named && 'run' in named ? named.run : undefined;
	if (namedRun) runs.push(namedRun);
	const advance = () => {
		if (backlog) state.ledger.advance(processedUntil(backlog, state));
	};
	if (runs.length === 0) {
		advance();
		if (named && 'ignore' in named) return named;
		// The list may not yet show the end of the run that the delivery names.
		if (!delivery.isTest && backlog?.hasActive) return { retry: 'a run has not finished yet' };
		return { ignore: 'nothing to do' };
	}
	const made = await makeItems(runs.sort(byEnd), context);
	// The sender doesn't retry an accepted delivery, so its named run must be included.
	const isNamedLeft = namedRun && !made.runs.includes(namedRun);
	if (isNamedLeft || made.runs.length === 0) return { retry: 'the run cannot be read now' };
	const hasMore = backlog !== undefined && backlog.missed.length > RUNS_PER_DELIVERY;
	return { items: made.items, hasMore, ...handOver(made.runs, context, advance) };
}

/**
 * Checks the run that a delivery names, and claims it if it starts the workflow.
 *
 * @returns undefined if the delivery names none, or if the run could not be read for a long time. The list of runs may
 * still show how it ended
 */
async function checkNamedRun(
	{ isTest, runId, robotId }: Delivery,
	context: DeliveryContext,
): Promise<{ run: Run } | Ignored | Postponed | undefined> {
	const { settings, state, connection, claims } = context;
	if (isTest || runId === undefined) return undefined;
	if (state.ledger.isMarked(runId)) return REPEAT;
	const { robotIds } = settings;
	const mayOwn = robotIds.filter((id) => robotId === undefined || id === robotId);
	if (mayOwn.length === 0) return { ignore: 'run of another robot' };
	if (!claims.take(runId)) return { retry: 'the run is already being processed' };
	const reading = connection.maxun.runs.get(runId, mayOwn);
	const checking = reading.then((run) => refusalOf(run, context) ?? { run: { ...run, id: runId } });
	const checked = await recover(checking, {
		// The service may announce a run before it can be read.
		notFound: (): Ignored | Postponed => {
			state.noteUnknownRun();
			return state.failures.isExpired(runId)
				? { ignore: 'no such run' }
				: { retry: 'no such run yet' };
		},
		any: (fault): Postponed | undefined =>
			state.failures.isExpired(runId) ? undefined : { retry: fault.message },
	});
	if (checked && 'run' in checked) claims.setEnd(runId, endOf(checked.run));
	else claims.release(runId);
	if (checked && 'retry' in checked) state.failures.add(runId);
	return checked;
}

/** Why a run doesn't start the workflow, or not yet; undefined if it does. */
function refusalOf(
	run: Run,
	{ settings, state }: DeliveryContext,
): Ignored | Postponed | undefined {
	if (!hasEnded(run)) return { retry: 'the run has not finished yet' };
	const mismatch = mismatchOf(run, settings);
	if (mismatch !== undefined) return { ignore: mismatch };
	// Other runs may have been processed since the sender was asked to retry this one.
	const { ledger, failures } = state;
	const isProcessed = failures.has(run.id) ? ledger.isMarked(run.id) : ledger.isProcessed(run);
	return isProcessed ? REPEAT : undefined;
}

/** The items of claimed runs, and the runs they come from. */
async function makeItems(
	runs: Run[],
	context: DeliveryContext,
): Promise<{ runs: Run[]; items: Item[] }> {
	const { settings, state, connection, deadline } = context;
	const attempts = await attemptAll(
		runs,
		state.failures,
		deadline,
		async (run, isLastTry) => await itemsOfEvent(run, settings, connection, isLastTry),
	);
	const made = attempts.flatMap((attempt) => {
		if ('items' in attempt) return attempt;
		noteRunFailure(attempt.run, attempt.fault.message, attempt.isLastTry, context);
		return [];
	});
	return { runs: made.map(({ run }) => run), items: made.flatMap(({ items }) => items) };
}

/** Hands claimed runs over to n8n until it reports the outcome. */
function handOver(
	runs: Run[],
	{ state, claims }: DeliveryContext,
	advance: () => void,
): Pick<WorkflowItems, 'markProcessed' | 'release'> {
	const { failures, ledger } = state;
	const release = claims.handOver(runs.map(({ id }) => id));
	const markProcessed = () => {
		for (const run of runs) {
			ledger.markProcessed(run);
			failures.delete(run.id);
		}
		release();
		advance();
	};
	return { markProcessed, release };
}
