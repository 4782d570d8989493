import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { recover } from '../http/fault';
import type { Item } from '../runs/types';
import type { Delivery } from '../servers/deliveryBody';
import { hasEnded, type Run } from '../servers/entities';
import { attemptAll } from './attempts';
import { byEnd, type Backlog } from './backlog';
import { claimMissed, findMissed, likeliest, processedUntil, RUNS_PER_DELIVERY } from './catchUp';
import { noteRunFailure, type DeliveryContext } from './deliveryContext';
import { markItems } from './emission';
import { itemsOfEvent, mismatchOf } from './event';
import { endOf } from '../servers/runEnd';
import type { Ledger } from './state/ledger';

/** Another delivery starts the workflow for the run, too. */
interface Joined {
	/** Whether n8n has stored the execution. Otherwise, the sender must retry. */
	isStored: Promise<boolean>;
}

/** Items that start the workflow, and what to call when n8n has received them. */
export interface WorkflowItems extends Joined {
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
export type Decision = WorkflowItems | Joined | Ignored | Postponed;

/** The run was processed before, for example because the sender retried the delivery. */
export const REPEAT: Ignored = { ignore: 'run already processed' };

const UNREADABLE: Postponed = { retry: 'the run cannot be read now' };

/** Whether a delivery names a processed run. Sends no request. */
export const isRepeat = ({ isTest, runId }: Delivery, ledger: Ledger): boolean =>
	!isTest && runId !== undefined && ledger.isMarked(runId);

/**
 * Decides what to do with deliveries whose secret is correct. One of them starts the workflow for all. They only
 * identify the runs: the API provides everything else. A delivery with no run or an unknown run still starts a
 * catch-up.
 *
 * @returns the decision for each delivery
 */
export async function decide(
	deliveries: Delivery[],
	context: DeliveryContext,
): Promise<Decision[]> {
	return await collectRuns(deliveries, context).finally(() => context.claims.releaseAll());
}

/** A delivery and what is known about its run; undefined if it names none, or one that can't be read. */
interface Checked {
	delivery: Delivery;
	named: { run: Run } | Joined | Ignored | Postponed | undefined;
}

async function collectRuns(sent: Delivery[], context: DeliveryContext): Promise<Decision[]> {
	const { state } = context;
	const { ledger } = state;
	const checked = await mapConcurrently(sent, CONCURRENCY, async (delivery) => ({
		delivery,
		named: await checkNamedRun(delivery, context),
	}));
	const backlog = await findMissed(
		checked
			.filter(({ delivery, named }) => maySearch(named) && !isRepeat(delivery, ledger))
			.map(({ delivery, named }) => ({ ...delivery, isKnown: named !== undefined })),
		context,
	);
	const runs = backlog ? await claimMissed(backlog, context) : [];
	runs.push(...checked.flatMap(({ named }) => (named && 'run' in named ? named.run : [])));
	const advance = () => {
		if (backlog) ledger.advance(processedUntil(backlog, state));
	};
	if (runs.length === 0) advance();
	const made = await makeItems(runs.sort(byEnd), context);
	const outcome = { backlog, ledger, hasRuns: runs.length > 0, made: made.runs };
	const refusals = checked.map((delivery) => refusalOfDelivery(delivery, outcome));
	const starter = starterOf(checked, refusals);
	if (made.runs.length === 0 || starter < 0)
		return refusals.map((refusal) => refusal ?? UNREADABLE);
	const hasMore = backlog !== undefined && backlog.missed.length > RUNS_PER_DELIVERY;
	const start = { items: made.items, hasMore, ...handOver(made.runs, context, advance) };
	const { isStored } = start;
	return refusals.map((refusal, index) => (index === starter ? start : (refusal ?? { isStored })));
}

/** Whether other runs may start the workflow with the delivery. */
const maySearch = (named: Checked['named']) =>
	named === undefined || 'run' in named || 'ignore' in named;

/** What a search for missed runs has led to. */
interface Outcome {
	backlog?: Backlog;
	ledger: Ledger;
	/** Whether runs could be read. */
	hasRuns: boolean;
	/** The runs that have items. */
	made: Run[];
}

/** Why a delivery doesn't start the workflow, after the search for missed runs; undefined if it does. */
function refusalOfDelivery(
	{ delivery, named }: Checked,
	{ backlog, ledger, hasRuns, made }: Outcome,
): Joined | Ignored | Postponed | undefined {
	const { isTest } = delivery;
	if (named && ('retry' in named || 'isStored' in named)) return named;
	if (!named && !isTest && !backlog) return { retry: 'the list of runs cannot be read now' };
	// The sender doesn't retry an accepted delivery, so its named run must be included.
	const isLeft = named && 'run' in named ? !made.includes(named.run) : made.length === 0;
	if (hasRuns && isLeft) return UNREADABLE;
	if (named && 'ignore' in named) return named;
	const own = !named && !isTest && backlog ? likeliest(backlog, delivery) : undefined;
	const isOwnLeft = own && !ledger.isProcessed(own) && !made.some(({ id }) => id === own.id);
	if (isOwnLeft) return UNREADABLE;
	if (hasRuns) return undefined;
	// The list may not yet show the end of the run that the delivery names.
	if (!isTest && backlog?.hasActive) return { retry: 'a run has not finished yet' };
	return { ignore: 'nothing to do' };
}

/**
 * The delivery that starts the workflow: one whose run is included, otherwise an ignored one, otherwise one that names no
 * run; -1 if there is none.
 */
function starterOf(
	checked: Checked[],
	refusals: Array<Joined | Ignored | Postponed | undefined>,
): number {
	const included = refusals.indexOf(undefined);
	if (included >= 0) return included;
	const ignored = refusals.findIndex((refusal) => refusal && 'ignore' in refusal);
	return ignored >= 0 ? ignored : checked.findIndex(({ named }) => named === undefined);
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
): Promise<Checked['named']> {
	const { settings, state, connection, claims } = context;
	// If too many deliveries name unknown runs, the list of runs shows which ones ended, with fewer requests.
	if (isTest || runId === undefined || !state.mayReadNamed()) return undefined;
	if (state.ledger.isMarked(runId)) return REPEAT;
	const { robotIds } = settings;
	const mayOwn = robotIds.filter((id) => robotId === undefined || id === robotId);
	if (mayOwn.length === 0) return { ignore: 'run of another robot' };
	if (!claims.take(runId)) return { isStored: claims.outcomeOf(runId) };
	const reading = connection.maxun.runs.get(runId, mayOwn);
	const checking = reading.then(
		(run) => refusalOfRun(run, context) ?? { run: { ...run, id: runId } },
	);
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
function refusalOfRun(
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
	const attempts = await attemptAll(runs, state.failures, deadline, async (run, isLastTry) =>
		markItems(run.id, await itemsOfEvent(run, settings, connection, isLastTry)),
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
): Pick<WorkflowItems, 'isStored' | 'markProcessed' | 'release'> {
	const { failures, ledger } = state;
	const end = claims.handOver(runs.map(({ id }) => id));
	const [{ id }] = runs;
	const markProcessed = () => {
		for (const run of runs) {
			ledger.markProcessed(run);
			failures.delete(run.id);
		}
		end(true);
		advance();
	};
	return { isStored: claims.outcomeOf(id), markProcessed, release: () => end(false) };
}
