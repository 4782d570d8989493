import { isFinal } from '../../n8n/database.mts';
import { hasEnded } from '../../maxun/service.mts';
import { MOST_REQUESTS } from '../limits.mts';
import { forEach, type Rule } from './rule.mts';

const SECOND = 1000;

export const everyExecutionEnds: Rule = ({ all, history }) => [
	...all
		.filter((stored) => !isFinal(stored))
		.map(({ id, status }) => `execution ${id} is ${status} forever`),
	...(all.length > 0 || history.events.length > 0 ? [] : ['no execution has started']),
];

/** An execution ends soon after its last run or deadline, if nothing unusual happens. */
export const executionsEndPromptly: Rule = forEach((waiter, { history }) => {
	const { plan, runs, stored } = waiter;
	const isUnusual = waiter.hadFaults || waiter.wasKilled || waiter.wasCancelled;
	if (isUnusual || history.events.length > 0 || plan.waitNode) return [];
	if (!waiter.hasEnded || plan.retryOnFail || runs.length < waiter.keys.length) return [];
	const ends = runs.map(({ key, createdAt, finishedAt = Infinity }) => {
		const deadline = createdAt + waiter.waitForOf(key) * 60 * SECOND;
		return Math.min(finishedAt + history.service.lag, deadline);
	});
	// An aborted run sends no delivery, so the execution looks after it from time to time.
	const isSilent = runs.some((run) => hasEnded(run) && run.status === 'aborted');
	const isTimeUp = runs.every(({ finishedAt = Infinity }) => finishedAt > Math.max(...ends));
	const patience = isTimeUp ? PATIENCE.deadline : isSilent ? PATIENCE.look : PATIENCE.delivery;
	const late = (waiter.endedAt - Math.max(...ends)) / SECOND;
	return late > patience && stored.status !== 'canceled'
		? [`it ended ${late.toFixed(0)} s after its last run or deadline`]
		: [];
});

/** Seconds from the last run or deadline to the end of the execution. */
const PATIENCE = {
	/** If no run has ended until the last deadline, only clean-up remains. */
	deadline: 30,
	/** Deliveries with retries, or the next poll. */
	delivery: 100,
	/** The longest time between two looks of a paused execution. */
	look: 31 * 60,
};

/** A history of some hours needs some hundred requests. */
export const requestsEnd: Rule = ({ world: { network } }) =>
	network.exchanges.length > MOST_REQUESTS ? [`there are ${MOST_REQUESTS} requests and more`] : [];

/** The event loop can always continue with other work. */
export const theEventLoopYields: Rule = ({ world: { clock } }) =>
	clock.wasBlocked ? ['a turn did not end'] : [];

/** No promise is rejected without anybody noticing. */
export const noRejectionIsUnhandled: Rule = ({ unhandled }) =>
	unhandled.map((reason) => `unhandled: ${String(reason)}`);
