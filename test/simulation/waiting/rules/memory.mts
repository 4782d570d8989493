import { isErrorItem, succeeded, type Played, type Waiter } from '../view.mts';
import { whyKeyIsGone } from './data.mts';
import { forEach, type Rule } from './rule.mts';

/**
 * A page is skipped only if another execution has returned it. n8n stores what an execution returns when it ends. So
 * the table doesn't contain pages of executions that were killed or were tests.
 */
export const onlyReturnedPagesAreSkipped: Rule = forEach((waiter, played) => {
	const { skipsRead, skipsPages } = waiter.plan;
	// Pages that fail may also be left out.
	if (!skipsRead || skipsPages || waiter.stored.status !== 'success') return [];
	const others = othersOf(waiter, played);
	return waiter.visits.flatMap((visit) =>
		visit.wanted
			.filter(({ item }) => visit.resultsOf(item).length === 0)
			.filter(({ key }) => !reads(waiter, key) && !others.some((other) => hasReturned(other, key)))
			.filter(({ key }) => {
				const isLost = others.some((other) => other.wasStopped && reads(other, key));
				// The other account has the run.
				const why = isLost ? 'stoppedAfterTheNode' : whyKeyIsGone(waiter, played);
				return !played.excuses.use(why);
			})
			.map(({ key }) => `${key} is skipped, but no execution has returned it`),
	);
});

/** A page that an earlier execution has returned isn't read again. */
export const returnedPagesAreSkipped: Rule = forEach((waiter, played) => {
	const [{ at = 0 } = {}] = waiter.stored.trail;
	if (!waiter.plan.skipsRead || played.didHappen('slowDatabase')) return [];
	const earlier = othersOf(waiter, played).filter(
		(other) => other.stored.status === 'success' && other.endedAt < at,
	);
	return waiter.wanted
		.filter(({ key }) => reads(waiter, key) && earlier.some((other) => hasReturned(other, key)))
		.map(({ key }) => `${key} is read again`);
});

/** The other executions of its workflow, without tests. */
const othersOf = ({ plan, stored }: Waiter, { waiters }: Played) =>
	waiters.filter(
		(other) => other.plan === plan && other.stored !== stored && other.stored.mode !== 'manual',
	);

const reads = (waiter: Waiter, key: string) => waiter.runsOf(key).length > 0;

/** Whether it has read a page successfully, and its output contains the data. */
const hasReturned = (waiter: Waiter, key: string) =>
	waiter.runsOf(key).some(succeeded) &&
	waiter.visits
		.flatMap(({ output }) => output.flat())
		.some((item) => !isErrorItem(item) && JSON.stringify(item.json).includes(key));
