import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { isFinal, type StoredExecution } from '../n8n/database.mts';
import { kindOf, plan as planFaults, watcher } from '../mishaps.mts';
import type { NodeCode } from '../process.mts';
import type { Outcome } from '../worker.mts';
import { World } from '../world.mts';
import { happen } from './happenings.mts';
import type { History } from './history.mts';
import { INVARIANTS } from './invariants.mts';
import { MOST_REQUESTS } from './limits.mts';
import { begin } from './setup.mts';
import { view } from './view.mts';

const MINUTE = 60_000;

/** The longest a history may take, in simulated milliseconds. */
const LONGEST = 6 * 60 * MINUTE;

/** What follows the last execution, such as clean-up. */
const AFTERWARDS = 20 * MINUTE;

/** The longest time between two sub-workflows of a parent that was cancelled, in milliseconds. */
const GAP = 10_000;

/** Whether an execution had ended at a time. */
const endedBefore = (time: number) => (execution: StoredExecution) =>
	isFinal(execution) && (execution.trail.at(-1)?.at ?? 0) < time;

/** Plays a history. @param stopwatch measures how long turns take, in real milliseconds */
export async function play(
	history: History,
	code: NodeCode,
	stopwatch?: () => number,
): Promise<Outcome> {
	const world = new World(history, code, stopwatch);
	const { clock, network, n8n } = world;
	const started = clock.now;
	const trace: string[] = [];
	const log = (text: string) => trace.push(`${((clock.now - started) / 1000).toFixed(3)} ${text}`);
	const unhandled: unknown[] = [];
	const onUnhandled = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', onUnhandled);
	try {
		planFaults(history.faults, network);
		const events = history.events.map(({ when, ...what }) => ({
			when,
			happen: () => {
				log(JSON.stringify(what));
				happen(world, history, what);
			},
		}));
		const watch = watcher(events);
		network.observe = (exchange, moment) => {
			const { request, fault, number } = exchange;
			const status = moment === 'sent' ? (fault ?? '') : (exchange.response?.status ?? '');
			log(
				`#${number} ${moment} ${kindOf(request)}: ${request.method} ${request.url.pathname} ${status}`,
			);
			watch(exchange, moment);
		};
		for (const { when, happen: effect } of events) {
			if ('seconds' in when) clock.after(when.seconds * 1000, effect, null);
		}
		n8n.database.observe = (execution) =>
			log(`execution ${execution.id} is ${execution.status}${errorIn(execution)}`);
		history.executions.forEach((plan, index) => begin(world, history, plan, index));
		const last = Math.max(...history.executions.map(({ at }) => at)) * 1000 + MINUTE;
		const isOver = () =>
			network.exchanges.length > MOST_REQUESTS ||
			(clock.now > started + last && n8n.database.all.every(endedBefore(clock.now - GAP)));
		await clock.run(started + LONGEST, isOver);
		await clock.run(clock.now + AFTERWARDS);
		const played = view(history, world, unhandled);
		const violations = Object.entries(INVARIANTS).flatMap(([name, check]) =>
			check(played).map((text) => `${name}: ${text}`),
		);
		return { violations, longestTurn: clock.longestTurn, trace };
	} finally {
		process.off('unhandledRejection', onUnhandled);
		world.close();
	}
}

/** The error of an execution, for people. */
function errorIn({ status, data }: StoredExecution): string {
	if (status !== 'error' && status !== 'canceled') return '';
	const { resultData }: IRunExecutionData = parse(data);
	return resultData.error ? `: ${resultData.error.message}` : '';
}
